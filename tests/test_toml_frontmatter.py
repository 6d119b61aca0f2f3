"""A TOML frontmatter is no prose: nothing of it is claimed, and nothing is written into it."""

from __future__ import annotations

from datetime import date

import pytest
from cg_review import review
from cg_review.document import Span
from cg_review.parse import parse
from cg_review.toml_frontmatter import find_toml

TODAY = date(2026, 11, 30)
FRONT = '+++\ntitle = "We are the fastest gate in the world"\n# not a heading\n\ndate = 2026-11-02\n+++\n'
BODY = "\n# Gate\n\nRevenue will be $50M by Q4 2027.\n"


@pytest.mark.parametrize("text", [FRONT + BODY, "\n\n" + FRONT + BODY, (FRONT + BODY).replace("\n", "\r\n")])
def test_its_text_is_no_segment_and_its_date_is_the_documents(text: str) -> None:
    document = parse(text)
    assert [segment.plain for segment in document.segments] == ["Gate", "Revenue will be $50M by Q4 2027."]
    assert [(key, value) for key, value, _ in document.dates] == [("date", "2026-11-02")]
    [(_, value, span)] = document.dates
    assert span.of(text).endswith(value)
    assert [span.of(text).strip()[-3:] for span in document.code] == ["+++"]


def test_a_draft_keeps_it_byte_for_byte_and_a_second_review_changes_nothing() -> None:
    first = review(FRONT + BODY, name="a.md", today=TODAY)
    assert FRONT in str(first.cgd_text)
    assert [finding.points for finding in first.open_findings] == [(2,)]
    assert review(str(first.cgd_text), name="a.cgd.md", today=TODAY).cgd_text == first.cgd_text


@pytest.mark.parametrize(
    "text", ["+++\nnever closed, fastest in the world.\n", "Before.\n\n+++\na = 1\n+++\n", "++++\na\n++++\n"]
)
def test_what_only_looks_like_one_is_text(text: str) -> None:
    assert any("+" in segment.plain for segment in parse(text).segments)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_that_is_never_closed_is_looked_through_once(end: str) -> None:
    text = (
        f"+++{end}" + f"a = 1{end}" * 50_000
    )  # with a choice at each line, the end of the world would come first
    assert find_toml(text, Span(0, len(text))) is None
