"""A document as the passes see it: sections, numbered segments, tables, footnotes, and spans into the text.

A span is a half-open range of characters in `Document.text` (DESIGN, "Documents and anchors"). Lines and columns are
derived from it, never stored.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from cg_review.inline import Inlines
from cg_review.keys import keys_of

_LINE_END = re.compile(r"\r\n|\n|\r")
_LINE_FEED = re.compile(r"\n")  # found at the speed of `find`


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters [start, end) of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters of `text` that this span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Whether the two spans share a character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Whether `other` lies inside this span."""
        return self.start <= other.start and other.end <= self.end


class Spans:
    """Several spans, asked quickly; nested ones are taken as the one that holds them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans: list[Span] = []
        for span in sorted(spans):
            if self._spans and span.start < self._spans[-1].end:
                self._spans[-1] = Span(self._spans[-1].start, max(self._spans[-1].end, span.end))
            else:
                self._spans.append(span)

    def hold(self, span: Span) -> bool:
        """Whether one of the spans holds `span`; a place at either edge counts."""
        index = bisect_right(self._spans, span.start, key=lambda held: held.start)
        return any(held.contains(span) for held in self._spans[max(0, index - 2) : index])


class SegmentKind(StrEnum):
    """What a segment is; a list item of several sentences gives one segment a sentence."""

    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    HEADING = "heading"
    TABLE = "table"
    ROW = "table_row"
    FRONTMATTER = "frontmatter"  # the date stamps of a source's own frontmatter: number 0, read by point 8, never edited


class Link(NamedTuple):
    """A link in a segment: the text it stands on and where it goes."""

    text: str
    target: str


class Segment(NamedTuple):
    """A numbered unit of text.

    `text` is the source's wording with its Markdown, white space folded and container prefixes (`>`, indentation)
    dropped. `plain` is what a reader sees: no markup; code, images, math and bare addresses are one U+FFFC each.
    `plain_offsets[i]` is where `plain[i]` starts in the document's text.
    """

    number: int
    kind: SegmentKind
    span: Span
    text: str
    plain: str
    plain_offsets: array[int]
    section: int
    block: int
    insertion: int
    links: tuple[Link, ...] = ()
    footnotes: tuple[str, ...] = ()
    footnote: str | None = None  # the label, where the segment belongs to a footnote's definition
    quoted: bool = False  # inside a block quote
    list_depth: int = 0
    ordered: bool = False
    table: int | None = None
    row: int | None = None
    prefix: str = ""  # the container prefix (`> `, indentation) of a line that continues the block
    styled: bytes = b""  # one byte a plain character: inside emphasis or a link

    @property
    def id(self) -> str:
        """The name a model answers with."""
        return f"s{self.number}"

    def source_of(self, start: int, end: int) -> Span:
        """The span in the document of plain characters [start, end); `end` > `start`."""
        last = self.plain_offsets[end - 1]
        after = self.plain_offsets[end] if end < len(self.plain_offsets) else self.span.end
        return Span(self.plain_offsets[start], min(last + 1, after) if after > last else last + 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; `insertion` is right behind its last character."""

    span: Span
    text: str
    plain: str
    insertion: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `rows` leaves the header out. `segment` and `row_segments` are segment numbers."""

    index: int
    segment: int
    span: Span
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_segments: tuple[int, ...]

    def cells(self, row: int | None) -> tuple[Cell, ...]:
        """The cells of a row (0-based), or all of them, the header's first."""
        return (
            self.rows[row]
            if row is not None
            else tuple(c for cells in (self.header, *self.rows) for c in cells)
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows it up to the next heading; section 0 (`root`, level 0) is what precedes them all."""

    index: int
    level: int
    title: str
    slug: str
    parent: int | None
    heading: int | None  # segment number


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment. `block` is true where it stands on lines of its own."""

    span: Span
    text: str
    block: bool


@dataclass(frozen=True)
class Document:
    """A parsed document. `text` is the text as read; `body` is its Markdown part (without frontmatter)."""

    text: str
    body: Span
    segments: tuple[Segment, ...]
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    comments: tuple[Comment, ...] = ()
    code: tuple[Span, ...] = ()  # fenced and indented code, math and HTML blocks, exclusion blocks
    fences: tuple[Span, ...] = ()  # the fenced ones, as CommonMark sees them
    excluded: tuple[Span, ...] = ()  # exclusion blocks
    footnotes: dict[str, tuple[int, ...]] = field(
        default_factory=dict
    )  # label -> segment numbers of its definition
    dates: tuple[
        tuple[str, str, Span], ...
    ] = ()  # date stamps of the frontmatter: key, value as written, its span
    inlines: Inlines = field(default_factory=Inlines, repr=False, compare=False)  # what its blocks read as

    def segment(self, number: int) -> Segment:
        """The segment `number` (1-based; 0 is the frontmatter's date stamps). Raises IndexError when there is none."""
        if number == 0 and self.dates:
            return self._frontmatter
        if number < 1:
            raise IndexError(number)
        return self.segments[number - 1]

    @cached_property
    def _frontmatter(self) -> Segment:
        span = Span(self.dates[0][2].start, self.dates[-1][2].end)
        text = " ".join(span.of(self.text).split())
        return Segment(0, SegmentKind.FRONTMATTER, span, text, "", array("I"), 0, 0, span.end)

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """The keys of each segment's words."""
        return tuple(keys_of(segment.plain.lower()) for segment in self.segments)

    @cached_property
    def _line_starts(self) -> list[int]:
        return line_starts(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column of the character at `offset`."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def reach(self, span: Span) -> Span:
        """A segment's span up to where its marker goes, which for a heading is behind its closing marks."""
        index = bisect_right(self.segments, span.start, key=lambda segment: segment.span.start) - 1
        segment = self.segments[index]
        return (
            Span(span.start, max(span.end, segment.insertion))
            if segment.kind is SegmentKind.HEADING
            else span
        )

    def section_path(self, index: int) -> list[Section]:
        """The section and those above it, outermost first; the root is left out."""
        path = []
        at: int | None = index
        while at:
            path.append(self.sections[at])
            at = self.sections[at].parent
        return path[::-1]

    def block_segments(self, segment: Segment) -> list[Segment]:
        """The segments of the paragraph, list item or table that `segment` belongs to, in order."""
        low = high = segment.number - 1
        while low > 0 and self.segments[low - 1].block == segment.block:
            low -= 1
        while high + 1 < len(self.segments) and self.segments[high + 1].block == segment.block:
            high += 1
        return list(self.segments[low : high + 1])


def line_starts(text: str) -> list[int]:
    """Offsets at which the lines of `text` start; LF, CRLF and CR end a line, nothing else does."""
    ends = _LINE_END if "\r" in text else _LINE_FEED
    return [0, *[match.end() for match in ends.finditer(text)]]
