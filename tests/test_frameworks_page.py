"""Every Python block of docs/frameworks.md and docs/scale.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
BLOCKS = [
    (name, number, code)
    for name in ("frameworks.md", "scale.md")
    for number, code in enumerate(
        re.findall(
            r"^```python\n(.*?)^```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )
    )
]


@pytest.mark.parametrize(("name", "number", "code"), BLOCKS, ids=[f"{name}-{n}" for name, n, _ in BLOCKS])
def test_block_runs(
    name: str, number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/plan.md").write_text("Revenue will be $50M by Q4 2027.\n")
    exec(compile(code, f"docs/{name}", "exec"), {"__name__": "__main__"})
    assert not [line for line in code.splitlines() if line.startswith("raise")]
