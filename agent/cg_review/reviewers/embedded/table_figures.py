"""Point 5 on tables: totals against their columns, and prose against cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from cg_review.document import Cell, SegmentKind, Table
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import YEARISH, Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, Quantity, find_quantities
from cg_review.reviewers.embedded.words import stem, stems, words_of

_CHANGED = regex.compile(
    r"\b(?:previous|previously|formerly|used to|instead of|up from|down from|was|were|had|compared|than|more|less|from)\b"
)


def wrong_totals(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A total row that is not the sum of its column."""
    for table in analysis.document.tables:
        at = _total_row(table, point)
        if at is None or at < 2:
            continue
        for column in range(1, len(table.header)):
            cells = [_cell_value(row, column, ledger) for row in table.rows[: at + 1]]
            values = [q.value for q in cells if q is not None]
            if len(values) != at + 1 or any(q is not None and q.dimension == "share" for q in cells):
                continue
            parts, total = sum(values[:-1], Decimal(0)), values[-1]
            if (
                parts != total
                and abs(parts - total) > Decimal("0.011") * len(values)
                and "average" not in lower(table.rows[at][0].plain)
            ):
                written = table.rows[at][column].plain.strip()
                yield RawFinding(
                    point=5,
                    segment=table.row_segments[at],
                    reason=f'"{written}" under "{table.header[column].plain.strip()}" is not the sum of its column, {parts.normalize():,f}',
                    fix="the sum, or what is left out",
                    confidence=0.85,
                    related=(Quote(segment=table.segment, quote=""),),
                )
                break


