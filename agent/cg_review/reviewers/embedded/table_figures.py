"""Point 5 on tables: totals against their columns, and prose against cells."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import regex

from cg_review.document import Cell, SegmentKind, Table
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import figure_of
from cg_review.reviewers.embedded.ledger import YEARISH, Count, Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, Quantity, find_quantities
from cg_review.reviewers.embedded.sides import derived, two_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.table_totals import total_row
from cg_review.reviewers.embedded.telling import quoted, value_like
from cg_review.reviewers.embedded.words import stem, stems, words_of

_SOME = {
    "part",
    "parts",
    "half",
    "subset",
    "sample",
    "portion",
    "held-out",
    "fraction",
    "average",
    "mean",
    "median",
}
_NOT_THESE = _SOME | {"last", "previous", "prior", "earlier", "former"}
_CHANGED = regex.compile(
    r"\b(?:previous|previously|formerly|used to|instead of|up from|down from|was|were|had|compared|than|more|less|from|after|without|excluding|minus|net of|besides|saves?|saved|saving|cheaper|dearer|difference|criterion|required|would)\b"
)


def counts_against_columns(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A count in the prose against the column of that name: its sum where it announces the table, else the row it names."""
    by_noun: dict[str, list[Count]] = defaultdict(list)
    for count in ledger.counts:
        by_noun[count.noun].append(count)
    seen: set[tuple[str, ...]] = set()
    columns = Counter(
        noun
        for table in analysis.document.tables
        for cell in table.header[1:]
        for noun in stems(words_of(lower(cell.plain)))
    )
    for table in analysis.document.tables:
        signature = tuple(cell.plain for row in (table.header, *table.rows) for cell in row)
        if signature in seen:
            continue
        seen.add(signature)
        for column in range(1, len(table.header)):
            name = stems(words_of(lower(table.header[column].plain)))
            for noun in name if len(name) <= 2 else ():
                for count in by_noun[noun]:
                    finding = _against_column(
                        count, table, column, analysis, ledger, point, columns[noun] == 1
                    )
                    if finding:
                        yield finding


def _against_column(
    count: Count,
    table: Table,
    column: int,
    analysis: Analysis,
    ledger: Ledger,
    point: Point,
    is_only: bool,
) -> RawFinding | None:
    cells = [figure_of(row, column, ledger.decimal_comma) for row in table.rows]
    values = [q.value for q in cells if q is not None and not q.dimension]
    if len(values) != len(table.rows) or len(values) < 2 or count.approximate:
        return None
    if count.reading.lower[: count.quantity.start].endswith(" by "):  # "grew by 35 jobs"
        return None
    named = _named_row(count, table)
    if named is not None:
        value, shown = values[named], table.rows[named][column].plain.strip("* ")
        far = max(value, count.value) > 10 * min(value, count.value)
        if far or count.value in values or sum(values) == count.value:
            return None
        return two_sided(
            count.reading,
            table.row_segments[named],
            f'"{count.written}"; the table has {shown} for "{table.rows[named][0].plain.strip()}"',
            0.7,
        )
    total = sum(values, Decimal(0))
    segment = count.reading.segment
    near = (
        segment.section == analysis.document.segment(table.segment).section and segment.number < table.segment
    ) or (
        is_only
        and len(set(values)) > 1
        and count.whole > 0
        and not count.periods
        and not count.modifiers
        and not count.names
    )
    close = max(values) < count.value != total and abs(count.value - total) * 4 < total
    if near and close and total_row(table, point) is None:
        total_told = value_like(quoted(count.reading, count.quantity), count.quantity, total)
        return derived(
            count.reading,
            table.segment,
            f'"{count.written}"; the column "{table.header[column].plain.strip()}" of the table sums to {total_told}',
            0.8,
            with_number(count.reading, count.quantity, total),
        )
    return None


def _named_row(count: Count, table: Table) -> int | None:
    """The first row whose label the sentence of a count has, where it speaks of all that the row counts."""
    words = set(count.reading.words)
    if count.modifiers or words & _NOT_THESE:
        return None
    for at, row in enumerate(table.rows):
        label = {word for word in words_of(lower(row[0].plain)) if len(word) > 2}
        if label and label <= words:
            return at
    return None


