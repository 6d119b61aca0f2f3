"""Code fences by the format's line rule (FORMAT section 4), which is not CommonMark's: hash and markers depend on it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

# Possessive quantifiers: a line of a hundred thousand "> > >" must cost one pass.
_FENCE_LINE = re.compile(r"(?: {0,3}+> ?+)*+ {0,3}+(`{3,}+|~{3,}+)[^\r\n]*")
_RUN = re.compile(r"```|~~~")
_BACKTICKS = re.compile(r"```")  # found at the speed of `find`
_REST_OF_LINE = re.compile(r"[^\r\n]*")


class Fences(NamedTuple):
    """The fences of a text as half-open spans [start, end) of characters, delimiter lines included, in order."""

    spans: list[tuple[int, int]]
    unclosed: int | None  # offset of the line that opens a fence nobody closes
    starts: list[int]  # of the spans, to search in

    def holds(self, offset: int) -> bool:
        """Whether the character at `offset` is inside a fence."""
        index = bisect_right(self.starts, offset) - 1
        return index >= 0 and offset < self.spans[index][1]


def find_fences(text: str, start: int = 0) -> Fences:
    """Find the fences of `text` from the line at `start` on. LF, CRLF and CR end lines, nothing else does."""
    spans: list[tuple[int, int]] = []
    opener, opened = "", start
    for line in _fence_lines(text, start):
        run = line[1]
        if not opener:
            opener, opened = run, line.start()
        elif run[0] == opener[0] and len(run) >= len(opener):
            spans.append((opened, line.end()))
            opener = ""
    unclosed = opened if opener else None
    if unclosed is not None:
        spans.append((unclosed, len(text)))
    return Fences(spans, unclosed, [span[0] for span in spans])


def _fence_lines(text: str, start: int) -> Iterator[re.Match[str]]:
    """The lines that begin with a run of fence characters; lines without such a run are passed over unread."""
    runs, at = _RUN if "~~~" in text else _BACKTICKS, start
    while (run := runs.search(text, at)) is not None:
        begin = max(text.rfind("\n", at, run.start()), text.rfind("\r", at, run.start()), at - 1) + 1
        line = _FENCE_LINE.match(text, begin)
        if line is not None:
            yield line
        rest = _REST_OF_LINE.match(text, run.end())
        at = rest.end() if rest is not None else len(text)


def line_of(text: str, offset: int) -> int:
    """Return the 1-based line that holds the character at `offset`."""
    return 1 + text.count("\n", 0, offset) + text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
