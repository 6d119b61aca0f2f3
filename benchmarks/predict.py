"""What a reviewer finds in a text, as places: the seam between the benchmarks and the reviewers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

from cg_review.cgd.layout import take_apart
from cg_review.document import Document, Span
from cg_review.findings import RawFinding
from cg_review.parse import parse
from cg_review.points import ALL_POINTS
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from labelled import Prediction

Reader = Callable[[str, str, date], list[Prediction]]


def make_reader(model: str, answers: Path | None, min_confidence: float | None) -> Reader:
    """A function from text, name and today to predictions."""
    if model != "embedded" or answers:
        raise SystemExit("only the embedded reviewer is wired here")
    reviewer = (
        EmbeddedReviewer() if min_confidence is None else EmbeddedReviewer(min_confidence=min_confidence)
    )

    def read(text: str, name: str, today: date) -> list[Prediction]:
        document = read_document(text)
        found = []
        for point in ALL_POINTS:
            result = reviewer.ask(point, document, today)
            assert isinstance(result, Found), result
            found += [locate(raw, document) for raw in result.findings]
        return found

    return read


def read_document(text: str) -> Document:
    """Parse a source document with its frontmatter's date stamps."""
    layout = take_apart(text)
    dates = []
    if layout.frontmatter:
        start = layout.frontmatter.start
        for line in re.finditer(
            r"^([\w-]*(?:date|updated|review|modified)[\w-]*):[ ]*(.+?)[ ]*$",
            text[start : layout.frontmatter.end],
            re.M,
        ):
            dates.append((line[1], line[2], Span(start + line.start(), start + line.end())))
    return parse(text, Span(layout.body.start, len(text)), dates=dates)


def locate(raw: RawFinding, document: Document) -> Prediction:
    """Where a raw finding is: its quote, else its segment; segment 0 is the frontmatter."""
    if raw.segment == 0:
        start = document.text.find(raw.quote)
        return Prediction(raw.point, start, start + len(raw.quote))
    span = document.segment(raw.segment).span
    at = document.text.find(raw.quote, span.start, span.end) if raw.quote else -1
    return (
        Prediction(raw.point, at, at + len(raw.quote))
        if at >= 0
        else Prediction(raw.point, span.start, span.end)
    )
