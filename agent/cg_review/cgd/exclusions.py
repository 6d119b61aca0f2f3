"""Exclusion blocks: where they are, what is wrong with them, how much of the body they cover (FORMAT sections 6 and 7)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from cg_review.cgd.hashing import canonicalise
from cg_review.cgd.layout import Layout, line_end, line_start, next_line

EXCLUSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOKS_LIKE = re.compile(r"<!--[^\S\r\n]*+(?i:CG[-_ ]?EXCLUSION)(?![A-Za-z0-9])")
# A whole line: block-quote prefixes, the marker, nothing else.
_MARKER = r"(?: {0,3}+> ?+)*+[ \t]*+<!-- CG-EXCLUSION:(BEGIN|END) id=([A-Za-z0-9][A-Za-z0-9._-]{0,63}) -->\s*"
_ID = r"\bid=([^\s>]{1,64})"


class Marker(NamedTuple):
    """A line that begins or ends a block; `start` is the offset of its `<!--`."""

    begins: bool
    id: str
    start: int
    line: tuple[int, int]  # the whole line [start, end), its ending included


class Block(NamedTuple):
    """A well-formed, outermost block: the characters from its BEGIN line through its END line, endings included."""

    id: str
    begin: Marker
    end: Marker

    @property
    def span(self) -> tuple[int, int]:
        """Characters [start, end)."""
        return self.begin.line[0], self.end.line[1]

    @property
    def content(self) -> tuple[int, int]:
        """Characters [start, end) between the two marker lines."""
        return self.begin.line[1], self.end.line[0]


class ExclusionProblem(NamedTuple):
    """A fault in the blocks' structure, under its code (E-EX00 to E-EX04)."""

    code: str
    message: str
    offset: int


class Exclusions(NamedTuple):
    """What the body says about exclusions. `ids` are those of well-formed BEGIN lines, in order, each with its place."""

    blocks: tuple[Block, ...]
    ids: dict[str, int]
    problems: tuple[ExclusionProblem, ...]
    malformed_ids: frozenset[str]
    has_markers: bool

    def holds(self, offset: int) -> bool:
        """Whether the character at `offset` stands in a block."""
        index = bisect_right(self.blocks, offset, key=lambda block: block.span[0]) - 1
        return index >= 0 and offset < self.blocks[index].span[1]


def find_exclusions(layout: Layout) -> Exclusions:
    """Find the exclusion blocks of the body, outside fences."""
    markers: list[Marker] = []
    problems: list[ExclusionProblem] = []
    malformed: set[str] = set()
    position = layout.body.start
    while found := _LOOKS_LIKE.search(layout.text, position, layout.body.end):
        start, end = line_start(layout.text, found.start(), position), line_end(layout.text, found.start())
        position = end
        if layout.fences.holds(found.start()):
            continue
        marker = _marker(layout.text, start, min(end, layout.body.end), found.start())
        if marker:
            markers.append(marker)
            continue
        malformed.update(re.findall(_ID, layout.text[start:end]))
        message = "a marker must stand alone on its line, as `<!-- CG-EXCLUSION:BEGIN id=NAME -->` or `…:END id=NAME -->`"
        problems.append(ExclusionProblem("E-EX00", message, found.start()))
    blocks, faults = _pair(markers, malformed)
    ids: dict[str, int] = {}
    for marker in markers:
        if marker.begins:
            ids.setdefault(marker.id, marker.start)
    return Exclusions(
        tuple(blocks), ids, tuple(problems + faults), frozenset(malformed), bool(markers or problems)
    )


def _marker(text: str, start: int, end: int, offset: int) -> Marker | None:
    found = re.compile(_MARKER).fullmatch(text, start, end)
    return Marker(found[1] == "BEGIN", found[2], offset, (start, next_line(text, start))) if found else None


class _Open:
    """The BEGIN markers that wait for their END, in order; every step costs the same, however many wait."""

    def __init__(self) -> None:
        self._waiting: dict[int, Marker] = {}
        self._by_id: dict[str, list[int]] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, marker: Marker) -> None:
        self._waiting[self._count] = marker
        self._by_id.setdefault(marker.id, []).append(self._count)
        self._count += 1

    def last(self) -> Marker:
        return self._waiting[next(reversed(self._waiting))]

    def take(self, id_: str) -> Marker | None:
        """Remove and return the last waiting BEGIN of that id."""
        numbers = self._by_id.get(id_)
        return self._waiting.pop(numbers.pop()) if numbers else None

    def rest(self) -> list[Marker]:
        return list(self._waiting.values())


def _pair(markers: list[Marker], malformed: set[str]) -> tuple[list[Block], list[ExclusionProblem]]:
    """Match END with BEGIN. One slip is one fault: a BEGIN whose END carries a wrong id is not also unclosed."""
    blocks: list[Block] = []
    problems: list[ExclusionProblem] = []
    opened, used, mismatched = _Open(), set[str](), 0
    for marker in markers:
        if marker.begins:
            problems += _begin_problems(marker, opened, used)
            used.add(marker.id)
            opened.push(marker)
            continue
        innermost = opened.last() if opened else None
        begin = opened.take(marker.id)
        if begin is None:
            mismatched += innermost is not None
            problems += _stray_end(marker, innermost, malformed)
        elif begin is not innermost and innermost is not None:
            problems.append(
                ExclusionProblem("E-EX03", f"`{marker.id}` ends while `{innermost.id}` is open", marker.start)
            )
        elif not opened:
            blocks.append(Block(begin.id, begin, marker))
    waiting = [begin for begin in opened.rest() if begin.id not in malformed]
    unclosed = waiting[: max(0, len(waiting) - mismatched)]
    problems += [
        ExclusionProblem("E-EX01", f"`{begin.id}` is never closed", begin.start) for begin in unclosed
    ]
    return blocks, problems


def _begin_problems(marker: Marker, opened: _Open, used: set[str]) -> list[ExclusionProblem]:
    problems = []
    if marker.id in used:
        problems.append(ExclusionProblem("E-EX04", f"the id `{marker.id}` is used twice", marker.start))
    if opened:
        problems.append(
            ExclusionProblem("E-EX02", f"`{marker.id}` begins inside `{opened.last().id}`", marker.start)
        )
    return problems


def _stray_end(marker: Marker, innermost: Marker | None, malformed: set[str]) -> list[ExclusionProblem]:
    if innermost is not None:
        return [
            ExclusionProblem("E-EX01", f"`{innermost.id}` is open, but END names `{marker.id}`", marker.start)
        ]
    if marker.id in malformed:  # its BEGIN is there, and reported as E-EX00
        return []
    return [ExclusionProblem("E-EX01", f"END of `{marker.id}`, which was never opened", marker.start)]


def coverage(layout: Layout, exclusions: Exclusions) -> float:
    """Return the share of the canonical body's UTF-8 bytes that stand in blocks, 0.0 to 1.0; 0.0 for an empty body."""
    body = canonicalise(layout.body_text)
    total = _bytes(body) if body.strip() else 0
    covered = sum(_bytes(canonicalise(layout.text[slice(*block.span)])) for block in exclusions.blocks)
    return min(1.0, covered / total) if total else 0.0


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
