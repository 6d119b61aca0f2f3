"""Point 5 on tables: a row of totals, and a column of them, against what they add up; and the one cell that breaks both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from cg_review.document import Table
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.grids import figure_of
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.swapping import place_of, with_cell
from cg_review.reviewers.embedded.telling import value_like
from cg_review.reviewers.embedded.words import words_of

_STEP = Decimal("0.011")
"""What rounding can put a sum off by, a part."""
_FEWEST = 3
_SLIGHT = 50
"""A row's total that is off by less than one part of so many is taken for one with something small left out."""


def wrong_totals(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A total that is not the sum of its column or its row; where one cell explains both, that cell."""
    for table in analysis.document.tables:
        sums = Sums.of(table, point, ledger)
        if sums.odd_cell:
            yield _odd_cell(sums, *sums.odd_cell, analysis)
            continue
        for column in list(sums.columns)[:1]:
            yield _wrong_column(sums, column, analysis)
        for row in sums.wrong_rows[:1]:
            yield _wrong_row(sums, row)


@dataclass(frozen=True, slots=True)
class Sums:
    """What a table's totals say against its parts. `rows` and `columns` give, for each whose total is off, by how much
    it is more than its parts; `total_row` and `total_column` are where the totals stand."""

    table: Table
    cells: tuple[tuple[Quantity | None, ...], ...]
    total_row: int | None
    total_column: int | None
    rows: dict[int, Decimal]
    columns: dict[int, Decimal]

    @classmethod
    def of(cls, table: Table, point: Point, ledger: Ledger) -> Sums:
        """The sums of a table, in base units."""
        width = len(table.header)
        cells = tuple(
            tuple(figure_of(row, column, ledger.decimal_comma) for column in range(width))
            for row in table.rows
        )
        row, (column, parts) = total_row(table, point), _total_column(table, point)
        rows: dict[int, Decimal] = {}
        if column is not None and len(parts) >= 2:
            rows = _gaps({at: [line[c] for c in (*parts, column)] for at, line in enumerate(cells)})
        if len(rows) == len(cells) >= _FEWEST:  # where none is a sum, it is a column of something else
            rows = {}
        columns: dict[int, Decimal] = {}
        if row is not None and row >= 2 and _is_of_sums(table.rows[row][0].plain):
            lines = {c: [line[c] for line in cells[: row + 1]] for c in range(1, width)}
            columns = _gaps({c: line for c, line in lines.items() if not _is_average(line)})
        return cls(table, cells, row, column, rows, columns)

    @property
    def wrong_rows(self) -> list[int]:
        """The rows whose total is clearly off."""
        return [at for at, gap in self.rows.items() if abs(gap) * _SLIGHT > abs(self._total_of(at))]

    def _total_of(self, row: int) -> Decimal:
        told = self.cells[row][self.total_column] if self.total_column is not None else None
        return told.value if told else Decimal(0)

    @property
    def odd_cell(self) -> tuple[int, int, Decimal] | None:
        """The row and the column of the one cell that puts off both, and by how much it is more than it should be."""
        if len(self.rows) != 1 or len(self.columns) != 1:
            return None
        (row, of_row), (column, of_column) = *self.rows.items(), *self.columns.items()
        in_row, in_column = (
            gap if is_total else -gap
            for gap, is_total in ((of_row, column == self.total_column), (of_column, row == self.total_row))
        )
        is_one = abs(in_row - in_column) <= _STEP * 2
        return (row, column, in_row) if is_one and self.cells[row][column] else None

    def told_of(self, row: int) -> bool:
        """Whether a finding of these totals is about a row."""
        return row in self.wrong_rows or (self.odd_cell is not None and self.odd_cell[0] == row)


def total_row(table: Table, point: Point) -> int | None:
    """The first row that is called a total."""
    for at, row in enumerate(table.rows):
        label = lower(row[0].plain).strip("* :") if row else ""
        if label and label.split()[0] in point.words["totals"]:
            return at
    return None


def _total_column(table: Table, point: Point) -> tuple[int | None, list[int]]:
    """The one column that is called a total, and the columns of its kind."""
    headers = [words_of(lower(cell.plain)) for cell in table.header]
    totals = [
        i
        for i, words in enumerate(headers)
        if words and words[0] in point.words["totals"] and words[0] != "weighted" and i > 0
    ]
    if len(totals) != 1:
        return None, []
    kind = set(headers[totals[0]][1:])
    parts = [i for i, words in enumerate(headers) if i and i != totals[0] and (not kind or kind & set(words))]
    return totals[0], parts


def _gaps(lines: dict[int, list[Quantity | None]]) -> dict[int, Decimal]:
    """By how much the last figure of each line is more than those before it; only where it is, or is less."""
    found = {}
    for at, line in lines.items():
        known = [quantity for quantity in line if quantity is not None and quantity.dimension != "share"]
        if len(known) == len(line) >= 3:
            *parts, total = (quantity.value for quantity in known)
            gap = total - sum(parts, Decimal(0))
            if abs(gap) > _STEP * len(line):
                found[at] = gap
    return found


def _is_of_sums(label: str) -> bool:
    return not any(word in lower(label) for word in ("weighted", "average"))


def _is_average(line: list[Quantity | None]) -> bool:
    values = [quantity.value for quantity in line if quantity is not None]
    return len(values) == len(line) and min(values[:-1]) <= values[-1] <= max(values[:-1])


def _odd_cell(sums: Sums, row: int, column: int, surplus: Decimal, analysis: Analysis) -> RawFinding:
    cell, told = _written(sums, row, column), sums.cells[row][column]
    assert told is not None
    right = value_like(cell, told, told.value - surplus)
    return _finding(
        sums,
        row,
        f'"{cell}" under "{_header(sums, column)}" in the row "{_written(sums, row, 0)}": '
        f"its row and its column both make it {right}",
        0.85,
        _with(sums, row, column, told.value - surplus, analysis),
    )


def _wrong_column(sums: Sums, column: int, analysis: Analysis) -> RawFinding:
    row = sums.total_row or 0
    cell, told = _written(sums, row, column), sums.cells[row][column]
    assert told is not None
    made = told.value - sums.columns[column]
    return _finding(
        sums,
        row,
        f'"{cell}" under "{_header(sums, column)}" is not the sum of its column, {value_like(cell, told, made)}',
        0.85,
        # Where rows are off too, it may be a part of the column that is wrong.
        "" if sums.rows else _with(sums, row, column, made, analysis),
    )


def _wrong_row(sums: Sums, row: int) -> RawFinding:
    column = sums.total_column or 0
    cell, told = _written(sums, row, column), sums.cells[row][column]
    assert told is not None
    made = value_like(cell, told, told.value - sums.rows[row])
    return RawFinding(
        point=5,
        segment=sums.table.segment,
        reason=f'"{cell}" in the row "{_written(sums, row, 0)}" is not the sum of its parts, {made}',
        confidence=0.8,
        related=(Quote(segment=sums.table.row_segments[row], quote=""),),
    )


def _finding(sums: Sums, row: int, reason: str, confidence: float, fix: str) -> RawFinding:
    return RawFinding(
        point=5,
        segment=sums.table.row_segments[row],
        reason=reason,
        fix=fix,
        fix_place=place_of(fix),
        confidence=confidence,
        related=(Quote(segment=sums.table.segment, quote=""),),
    )


def _with(sums: Sums, row: int, column: int, value: Decimal, analysis: Analysis) -> str:
    """The row with another figure in a cell."""
    told = sums.cells[row][column]
    reading = analysis.readings[sums.table.row_segments[row] - 1]
    return with_cell(reading, sums.table.rows[row][column], told, told.in_unit(value)) if told else ""


def _written(sums: Sums, row: int, column: int) -> str:
    return sums.table.rows[row][column].plain.strip("* ")


def _header(sums: Sums, column: int) -> str:
    return sums.table.header[column].plain.strip()
