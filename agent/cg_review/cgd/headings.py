"""Headings as the format finds them: `#` lines outside fences and HTML comments (FORMAT sections 4 and 5)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from cg_review.cgd.layout import Layout

_HEADING = re.compile(r"(?<![^\r\n]) {0,3}(#{1,6})(?=[ \t\r\n]|\Z)([^\r\n]*)")
_COMMENT_LINE = re.compile(r"(?<![^\r\n]) {0,3}<!--")


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
        inside = bisect_right(starts, line.start()) - 1
        hidden = inside >= 0 and line.start() < comments[inside][1]
        if not hidden and not layout.fences.holds(line.start()):
            found.append(Heading(len(line[1]), _title(line[2]), line.start(), line.end()))
    return found


def comment_spans(layout: Layout, stop: int) -> list[tuple[int, int]]:
    """Return the HTML comments that start a line of the body, outside fences; an unclosed one runs to `stop`."""
    spans: list[tuple[int, int]] = []
    position = layout.body.start
    while line := _COMMENT_LINE.search(layout.text, position, stop):
        position = line.end()
        if not layout.fences.holds(line.start()):
            close = layout.text.find("-->", line.end(), stop)
            position = stop if close < 0 else close + 3
            spans.append((line.start(), position))
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
