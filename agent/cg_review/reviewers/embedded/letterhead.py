"""The lines at the top of a memo or an e-mail that say who writes to whom, when and about what; they claim nothing."""

from __future__ import annotations

import re

from cg_review.document import Document, Segment, SegmentKind

_LABELS = "from|to|cc|bcc|date|sent|subject|re|reply-to|through|via|attention|attn"
_LABEL = re.compile(_LABELS, re.IGNORECASE)
_LINE = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?[*_]{0,3}([A-Za-z][A-Za-z-]*(?: [A-Za-z-]+){0,2})[*_]{0,3}[ \t]?:[*_]{0,3}(?=\s|\Z)"
)
_ADDRESSED = frozenset({"from", "to", "subject"})
_FEWEST = 2
_NAME = 4  # words: "Internal memo" stands above the lines


def letterhead(document: Document) -> frozenset[int]:
    """The numbers of the segments that are such lines: at the top of the document or right under a heading."""
    found: set[int] = set()
    run: dict[int, frozenset[str]] = {}
    is_top = True
    for segment in document.segments:
        if segment.kind is SegmentKind.HEADING:
            found |= _kept(run)
            run, is_top = {}, True
        elif is_top and segment.kind is not SegmentKind.ROW:  # its table has told of it
            lines = _lines(document, segment)
            is_top = bool(lines) or (not run and len(segment.plain.split()) <= _NAME)
            run |= lines
    return frozenset(found | _kept(run))


def _kept(run: dict[int, frozenset[str]]) -> set[int]:
    """The lines of a run that has enough of them, and one that says who or about what."""
    labels = frozenset[str]().union(*run.values())
    return set(run) if len(labels) >= _FEWEST and labels & _ADDRESSED else set()


def _lines(document: Document, segment: Segment) -> dict[int, frozenset[str]]:
    """A sentence that consists of such lines, or the rows of a table that are some, with their labels."""
    if segment.kind is SegmentKind.TABLE and segment.table is not None:
        table = document.tables[segment.table]
        numbered = zip((segment.number, *table.row_segments), (table.header, *table.rows), strict=True)
        told = {number: _known([row[0].plain.strip(" *_:")]) for number, row in numbered if row}
        rows = {number: labels for number, labels in told.items() if labels}
        return {segment.number: frozenset[str]().union(*rows.values()), **rows} if rows else {}
    text, start = document.text, segment.span.start
    start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    matches = [_LINE.match(line) for line in text[start : segment.span.end].splitlines()]
    labels = _known([match[1] for match in matches if match]) if all(matches) else frozenset()
    return {segment.number: labels} if labels else {}


def _known(labels: list[str]) -> frozenset[str]:
    return frozenset(label.lower() for label in labels if _LABEL.fullmatch(label))
