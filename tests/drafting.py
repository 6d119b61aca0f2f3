"""Short ways to a draft and to its parts, for the tests of the pipeline."""

from __future__ import annotations

from datetime import date

from cg_review import review
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.layout import take_apart
from cg_review.findings import Quote, RawFinding
from cg_review.results import Review
from cg_review.reviewers import FakeReviewer, Found, PassFailed

TODAY = date(2026, 11, 30)


def raw(point: int, segment: int, quote: str = "", **more: object) -> RawFinding:
    """A raw finding with a reason."""
    related = tuple(Quote(segment=number, quote=words) for number, words in more.pop("related", ()))  # type: ignore[union-attr]
    return RawFinding(point=point, segment=segment, quote=quote, reason="a reason", related=related, **more)  # type: ignore[arg-type]


def scripted(*findings: RawFinding, failed: dict[int, str] | None = None) -> FakeReviewer:
    """A reviewer that finds exactly `findings` and fails the points of `failed`."""
    failed = failed or {}
    answers = [
        PassFailed(point, failed[point])
        if point in failed
        else Found(point, tuple(finding for finding in findings if finding.point == point))
        for point in range(1, 10)
    ]
    return FakeReviewer(answers)


def draft(
    text: str, *findings: RawFinding, name: str = "plan.md", today: date = TODAY, **more: object
) -> Review:
    """Review `text` with a scripted reviewer."""
    reviewer = scripted(*findings, failed=more.pop("failed", None))  # type: ignore[arg-type]
    return review(text, name=name, today=today, reviewer=reviewer, **more)  # type: ignore[arg-type]


def body(cgd_text: str | None) -> str:
    """The body of a CGD before its record, without the blank lines around it."""
    assert cgd_text is not None
    return take_apart(cgd_text).body_text.partition("## HITL Verification Record")[0].strip("\r\n")


def field(cgd_text: str | None, key: str) -> object:
    """A frontmatter value of a CGD, as written."""
    assert cgd_text is not None
    return read_frontmatter(cgd_text).data.get(key)
