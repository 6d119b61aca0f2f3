"""What of a document stands in one request: all of it, a run of sections, or the ledger of facts from everywhere.

A part numbers its segments from 1, so that an edit in one part leaves the text of the others, and with it their cached
answers, as they were. Cuts fall at section borders; a section that is too long alone is cut between blocks, a block
between segments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from cg_review.document import Document, Segment, SegmentKind

# What a reader of one part has to know from the others: terms, and words on what exists and what a notice covers.
_DEFINITION = re.compile(
    r"\b(?:means|refers to|stands for|is defined as|denotes|hereinafter|draft|proposal|not yet|planned|targets?)\b"
    r"|\([A-Z]{2,6}\)",
    re.IGNORECASE,
)
_FACT = re.compile(
    r"\d|\b(?:first|last|two|three|four|five|six|seven|eight|nine|ten|dozen|half|twice|all|none|every|no longer|not|"
    r"current(?:ly)?|latest|draft|planned|supported|deprecated|version|owner|deadline|quarter|today|now)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d[\d.,]*\s*([^\W\d_]{3,})")
NOWHERE = -1  # a segment that no document has; 0 is the frontmatter
_SMALLEST_TO_HALVE = 40  # segments
_CONTEXT_SHARE = 0.15  # of a part's room, for what is repeated from elsewhere


@dataclass(frozen=True)
class Part:
    """A numbered run of segments; the segment at `segments[0]` is shown as s1.

    `outline` and `context` repeat what stands elsewhere; `ledger` marks the part that gathers facts from everywhere.
    """

    document: Document
    segments: tuple[Segment, ...]
    number: int = 1
    of: int = 1
    outline: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    ledger: bool = False

    def document_number(self, local: int) -> int:
        """The document's number of what this part shows as `local`; NOWHERE when it shows no such segment."""
        return self.segments[local - 1].number if 1 <= local <= len(self.segments) else NOWHERE

    def local_number(self, number: int) -> int:
        """What this part calls the document's segment `number`; 0 when it does not show it."""
        return self._locals.get(number, 0)

    @cached_property
    def _locals(self) -> dict[int, int]:
        return {segment.number: local for local, segment in enumerate(self.segments, start=1)}


def cut(document: Document, room: int, size: Callable[[Segment], int]) -> tuple[Part, ...]:
    """Cut a document into parts of at most `room` tokens; `size` gives a segment's.

    A document that fits is one part. A single segment larger than `room` is a part of its own.
    """
    total = sum(map(size, document.segments))
    if total <= room:
        return (Part(document, document.segments),)
    outline = _outline(document)
    budget = max(room // 2, room - sum(len(line) // 3 for line in outline) - int(room * _CONTEXT_SHARE))
    runs = _pack(_units(document.segments, budget, size), budget, size)
    return tuple(
        Part(
            document,
            tuple(run),
            number,
            len(runs),
            outline,
            _context(document, run, int(room * _CONTEXT_SHARE), size),
        )
        for number, run in enumerate(runs, start=1)
    )


def halve(part: Part, room: int, size: Callable[[Segment], int]) -> tuple[Part, Part] | None:
    """Two parts in place of one whose answer was too long, cut at the section or block border nearest its middle.

    `room` is that of a whole part. None for the ledger, which compares places, and for a part too small to be why.
    """
    segments = part.segments
    if part.ledger or len(segments) < _SMALLEST_TO_HALVE:
        return None
    middle = len(segments) // 2

    def cost(at: int) -> tuple[bool, bool, int]:
        before, after = segments[at - 1], segments[at]
        far = abs(at - middle) > len(segments) // 4
        return far, before.block == after.block, abs(at - middle) + (before.section == after.section) * middle

    at = min(range(1, len(segments)), key=cost)
    outline = part.outline or _outline(part.document)
    first, second = (
        Part(
            part.document,
            half,
            2 * part.number - 1 + index,
            2 * part.of,
            outline,
            _context(part.document, half, int(room * _CONTEXT_SHARE), size),
        )
        for index, half in enumerate((segments[:at], segments[at:]))
    )
    return first, second


def ledger(document: Document, room: int, size: Callable[[Segment], int]) -> tuple[Part, ...]:
    """The sentences and rows that state facts, from all parts, for the points that compare places (5 and 8).

    Where even they are too long for one request they are gathered by what their first figure counts and cut then, so
    that statements about the same thing stay together.
    """
    facts = [segment for segment in document.segments if states_fact(segment)]
    if sum(map(size, facts)) > room:
        facts.sort(key=_counted)  # keeps the document's order within a subject
    runs = _pack([[fact] for fact in facts], room, size) or [[]]
    return tuple(
        Part(document, tuple(run), number, len(runs), ledger=True) for number, run in enumerate(runs, start=1)
    )


def states_fact(segment: Segment) -> bool:
    """Whether a segment carries a figure, a date, a version or a word on the state of things."""
    return segment.kind is SegmentKind.TABLE or _FACT.search(segment.plain) is not None


def _counted(segment: Segment) -> str:
    """The word after a segment's first figure: "gates" of "has 14 gates"."""
    match = _COUNTED.search(segment.plain)
    return match[1].lower().rstrip("s") if match else ""


def _units(
    segments: Sequence[Segment], room: int, size: Callable[[Segment], int]
) -> Iterable[Sequence[Segment]]:
    """The largest pieces that fit: sections, else blocks, else segments."""
    for _, section in groupby(segments, key=lambda segment: segment.section):
        in_section = list(section)
        if sum(map(size, in_section)) <= room:
            yield in_section
            continue
        for _, block in groupby(in_section, key=lambda segment: segment.block):
            in_block = list(block)
            if sum(map(size, in_block)) <= room:
                yield in_block
            else:
                yield from ([segment] for segment in in_block)


def _pack(
    units: Iterable[Sequence[Segment]], room: int, size: Callable[[Segment], int]
) -> list[list[Segment]]:
    """Fill parts with whole units, in order."""
    runs: list[list[Segment]] = []
    left = 0
    for unit in units:
        needed = sum(map(size, unit))
        if not runs or needed > left:
            runs.append([])
            left = room
        runs[-1] += unit
        left -= needed
    return runs


def _outline(document: Document) -> tuple[str, ...]:
    return tuple("  " * (section.level - 1) + section.title for section in document.sections[1:])


def _context(
    document: Document, run: Sequence[Segment], room: int, size: Callable[[Segment], int]
) -> tuple[str, ...]:
    """Lines from elsewhere: the header of a table that began before, footnotes referred to, definitions, the opening."""
    shown = {segment.number for segment in run}
    tables = [document.tables[s.table].segment for s in run if s.table is not None]
    notes = [n for s in run for label in s.footnotes for n in document.footnotes.get(label, ())]
    opening = [segment.number for segment in document.segments[:3]]
    defined = [s.number for s in document.segments if _DEFINITION.search(s.plain)]
    chosen: list[int] = []
    for number in dict.fromkeys([*tables, *notes, *opening, *defined]):
        needed = size(document.segment(number))
        if number in shown or needed > room:
            continue
        room -= needed
        chosen.append(number)
    return tuple(" ".join(document.segment(number).plain.split()) for number in sorted(chosen))
