"""Point 5: a total that is told beside a table, against what the table adds up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, near
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.quantities import MONEY, Quantity
from cg_review.reviewers.embedded.sides import derived
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.telling import value_like
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem, words_of

_CLOSE = Decimal("1.4")
"""A told total and a table's that are further apart than this are totals of different things."""
_TOGETHER = regex.compile(r"\btogether with\b[^.;]*\b(?:cover|come|make|pay|meet|give|add)\w*\b")
_PART_OF = regex.compile(
    r"\b(?:of which|of this|of that|of it|without|excluding|before|except|per|each|every)\b"
)


def wrong_totals_told(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "In all the night cost us €4,830" under a table that adds up to €4,430."""
    by_section: dict[int, list[Grid]] = defaultdict(list)
    for grid in ledger.grids.all:
        by_section[grid.section].append(grid)
    cue = one_of(point.words["told_totals"])
    for reading in ledger.statements if by_section else ():
        grids = by_section.get(reading.segment.section) or (
            ledger.grids.all if len(ledger.grids.all) == 1 else []
        )
        for told, written in _told(reading, ledger, cue) if grids else ():
            finding = _against(reading, told, written, grids[:4], ledger)
            if finding:
                yield finding
                break


def _told(reading: Reading, ledger: Ledger, cue: regex.Pattern[str]) -> Iterator[tuple[Quantity, str]]:
    """The totals that a sentence tells: a figure beside a total's word, and two figures that together make one."""
    quantities = [
        q
        for q in ledger.quantities[reading.segment.number]
        if q.dimension in MONEY | {"energy", "mass", "time"}
    ]
    if (
        len(quantities) == 2
        and quantities[0].dimension == quantities[1].dimension
        and _TOGETHER.search(reading.lower)
    ):
        whole = quantities[0].value + quantities[1].value
        written = reading.segment.plain[quantities[0].start : quantities[1].end].strip()
        yield Quantity(quantities[0].start, quantities[1].end, whole, quantities[0].dimension), written
        return
    told = [c for c in ledger.counts_of(reading) if c.value > 20]
    if not quantities and len(told) == 1 and cue.search(reading.lower) and not _PART_OF.search(reading.lower):
        yield told[0].quantity, told[0].written
    for quantity in quantities:
        clause = clause_around(reading.lower, quantity.start)
        if (
            len(quantities) == 1
            and cue.search(clause)
            and not _PART_OF.search(clause)
            and not ledger.is_open(reading, (quantity.start, quantity.end))
        ):
            yield quantity, reading.segment.plain[quantity.start : quantity.end].strip()


def _against(
    reading: Reading, told: Quantity, written: str, grids: list[Grid], ledger: Ledger
) -> RawFinding | None:
    wholes = [(grid, value) for grid in grids for value in _wholes(grid, told)]
    if not wholes or any(
        near(told.value, value, Decimal("0.0005")) for value in _derived(wholes, grids, reading, ledger)
    ):
        return None
    words = {stem(word) for word in words_of(reading.lower)}
    for grid, value in wholes:
        of_money = told.dimension in MONEY
        named = bool({stem(w) for cell in grid.table.header for w in words_of(cell.plain)} & words)
        if value and max(value, told.value) < _CLOSE * min(value, told.value) and (of_money or named):
            at = grid.table.row_segments[grid.total] if grid.total is not None else grid.table.segment
            reason = f'"{written}" in all; the table comes to {value_like(written, told, value)}'
            is_sum = value in {sum((f.value for f in figures), Decimal(0)) for _, figures in grid.columns()}
            in_units = told.number_or_value == told.value
            fix = with_number(reading, told, value) if is_sum and in_units else ""
            return derived(reading, at, reason, 0.7, fix)
    return None


def _wholes(grid: Grid, told: Quantity) -> Iterator[Decimal]:
    """What the columns of a grid come to: their total row, or their sum where it has none."""
    if grid.total is not None:
        found = [cell for cell in grid.cells[grid.total] if cell is not None]
        yield from (cell.value for cell in found if cell.dimension in (told.dimension, ""))
        return
    for _, figures in grid.columns():
        if len(figures) >= 2 and all(f.dimension in (told.dimension, "") for f in figures):
            yield sum((f.value for f in figures), Decimal(0))


def _derived(
    wholes: list[tuple[Grid, Decimal]], grids: list[Grid], reading: Reading, ledger: Ledger
) -> Iterator[Decimal]:
    """Every figure that a told total could be: the cells, the wholes, their sums, differences and multiples."""
    values = [value for _, value in wholes][:8]
    yield from (cell.value for grid in grids for cell in grid.values())
    times = [q.number for q in ledger.quantities[reading.segment.number] if q.dimension in ("", "time")]
    counts = [Decimal(1), *(n for n in times if n < 1000)][:6]
    for one in values:
        yield from (one * 1000, one / 1000)
        for count in counts:
            yield one * count
            for two in values:
                yield from (two + one * count, abs(two - one * count))
