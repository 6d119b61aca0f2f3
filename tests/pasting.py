"""Reviews by the embedded reviewer, and their fixes pasted as an author would."""

from __future__ import annotations

import re
from datetime import date

from cg_review.document import Document
from cg_review.findings import Finding
from cg_review.grounding import Anchored, ground
from cg_review.markers import load_markers
from cg_review.origin import read_origin
from cg_review.points import ALL_POINTS, load_points
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.settle import settle

TODAY = date(2026, 11, 30)
REVIEWER = EmbeddedReviewer()
POINTS = {point.id: point for point in load_points()}


def read(text: str) -> Document:
    return read_origin(text.encode("utf-8", "surrogatepass"), "a.md", load_markers()).document()


def review(text: str, today: date = TODAY) -> tuple[Document, tuple[Finding, ...]]:
    """The document and its findings, all nine points."""
    document = read(text)
    results = [REVIEWER.ask(point, document, today) for point in ALL_POINTS]
    raw = [finding for result in results if isinstance(result, Found) for finding in result.findings]
    anchored = [one for one in (ground(document, finding) for finding in raw) if isinstance(one, Anchored)]
    return document, settle(document, anchored, POINTS, {})


def paste(document: Document, finding: Finding) -> tuple[str, int, int]:
    """The text with the fix pasted, and where the place of the finding is then."""
    text, span = document.text, finding.span
    if finding.fix_place == "instead":
        after = text[: span.start] + finding.fix + text[span.end :]
        return after, span.start, span.start + len(finding.fix)
    assert finding.fix_place == "above"
    index = document.segment(finding.segment).table
    assert index is not None
    table = document.tables[index].span.start
    at, line = (
        table - len(re.split(r"[\r\n]", text[:table])[-1]),
        finding.fix + ("\n" if "\n" in finding.fix else "\n\n"),
    )
    return text[:at] + line + text[at:], span.start + len(line), span.end + len(line)
