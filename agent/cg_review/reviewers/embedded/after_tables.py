"""Point 5: a figure that is concluded right behind a table, where the table makes another: "together the two come to"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, near, pairs
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, Quantity
from cg_review.reviewers.embedded.shares import Share, bound_of
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted, value_like
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stems, words_of

_CONCLUDES = regex.compile(
    r"^(?:that|this|which) (?:makes|is|comes to|gives|adds up to)\b|\b(?:together|thus|therefore|in all|altogether|all told)\b"
)
_LEAVES = regex.compile(r"\bleaves\b")
_LEFT = regex.compile(
    r"\b(?:in (?:the bank|hand|the account|the cash box|the till|the kitty)|left over|is left|was left|carried forward|carry forward)\b"
)
_REMAINS = regex.compile(r"\b(?:left|balance|remain\w*|carried|surplus|closing|in hand)\b")
_ROUGH = regex.compile(
    r"\b(?:about|around|roughly|some|almost|nearly|good|over|under|just|more than|less than|little)\b|~"
)
_PER = regex.compile(
    r"\b(?:per|each|every|an? (?:hour|day|week|month|year|head|piece)|more|less|only|other|another)\b"
)
_OF_ALL = regex.compile(
    r" of (?:the |our |its |all |this )?(?:\w+ )?(?:sum|total|whole|budget|costs?|money|money spent|all)\b"
)
_NEAR = 4
"""How many segments behind a table a conclusion from it can stand."""
_CLOSE = Decimal("1.4")
_MOST = 12
"""Rows of a table of which every two are added up."""


def wrong_conclusions_from_tables(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Together the two years come to £48,600", "that makes twelve posts", "that leaves £11,350 to find"."""
    ends = {grid.table.row_segments[-1]: grid for grid in ledger.grids.all if grid.table.row_segments}
    for reading in ledger.statements if ends else ():
        grid = _before(reading, ends)
        quantities = ledger.quantities[reading.segment.number]
        if grid is None or ledger.is_open(reading, (0, 1)):
            continue
        told = ledger.shares_of(reading)
        if len(told) == 1 and _CONCLUDES.search(reading.lower):
            finding = _wrong_share(reading, told[0], grid, point)
            if finding:
                yield finding
            continue
        quantities = tuple(q for q in quantities if q.dimension != "time")
        if told or not 1 <= len(quantities) <= 2:
            continue
        if _LEAVES.search(reading.lower) and len(quantities) == 2:
            finding = _wrong_rest(reading, quantities, grid)
        elif _LEFT.search(reading.lower) and len(quantities) == 1:
            finding = _wrong_balance(reading, quantities[0], grid)
        elif _CONCLUDES.search(reading.lower) and len(quantities) == 1 and not _PER.search(reading.lower):
            finding = _wrong_sum(reading, quantities[0], grid)
        else:
            finding = None
        if finding:
            yield finding


def _before(reading: Reading, ends: dict[int, Grid]) -> Grid | None:
    """The grid that ends right before a sentence of its section."""
    number = reading.segment.number
    if reading.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
        return None
    for back in range(1, _NEAR + 1):
        grid = ends.get(number - back)
        if grid:
            return grid if grid.section == reading.segment.section else None
    return None


def _wrong_share(reading: Reading, told: Share, grid: Grid, point: Point) -> RawFinding | None:
    """A change, or a share of a total, that none of the rows makes (where a row is named: that this one doesn't make)."""
    around = reading.lower[max(0, told.start - 36) : told.end + 16]
    is_change = bool(one_of((*point.words["moved"], "less", "more", "fewer")).search(around))
    named = [at for at, label in enumerate(_labels(grid)) if label & reading.stems and at != grid.total]
    rows = named if len(named) == 1 else [at for at in range(len(grid.cells)) if at != grid.total]
    real = [r for at in rows for r in (_changes(grid, at) if is_change else _parts(grid, at))]
    if is_change and grid.is_told_by_row:
        columns = [[row[c] for row in grid.cells] for c in range(1, len(grid.table.header))]
        real += [r for column in columns for one, two in pairs(column) for r in _of(one, two)]
    bound = bound_of(reading.lower, told.start)
    fits = any(told.fits(r) or told.holds(r, bound) or told.fits(100 - r) for r in real)
    if not real or fits or (not is_change and not _OF_ALL.match(reading.lower, told.end)):
        return None
    if not any(r and max(told.value, r) < 4 * min(told.value, r) for r in real):
        return None
    shown = ", ".join(f"{r:.0f}%" for r in real[:3])
    written = reading.segment.plain[told.start : told.end].strip()
    return two_sided(reading, grid.table.segment, f'"{written}" here; the table before it makes {shown}', 0.7)


