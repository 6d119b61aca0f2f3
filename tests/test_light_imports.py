"""What a hook or `--help` must not pay for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("anthropic", "openai", "instructor", "jinja2", "rich", "pydantic", "markdown_it", "syntok", "vcr")


def imported(arguments: list[str], cwd: Path) -> set[str]:
    code = (
        "import sys\nfrom cg_review.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd, check=True)
    return {line.partition(".")[0] for line in done.stderr.splitlines()}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["validate", "a.cgd.md"],
        ["check", "a.cgd.md"],
        ["hash", "a.cgd.md"],
        ["claim-id", "a", "b/1"],
    ],
)
def test_these_import_no_sdk_and_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.cgd.md").write_text("---\na: 1\n---\n", encoding="utf-8")
    modules = imported(arguments, tmp_path)
    assert "click" in modules
    assert modules.isdisjoint(HEAVY)


def test_a_review_imports_no_sdk(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Revenue will be $5.\n", encoding="utf-8")
    modules = imported(["a.md", "--model", "embedded", "-q"], tmp_path)
    assert "markdown_it" in modules
    assert modules.isdisjoint({"anthropic", "openai", "instructor", "jinja2", "rich"})
