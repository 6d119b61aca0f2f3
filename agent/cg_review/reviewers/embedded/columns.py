"""Point 5 on tables: a column that is made of others ("rate" of "passed" and "run"), and the row in which it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import permutations

from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.grids import Grid, near
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.table_totals import Sums

_WIDEST = 8
_EXACT = Decimal("0.006")
_MADE: dict[str, Callable[[Decimal, Decimal], Decimal | None]] = {
    "×": lambda a, b: a * b,
    "−": lambda a, b: a - b,
    "as a share of": lambda a, b: 100 * a / b if b else None,
    "as a change from": lambda a, b: 100 * abs(a - b) / b if b else None,
}
_IN_PERCENT = frozenset({"as a share of", "as a change from"})


def wrong_derived_cells(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A row that alone breaks what the other rows show of three columns."""
    for grid in ledger.grids.all:
        if grid.table.index >= 0 and len(grid.cells) >= 2 and len(grid.table.header) <= _WIDEST:
            odd = _odd_row(grid)
            if odd and not Sums.of(grid.table, point, ledger).told_of(odd[0]):
                yield _finding(grid, *odd)


def _odd_row(grid: Grid) -> tuple[int, tuple[int, int, int], str] | None:
    """The one row in which a column is not what two others make of it elsewhere, these columns, and how they make it."""
    columns = [
        c for c in range(1, len(grid.table.header)) if sum(row[c] is not None for row in grid.cells) >= 2
    ]
    rows = [(at, row) for at, row in enumerate(grid.cells) if at != grid.total]
    for one, two, made in permutations(columns, 3):
        for sign, make in _MADE.items():
            right, wrong = 0, []
            for at, row in rows:
                verdict = _holds(row[one], row[two], row[made], sign, make)
                right += verdict is True and not _is_trivial(row[one], row[two], sign)
                wrong += [at] if verdict is False else []
            enough = right >= 2 or (right >= 1 and sign == "as a share of")
            if len(wrong) == 1 and enough:
                return wrong[0], (one, two, made), sign
    return None


def _is_trivial(a: Quantity | None, b: Quantity | None, sign: str) -> bool:
    """Whether a row shows nothing: a product of one and whatever, as marks from 1 to 5 often happen to make, or a share or a
    change of two that are the same, which is so both ways round."""
    if sign in _IN_PERCENT:
        return a is not None and b is not None and a.value == b.value
    return sign == "×" and any(q is not None and q.value == 1 for q in (a, b))


def _holds(
    a: Quantity | None,
    b: Quantity | None,
    c: Quantity | None,
    sign: str,
    make: Callable[[Decimal, Decimal], Decimal | None],
) -> bool | None:
    if (
        not a
        or not b
        or not c
        or not b.value
        or not a.value
        or (c.dimension == "share") != (sign in _IN_PERCENT)
    ):
        return None
    if "share" in (a.dimension, b.dimension) or (sign != "×" and a.dimension != b.dimension):
        return None
    value = make(a.value, b.value)
    if value is None or near(c.value, value, _EXACT):
        return None if value is None else True
    return None if sign == "as a change from" and _is_of_rounded(c.value, a, b) else False


def _is_of_rounded(change: Decimal, a: Quantity, b: Quantity) -> bool:
    """Whether a change can be of the figures that `a` and `b` are rounded from: "5%" beside 1.2 and 1.3."""
    (least, most), (low, high) = _range(a), _range(b)
    changes = [100 * (one / two - 1) for one, two in ((least, high), (most, low)) if two > 0]
    return len(changes) < 2 or any(changes[0] <= told <= changes[1] for told in (change, -change))


def _range(quantity: Quantity) -> tuple[Decimal, Decimal]:
    """What a figure can have been before it was rounded."""
    written = quantity.number_or_value
    half = Decimal(5).scaleb(int(written.as_tuple().exponent) - 1) * quantity.value / written
    return quantity.value - half, quantity.value + half


def _finding(grid: Grid, at: int, columns: tuple[int, int, int], sign: str) -> RawFinding:
    one, two, made = columns
    table, row = grid.table, grid.table.rows[at]
    label, cell = row[0].plain.strip("* "), row[made].plain.strip("* ")
    rule = f'"{grid.header(one)}" {sign} "{grid.header(two)}"'
    return RawFinding(
        point=5,
        segment=table.row_segments[at],
        reason=f'"{cell}" for "{label}" is not {rule}, as it is in the other rows',
        confidence=0.75,
        related=(Quote(segment=table.segment, quote=""),),
    )


def wrong_weighted_totals(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A "weighted total" that the weights and scores above it do not make."""
    for grid in ledger.grids.all:
        last = len(grid.cells) - 1
        weights = [c for c in range(1, len(grid.table.header)) if "weight" in lower(grid.header(c))]
        if last < 2 or len(weights) != 1 or "weighted" not in lower(grid.table.rows[last][0].plain):
            continue
        for column in range(1, len(grid.table.header)):
            told = grid.cells[last][column]
            parts = [(row[weights[0]], row[column]) for row in grid.cells[:last]]
            known = [(w.value, v.value) for w, v in parts if w and v]
            if column == weights[0] or told is None or len(known) != last:
                continue
            made, whole = sum((w * v for w, v in known), Decimal(0)), sum((w for w, _ in known), Decimal(0))
            if whole and not any(
                near(told.value, value, Decimal("0.012")) for value in (made, made / whole, made / 100)
            ):
                yield _weighted(grid, last, column, made if told.value > made / whole * 2 else made / whole)
                break


def _weighted(grid: Grid, at: int, column: int, made: Decimal) -> RawFinding:
    written = grid.table.rows[at][column].plain.strip("* ")
    return RawFinding(
        point=5,
        segment=grid.table.row_segments[at],
        reason=f'"{written}" under "{grid.header(column)}"; the weights and figures above it make {made:,.4g}',
        confidence=0.75,
        related=(Quote(segment=grid.table.segment, quote=""),),
    )