def _labels(grid: Grid) -> list[set[str]]:
    return [stems(words_of(lower(row[0].plain))) for row in grid.table.rows]


def _changes(grid: Grid, at: int) -> Iterator[Decimal]:
    """What a row's figures over time can be said to have changed by, in percent."""
    for one, two in pairs(grid.cells[at]) if grid.is_over_time else ():
        yield from _of(one, two)


def _of(one: Decimal, two: Decimal) -> Iterator[Decimal]:
    low, high = sorted((one, two))
    if low > 0:
        yield from (100 * (high - low) / high, 100 * (high - low) / low, 100 * low / high)


def _parts(grid: Grid, at: int) -> Iterator[Decimal]:
    """What part of its columns' totals a row has, in percent."""
    for column in range(1, len(grid.table.header)):
        cell = grid.cells[at][column]
        total = grid.cells[grid.total][column] if grid.total is not None else None
        if cell and total and total.value:
            yield 100 * cell.value / total.value


def _wrong_rest(reading: Reading, quantities: tuple[Quantity, ...], grid: Grid) -> RawFinding | None:
    """What is left of the table's total without the sentence's first figure."""
    own, told = quantities
    wholes = [value for value in _wholes(grid, told) if value > own.value]
    if own.dimension != told.dimension or own.dimension not in MONEY or len(set(wholes)) != 1:
        return None
    left = wholes[0] - own.value
    if near(told.value, left, Decimal("0.01")) or not _are_close(told.value, left):
        return None
    whole, rest = (value_like(quoted(reading, told), told, value) for value in (wholes[0], left))
    return _against(reading, told, grid, f"{whole} without {quoted(reading, own)} is {rest}")


def _wrong_balance(reading: Reading, told: Quantity, grid: Grid) -> RawFinding | None:
    """What the table's last row says is left."""
    label = lower(grid.table.rows[-1][0].plain)
    cells = [cell for cell in grid.cells[-1] if cell is not None]
    if not _REMAINS.search(label) or not cells or told.dimension not in (cells[0].dimension, ""):
        return None
    slack = Decimal("0.06") if _ROUGH.search(reading.lower) else Decimal("0.005")
    if told.value < 100 or any(near(told.value, cell.value, slack) for cell in cells):
        return None
    return _against(
        reading, told, grid, f"it has {cells[-1].written} for {grid.table.rows[-1][0].plain.strip('* ')!r}"
    )


def _wrong_sum(reading: Reading, told: Quantity, grid: Grid) -> RawFinding | None:
    """What the columns, the rows or some of them add up to."""
    if told.dimension in ("share", "time") or told.value < 3:
        return None
    wholes = list(_wholes(grid, told))
    slack = Decimal("0.06") if _ROUGH.search(reading.lower) else Decimal("0.004")
    fits = any(near(told.value, value, slack) for value in (*wholes, *_other_sums(grid)))
    if fits or not any(_are_close(told.value, whole) for whole in wholes):
        return None
    shown = " or ".join(value_like(quoted(reading, told), told, whole) for whole in wholes[:3])
    return _against(reading, told, grid, f"it makes {shown}")


def _wholes(grid: Grid, told: Quantity) -> Iterator[Decimal]:
    """The totals of the columns of the figure's kind, and what they make together."""
    if grid.total is not None:
        found = [c.value for c in grid.cells[grid.total] if c and c.dimension in (told.dimension, "")]
    else:
        found = [
            sum((f.value for f in figures), Decimal(0))
            for _, figures in grid.columns()
            if len(figures) >= 2 and all(f.dimension == told.dimension for f in figures)
        ]
    yield from found
    if len(found) == 2:
        yield sum(found, Decimal(0))


def _other_sums(grid: Grid) -> Iterator[Decimal]:
    """Whatever else could be meant: cells, the number of rows, sums and differences of two, sums of all but one."""
    yield Decimal(len(grid.cells))
    yield Decimal(len(grid.cells) - 1)
    yield from (cell.value for cell in grid.values())
    for line in (*grid.cells, *zip(*grid.cells, strict=True)):
        known = [cell.value for cell in line if cell is not None]
        yield sum(known, Decimal(0))
        if len(known) <= _MOST:
            yield from (sum(known, Decimal(0)) - value for value in known)
            for one, two in combinations(known, 2):
                yield from (one + two, abs(one - two), one * two)


def _are_close(one: Decimal, two: Decimal) -> bool:
    return bool(one and two) and max(one, two) < _CLOSE * min(one, two)


def _against(reading: Reading, told: Quantity, grid: Grid, shown: str) -> RawFinding:
    reason = f'"{quoted(reading, told)}" here; by the table before it, {shown}'
    return two_sided(reading, grid.table.segment, reason, 0.7)