def prose_against_cells(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A figure in prose whose name is a row of a table, where no cell of that row has the figure."""
    rows = _labelled_rows(analysis, ledger)
    for reading in analysis.readings if rows else ():
        if reading.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
            continue
        if YEARISH.search(reading.lower):
            continue
        if analysis.silenced(reading, (0, len(reading.lower)), (*point.silent_on, "conditional")):
            continue
        for quantity in ledger.quantities[reading.segment.number]:
            if not quantity.dimension or (quantity.dimension == "time" and "default" not in reading.lower):
                continue
            around = _around(reading, quantity)
            candidates = {id(row): row for word in words_of(around) for row in rows.get(stem(word), ())}
            hit = next(
                (
                    row
                    for row in candidates.values()
                    if _contradicts(quantity, reading, around, row, analysis, point)
                ),
                None,
            )
            if hit:
                written = reading.segment.plain[quantity.start : quantity.end].strip()
                cells = ", ".join(cell.plain.strip("* ") for cell in hit.table.rows[hit.at][1:])
                reason = (
                    f'"{written}" here; the table has {cells} for "{hit.table.rows[hit.at][0].plain.strip()}"'
                )
                yield two_sided(reading, hit.table.row_segments[hit.at], reason, 0.7)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A table row with the stems of its label and the figures of its cells."""

    table: Table
    at: int
    label: frozenset[str]
    values: tuple[Quantity, ...]


def _labelled_rows(analysis: Analysis, ledger: Ledger) -> dict[str, list[LabelledRow]]:
    """Rows by each stem of their label (a total's row: of its section's title), equal ones once a section."""
    rows: dict[str, list[LabelledRow]] = defaultdict(list)
    seen: set[tuple[str, ...]] = set()
    for table in analysis.document.tables:
        title = analysis.document.sections[analysis.document.segment(table.segment).section].title
        for at, row in enumerate(table.rows):
            signature = (title, *(cell.plain for cell in row))
            values = tuple(_row_values(row, table, ledger))
            label = frozenset(stems(words_of(lower(row[0].plain)))) if row else frozenset()
            if label and values and signature not in seen:
                seen.add(signature)
                for word in label | stems(words_of(lower(title))):
                    rows[word].append(LabelledRow(table, at, label, values))
    return rows


def _around(reading: Reading, quantity: Quantity) -> str:
    return (
        reading.lower[max(0, quantity.start - 30) : quantity.start]
        + " "
        + reading.lower[quantity.end : quantity.end + 18]
    )


def _row_values(row: Sequence[Cell], table: Table, ledger: Ledger) -> list[Quantity]:
    values = []
    for column in range(1, len(row)):
        quantity = figure_of(row, column, ledger.decimal_comma)
        if quantity is None:
            continue
        unit = find_quantities("1 " + lower(table.header[column].plain).partition("(")[2].strip(") "), None)
        if not quantity.dimension and unit and unit[0].dimension:
            quantity = Quantity(0, 0, quantity.value * unit[0].value, unit[0].dimension)
        values.append(quantity)
    return values


def _contradicts(
    quantity: Quantity, reading: Reading, around: str, row: LabelledRow, analysis: Analysis, point: Point
) -> bool:
    same = [q.value for q in row.values if q.dimension == quantity.dimension]
    fits = {*same, *(abs(a - b) for a, b in itertools.combinations(same, 2))}  # "fell by 42", from 310 to 268
    if not same or any(abs(quantity.value - value) * 200 <= value for value in fits):
        return False
    near = {stem(word) for word in words_of(around)}
    before = reading.lower[max(0, quantity.start - 14) : quantity.start]
    if _CHANGED.search(around) or any(word in before for word in point.words["approximate"] if len(word) > 3):
        return False
    section = analysis.document.segment(row.table.segment).section
    here = reading.segment.section == section
    if row.label & {stem(w) for w in point.words["totals"]}:
        title = stems(words_of(lower(analysis.document.sections[section].title))) - {"cost"}  # a verb, mostly
        total = bool(near & title) and here and quantity.dimension in MONEY
        return total and max(same) / 3 < quantity.value < max(same) * 3
    named = row.label <= near if len(row.label) > 1 else bool(row.label & near) and here
    named = named or (bool(row.label & near) and len(row.label) <= 2 and here)
    return named and max(same) / 10 < quantity.value < max(same) * 10
