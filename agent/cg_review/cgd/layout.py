"""The one place where a document is taken apart: BOM, frontmatter, body, end marker, status line (FORMAT section 1).

Works for any text. Every offset counts characters of the text as read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cg_review.cgd.fences import Fences, find_fences

END_MARKER = "<!-- CLARITY_GATE_END -->"
BOM = "\ufeff"

_DELIMITER = re.compile(r"---[^\S\r\n]*+(?=[\r\n]|\Z)")
_DELIMITER_LINE = re.compile(r"(?<![^\r\n])" + _DELIMITER.pattern)
_LINE_ENDING = re.compile(r"\r\n|\r|\n")


class Span(NamedTuple):
    """Characters [start, end)."""

    start: int
    end: int


class Layout(NamedTuple):
    """Where the parts of a text are; a part that is missing is None.

    `frontmatter` is the YAML between the delimiter lines; `opening` and `closing` are those lines without their
    endings. `body` runs from the line after the closing delimiter (from behind the BOM where there is no
    frontmatter) to the end marker, or to the end of the text.
    """

    text: str
    bom: bool
    opening: Span | None
    frontmatter: Span | None
    closing: Span | None
    body: Span
    markers: tuple[int, ...]  # end markers in the body, outside fences
    frontmatter_markers: tuple[int, ...]
    fences: Fences

    @property
    def end_marker(self) -> Span | None:
        """The first end marker in the body outside a fence."""
        return Span(self.markers[0], self.markers[0] + len(END_MARKER)) if self.markers else None

    @property
    def newline(self) -> str:
        """The line ending of the first line: "\\n", "\\r\\n" or "\\r"; "\\n" where the text has one line."""
        found = _LINE_ENDING.search(self.text)
        return found[0] if found else "\n"

    @property
    def status_line(self) -> Span | None:
        """The line right after the end marker's line, or None where the text ends before."""
        if self.end_marker is None:
            return None
        ending = _LINE_ENDING.search(self.text, self.end_marker.end)
        return Span(ending.end(), line_end(self.text, ending.end())) if ending else None

    @property
    def body_text(self) -> str:
        """The body, as read."""
        return self.text[self.body.start : self.body.end]


def take_apart(text: str, has_frontmatter: bool = True) -> Layout:
    """Find the parts of `text`; without `has_frontmatter`, a `---` line at its start is a horizontal rule."""
    first = len(BOM) if text.startswith(BOM) else 0
    opening, frontmatter, closing = _delimiters(text, first) if has_frontmatter else (None, None, None)
    start = first if closing is None else next_line(text, closing.end)
    fences = find_fences(text, start)
    markers = tuple(offset for offset in _occurrences(text, start, len(text)) if not fences.holds(offset))
    return Layout(
        text=text,
        bom=bool(first),
        opening=opening,
        frontmatter=frontmatter,
        closing=closing,
        body=Span(start, markers[0] if markers else len(text)),
        markers=markers,
        frontmatter_markers=tuple(_occurrences(text, *frontmatter)) if frontmatter else (),
        fences=fences,
    )


def _delimiters(text: str, first: int) -> tuple[Span | None, Span | None, Span | None]:
    found = _DELIMITER.match(text, first)
    if found is None:
        return None, None, None
    opening = Span(*found.span())
    content = next_line(text, opening.end)
    closing = _DELIMITER_LINE.search(text, content) if content > opening.end else None
    if closing is None:
        return opening, None, None
    return opening, Span(content, closing.start()), Span(*closing.span())


def _occurrences(text: str, start: int, end: int) -> list[int]:
    found = []
    offset = text.find(END_MARKER, start, end)
    while offset >= 0:
        found.append(offset)
        offset = text.find(END_MARKER, offset + len(END_MARKER), end)
    return found


def line_end(text: str, offset: int) -> int:
    """Return where the line that holds `offset` ends, before its line ending."""
    found = _LINE_ENDING.search(text, offset)
    return found.start() if found else len(text)


def next_line(text: str, offset: int) -> int:
    """Return where the line after the one that holds `offset` starts, or the length of the text."""
    found = _LINE_ENDING.search(text, offset)
    return found.end() if found else len(text)


def line_start(text: str, offset: int, floor: int = 0) -> int:
    """Return where the line that holds `offset` starts; nothing before `floor`, a line border, is looked at."""
    newline = text.rfind("\n", floor, offset)
    return max(newline, text.rfind("\r", max(newline, floor), offset), floor - 1) + 1