def wrong_row_totals(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A "total" column that is not the sum of the columns of its kind."""
    for table in analysis.document.tables:
        headers = [words_of(lower(cell.plain)) for cell in table.header]
        totals = [
            i for i, words in enumerate(headers) if words and words[0] in point.words["totals"] and i > 0
        ]
        if len(totals) != 1:
            continue
        kind = set(headers[totals[0]][1:])
        parts = [
            i for i, words in enumerate(headers) if i and i != totals[0] and (not kind or kind & set(words))
        ]
        wrong = [at for at, row in enumerate(table.rows) if _row_is_wrong(row, parts, totals[0], ledger)]
        if len(parts) >= 2 and wrong and len(wrong) <= len(table.rows):
            row = table.rows[wrong[0]]
            yield RawFinding(
                point=5,
                segment=table.segment,
                reason=f'"{row[totals[0]].plain.strip()}" in the row "{row[0].plain.strip()}" is not the sum of its parts',
                fix="the sum, or what else is in it",
                confidence=0.8,
                related=(Quote(segment=table.row_segments[wrong[0]], quote=""),),
            )


def _row_is_wrong(row: Sequence[Cell], parts: list[int], total: int, ledger: Ledger) -> bool:
    values = [_cell_value(row, column, ledger) for column in (*parts, total)]
    known = [q.value for q in values if q is not None]
    if (
        len(known) != len(values)
        or len(known) < 3
        or any(q is not None and q.dimension == "share" for q in values)
    ):
        return False
    return abs(sum(known[:-1]) - known[-1]) > max(Decimal("0.011") * len(known), abs(known[-1]) / 50)


def _total_row(table: Table, point: Point) -> int | None:
    for at, row in enumerate(table.rows):
        label = lower(row[0].plain).strip("* :") if row else ""
        if label and label.split()[0] in point.words["totals"]:
            return at
    return None


def _cell_value(row: Sequence[Cell], column: int, ledger: Ledger) -> Quantity | None:
    if column >= len(row):
        return None
    text = lower(row[column].plain).strip("* ")
    found = find_quantities(text, ledger.decimal_comma)
    return found[0] if len(found) == 1 and len(text) <= found[0].end - found[0].start + 6 else None


def column_sums(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A count in the prose that announces a table, against the sum of the column of that name."""
    for table in analysis.document.tables:
        if _total_row(table, point) is not None or len(table.rows) < 2:
            continue
        section = analysis.document.segment(table.segment).section
        for column in range(1, len(table.header)):
            name = stems(words_of(lower(table.header[column].plain)))
            cells = [_cell_value(row, column, ledger) for row in table.rows]
            values = [q.value for q in cells if q is not None and not q.dimension]
            if len(name) != 1 or len(values) != len(table.rows) or len(values) < 2:
                continue
            total = sum(values)
            for count in ledger.counts:
                near = (
                    count.reading.segment.section == section and count.reading.segment.number < table.segment
                )
                if (
                    near
                    and {count.noun} == name
                    and count.value != total
                    and max(values) < count.value
                    and abs(count.value - total) * 4 < total
                    and not count.approximate
                ):
                    yield RawFinding(
                        point=5,
                        segment=count.reading.segment.number,
                        reason=f'"{count.written}"; the column "{table.header[column].plain.strip()}" of the table sums to {total:,}',
                        fix="one of the two, or what the table leaves out",
                        confidence=0.8,
                        related=(Quote(segment=table.segment, quote=""),),
                    )


def prose_against_cells(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A figure in prose whose name is a row of a table, where no cell of that row has the figure."""
    rows = [
        (table, at, stems(words_of(lower(row[0].plain))), _row_values(row, table, ledger))
        for table in analysis.document.tables
        for at, row in enumerate(table.rows)
        if row
    ]
    rows = [row for row in rows if row[2] and row[3]]
    for reading in analysis.readings if rows else ():
        if reading.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
            continue
        if analysis.silenced(reading, (0, len(reading.lower)), (*point.silent_on, "conditional")):
            continue
        if YEARISH.search(reading.lower):
            continue
        for quantity in ledger.quantities[reading.segment.number]:
            if not quantity.dimension or quantity.dimension == "time":
                continue
            hit = next((row for row in rows if _contradicts(quantity, reading, *row, analysis, point)), None)
            if hit:
                table, at, _, _ = hit
                written = reading.segment.plain[quantity.start : quantity.end].strip()
                cells = ", ".join(cell.plain.strip("* ") for cell in table.rows[at][1:])
                yield RawFinding(
                    point=5,
                    segment=reading.segment.number,
                    reason=f'"{written}" here; the table has {cells} for "{table.rows[at][0].plain.strip()}"',
                    fix="one of the two, or the reason why they differ",
                    confidence=0.7,
                    related=(Quote(segment=table.row_segments[at], quote=""),),
                )


def _row_values(row: Sequence[Cell], table: Table, ledger: Ledger) -> list[Quantity]:
    values = []
    for column in range(1, len(row)):
        quantity = _cell_value(row, column, ledger)
        if quantity is None:
            continue
        unit = find_quantities("1 " + lower(table.header[column].plain).partition("(")[2].strip(") "), None)
        if not quantity.dimension and unit and unit[0].dimension:
            quantity = Quantity(0, 0, quantity.value * unit[0].value, unit[0].dimension)
        values.append(quantity)
    return values


def _contradicts(
    quantity: Quantity,
    reading: Reading,
    table: Table,
    at: int,
    label: set[str],
    values: list[Quantity],
    analysis: Analysis,
    point: Point,
) -> bool:
    same = [q.value for q in values if q.dimension == quantity.dimension]
    if not same or quantity.value in same or any(abs(quantity.value - v) * 200 <= v for v in same):
        return False
    around = (
        reading.lower[max(0, quantity.start - 30) : quantity.start]
        + " "
        + reading.lower[quantity.end : quantity.end + 18]
    )
    near = {stem(word) for word in words_of(around)}
    if _CHANGED.search(around) or any(
        word in reading.lower[max(0, quantity.start - 14) : quantity.start]
        for word in point.words["approximate"]
        if len(word) > 3
    ):
        return False
    section = analysis.document.segment(table.segment).section
    if label & {stem(w) for w in point.words["totals"]}:
        title = stems(words_of(lower(analysis.document.sections[section].title)))
        total = bool(near & title) and reading.segment.section == section and quantity.dimension in MONEY
        return total and max(same) / 3 < quantity.value < max(same) * 3
    whole = label <= near if len(label) > 1 else False
    leading = bool(label & near) and len(label) <= 2 and reading.segment.section == section
    return (whole or leading) and max(same) / 10 < quantity.value < max(same) * 10
