"""Lists of "label: figure" as the tables that they are."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from cg_review.document import Cell, SegmentKind, Span, Table
from cg_review.keys import DIGIT
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.lists import opens_item

_LINE = regex.compile(
    r"^(?P<label>[^\d:–—=|]{2,48}?(?: \d{1,3})?)(?::|,| –| —| -| =|) (?P<figure>[€$£]?\d[\d.,]*\s?(?:%|€|[a-z]{1,8})?)(?P<more>[ ,;(].{0,80})?\.?$",
    regex.IGNORECASE,
)
_FEWEST = 3


def tables_of_lists(analysis: Analysis) -> Iterator[Table]:
    """A table of two columns for each list whose every item is a label with one figure."""
    run: list[tuple[Reading, str, str]] = []
    for reading in (*analysis.readings, None):
        line = _read(analysis, reading) if reading else None
        belongs = run and reading and line and reading.segment.section == run[0][0].segment.section
        if line and reading and (not run or belongs):
            run.append((reading, *line))
            continue
        if len(run) >= _FEWEST:
            yield _table(analysis, run)
        run = [(reading, *line)] if line and reading else []


def _read(analysis: Analysis, reading: Reading) -> tuple[str, str] | None:
    segment = reading.segment
    if segment.kind is not SegmentKind.LIST_ITEM or DIGIT not in reading.keys:
        return None
    match = _LINE.match(segment.plain.strip())
    if not match or any(map(str.isdigit, match["more"] or "")):
        return None
    if not opens_item(analysis, segment.span.start):
        return None
    return match["label"], match["figure"]


def _table(analysis: Analysis, run: list[tuple[Reading, str, str]]) -> Table:
    first = run[0][0].segment
    title = analysis.document.sections[first.section].title
    rows = tuple((_cell(reading, label), _cell(reading, figure)) for reading, label, figure in run)
    segments = tuple(reading.segment.number for reading, _, _ in run)
    header = (_cell(run[0][0], ""), _cell(run[0][0], title))
    span = Span(first.span.start, run[-1][0].segment.span.end)
    return Table(-1, first.number, span, header, rows, segments)


def _cell(reading: Reading, text: str) -> Cell:
    return Cell(reading.segment.span, text, text, reading.segment.insertion)
