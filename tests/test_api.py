"""The library's front door, as the README shows it and inside a running event loop."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from pathlib import Path

import cg_review
import pytest
from cg_review import areview, check, review, validate
from cg_review.errors import InputError

TODAY = date(2026, 11, 30)
TEXT = "Revenue will be $50M by Q4.\n"
README = Path(__file__).resolve().parent.parent / "README.md"


def test_the_code_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "Revenue is **projected** to be $50M by Q4 *(unverified projection)*." in capsys.readouterr().out


def test_every_public_name_is_there() -> None:
    for name in cg_review.__all__:
        assert getattr(cg_review, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = cg_review.nothing


def test_text_bytes_and_path_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text(TEXT, encoding="utf-8")
    results = [review(source, name="plan.md", today=TODAY) for source in (TEXT, TEXT.encode(), path)]
    assert results[0] == results[1] == results[2]


def test_a_review_inside_a_running_loop_and_awaited_are_the_same() -> None:
    async def inside() -> tuple[object, object]:
        return review(TEXT, today=TODAY), await areview(TEXT, today=TODAY)

    one, other = asyncio.run(inside())
    assert one == other


def test_an_error_inside_a_running_loop_is_ours() -> None:
    async def inside() -> None:
        review("", today=TODAY)

    with pytest.raises(InputError, match="empty"):
        asyncio.run(inside())


def test_many_reviews_at_once_are_as_one_alone() -> None:
    async def together() -> list[object]:
        return list(await asyncio.gather(*(areview(TEXT * n, today=TODAY) for n in range(1, 6))))

    assert asyncio.run(together()) == [review(TEXT * n, today=TODAY) for n in range(1, 6)]


def test_a_result_is_plain_data() -> None:
    dumped = review(TEXT, today=TODAY).model_dump(mode="json")
    assert dumped["findings"][0]["points"] == [2]
    assert "cgd_text" not in dumped


def test_the_gate() -> None:
    cgd = review(TEXT, today=TODAY).cgd_text or ""
    assert validate(cgd).valid
    gate = check(cgd)
    assert not gate.ingestable
    assert gate.reason is not None
    assert "REVIEWED" in gate.reason
