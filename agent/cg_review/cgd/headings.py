"""Headings as the format finds them: `#` lines outside fences and HTML comments (FORMAT sections 4 and 5)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from cg_review.cgd.layout import Layout

# Both begin with what is rare, so that a search runs at the speed of `find`; what stands before is looked at afterwards.
_HEADING = re.compile(r"#(#{0,5})(?=[ \t\r\n]|\Z)([^\r\n]*)")
_COMMENT = re.compile(r"<!--")


class Heading(NamedTuple):
    """A heading: `level` 1 to 6, its title without hashes, and its line as characters [start, end)."""

    level: int
    title: str
    start: int
    end: int


def find_headings(layout: Layout, end: int | None = None) -> list[Heading]:
    """Return the headings of the body, in order, up to `end` (an offset; the end marker where it is not given)."""
    stop = layout.body.end if end is None else end
    comments = comment_spans(layout, stop)
    starts = [span[0] for span in comments]
    found = []
    for line in _HEADING.finditer(layout.text, layout.body.start, stop):
        start = _opens_line(layout.text, line.start())
        if start is None or layout.fences.holds(start):
            continue
        inside = bisect_right(starts, start) - 1
        if inside < 0 or start >= comments[inside][1]:
            found.append(Heading(1 + len(line[1]), _title(line[2]), start, line.end()))
    return found


def _opens_line(text: str, offset: int) -> int | None:
    """Return where the line starts that `offset` opens, 0 to 3 spaces aside; None where more stands before it."""
    start = offset
    while start and text[start - 1] == " " and offset - start < 4:
        start -= 1
    at_line_start = start == 0 or text[start - 1] in "\r\n\ufeff"
    return start if at_line_start and offset - start < 4 else None


def comment_spans(layout: Layout, stop: int) -> list[tuple[int, int]]:
    """Return the HTML comments that start a line of the body, outside fences; an unclosed one runs to `stop`."""
    spans: list[tuple[int, int]] = []
    position = layout.body.start
    while opening := _COMMENT.search(layout.text, position, stop):
        position = opening.end()
        start = _opens_line(layout.text, opening.start())
        if start is not None and not layout.fences.holds(start):
            close = layout.text.find("-->", opening.end(), stop)
            position = stop if close < 0 else close + 3
            spans.append((start, position))
    return spans


def section_end(headings: list[Heading], heading: Heading, body_end: int) -> int:
    """Return where the section under `heading` ends: at the next heading of its level or above."""
    following = (
        other.start for other in headings if other.start > heading.start and other.level <= heading.level
    )
    return next(following, body_end)


def normalised(title: str) -> str:
    """Return a title with its white space collapsed."""
    return " ".join(title.split())


def _title(text: str) -> str:
    """The heading's text: trimmed, without a closing run of hashes (CommonMark 4.2)."""
    title = text.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if bare != title and (not bare or bare[-1] in " \t") else title
