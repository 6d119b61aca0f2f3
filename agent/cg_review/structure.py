"""What an annotation may never change: code, links, tables, headings, where each block stands; and the proof that it doesn't.

Only the stretches of a text are read again in which an edit stands. A stretch opens, and the one before it ends, at a
blank line before a line that no list, quote or footnote goes on with; what blocks a text has from there on depends on
nothing before but the link references.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from cg_review.annotate import apply_edits
from cg_review.document import Document, SegmentKind, Span
from cg_review.findings import Edit
from cg_review.parse import parse, parse_part

Shape = tuple[object, ...]
Part = TypeVar("Part")

_ONLY_MARKERS = re.compile(r"(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]))+\.?\s*")
_BLANK = r"\n[ \t]*\r?\n"
_OPENS = re.compile(r"(?=[^\s>+*\d-]|\*\S)")
_AFRESH = re.compile(_BLANK + _OPENS.pattern)
_ENDS = re.compile(_BLANK + r"\Z")
_HEADING_MARK = re.compile(r"#{1,6}[ \t]+")
_DEFINITION = "]:"  # of a link reference or a footnote, which the whole text looks at


def shape_of(document: Document) -> Shape:
    """What an annotation may never change."""
    text = document.text
    return (
        [(section.level, section.title) for section in document.sections],
        [span.of(text) for span in document.code],
        [comment.text for comment in document.comments],
        [[len(row) for row in (table.header, *table.rows)] for table in document.tables],
        [link for segment in document.segments for link in segment.links],
        _blocks(document),
        sum(segment.plain.count("￼") for segment in document.segments),
    )


def _blocks(document: Document) -> list[tuple[int, bool]]:
    """Where each paragraph, list item and table stands; a paragraph that is nothing but markers is none."""
    blocks: dict[int, tuple[int, bool]] = {}
    for segment in document.segments:
        if _ONLY_MARKERS.fullmatch(segment.plain) is None:
            blocks.setdefault(segment.block, (segment.list_depth, segment.quoted))
    return list(blocks.values())


def keep_shape(document: Document, edits: Sequence[Edit]) -> bool:
    """Whether the edits, which are in order, leave the structure of the document as it is."""
    return _stretches_keep_shape(document, edits) or _whole_keeps_shape(document, edits)


def _whole_keeps_shape(document: Document, edits: Sequence[Edit]) -> bool:
    before, after = document.text, apply_edits(document.text, edits)
    body = Span(document.body.start, document.body.end + len(after) - len(before))
    excluded = [_moved(span, edits) for span in document.excluded]
    changed = parse(after, body, excluded, split=False, like=document)
    same = parse(before, document.body, document.excluded, split=False, like=document)
    return shape_of(changed) == shape_of(same)


def _moved(span: Span, edits: Sequence[Edit]) -> Span:
    return _shifted(span, sum(len(e.after) - len(e.before) for e in edits if e.span.end <= span.start))


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


# -- stretch by stretch ------------------------------------------------------------------------------------------------


def _stretches_keep_shape(document: Document, edits: Sequence[Edit]) -> bool:
    """Whether each stretch keeps its shape by itself; False where that does not tell."""
    if document.excluded:
        return False
    starts = [document.body.start, *_fresh_starts(document)]
    by_stretch: dict[int, list[Edit]] = {}
    for edit in edits:
        by_stretch.setdefault(bisect_right(starts, edit.span.start) - 1, []).append(edit)
    ends = [*starts[1:], document.body.end]
    return all(
        _stretch_keeps_shape(document, Span(starts[number], ends[number]), its)
        for number, its in by_stretch.items()
    )


def _fresh_starts(document: Document) -> Iterator[int]:
    """Where a stretch opens behind another: the lines at which a block that is in no other begins behind a blank line."""
    text, segments = document.text, document.segments
    for match in _AFRESH.finditer(text, document.body.start, document.body.end):
        at = match.end()
        following = bisect_right(segments, at - 1, key=lambda segment: segment.span.start)
        if following == len(segments):
            return
        segment = segments[following]
        lead = text[at : segment.span.start]
        opens = not lead or (segment.kind is SegmentKind.HEADING and _HEADING_MARK.fullmatch(lead))
        if opens and not (segment.list_depth or segment.quoted or segment.footnote is not None):
            yield at


def _stretch_keeps_shape(document: Document, stretch: Span, edits: Sequence[Edit]) -> bool:
    before = stretch.of(document.text)
    after = apply_edits(
        before, [e.model_copy(update={"span": _shifted(e.span, -stretch.start)}) for e in edits]
    )
    if _DEFINITION in before or _DEFINITION in after:
        return False
    if stretch.start > document.body.start and not _OPENS.match(after):
        return False
    if stretch.end < document.body.end and not _ENDS.search(after):
        return False
    alone = parse_part(after, Span(0, len(after)), document)
    return shape_of(_part_of(document, stretch)) == shape_of(alone)


def _part_of(document: Document, stretch: Span) -> Document:
    """What of the document starts in a stretch of it."""
    segments = _starting_in(stretch, document.segments, lambda segment: segment.span)
    headed = [segment.section for segment in segments if segment.kind is SegmentKind.HEADING]
    return replace(
        document,
        segments=segments,
        sections=tuple(document.sections[index] for index in (0, *headed)),
        tables=_starting_in(stretch, document.tables, lambda table: table.span),
        comments=_starting_in(stretch, document.comments, lambda comment: comment.span),
        code=_starting_in(stretch, document.code, lambda span: span),
    )


def _starting_in(stretch: Span, parts: tuple[Part, ...], span_of: Callable[[Part], Span]) -> tuple[Part, ...]:
    """Those of `parts`, which are in order, that start in a stretch."""
    first, end = (
        bisect_left(parts, at, key=lambda part: span_of(part).start) for at in (stretch.start, stretch.end)
    )
    return parts[first:end]
