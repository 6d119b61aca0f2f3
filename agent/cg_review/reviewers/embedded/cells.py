"""Point 5: figures of a sentence against the cells of the row or column that they name."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, Place, near
from cg_review.reviewers.embedded.ledger import Count, Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted, value_like
from cg_review.reviewers.embedded.words import stem, words_of

_MEAN = regex.compile(r"\b(?:on average|an average of|average of|averages|averaged|the average|the mean)\b")
_PER = regex.compile(r"^\s?(?:per|an?|each|every|for (?:an?|each|every)) (?P<thing>[a-z]+)\b")
_CHANGED = regex.compile(
    r"\b(?:was|were|until|from|instead|before|old|new|previously|formerly|than|more|less|plus|extra|further|additional|up to|about|around|roughly|if|would)\b"
)
_TIMES = frozenset(["second", "minute", "hour", "day", "night", "week", "month", "quarter", "year"])
_COUNTS = frozenset(map(stem, ["count", "number", "quantity", "qty", "pieces", "units"]))
_SLACK = Decimal("0.02")
_WIDE = 40
"""Columns of a table that are looked at; each is weighed by each."""
_TELLING = 10
"""An amount below this is in many rows by accident."""


def counts_beside_amounts(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "€252k, the price of sixteen nodes" where the row of 252 has fourteen."""
    rows: dict[Decimal, list[tuple[Grid, int]]] = defaultdict(list)
    for grid in ledger.grids.all:
        for at, row in enumerate(grid.cells):
            for cell in row:
                if cell and cell.number_or_value >= _TELLING and len(rows[cell.value]) < 4:
                    rows[cell.value].append((grid, at))
    for count in ledger.counts if rows else ():
        if count.approximate or count.periods:
            continue
        for amount in ledger.quantities[count.reading.segment.number]:
            if amount.dimension not in MONEY or ledger.is_open(count.reading, (amount.start, amount.end)):
                continue
            found = rows.get(amount.value, []) + rows.get(amount.value / 1000, [])
            places = [(grid, at) for grid, at in dict.fromkeys(found) if grid.total != at]
            if len(places) == 1 and (finding := _other_count(count, amount, *places[0])):
                yield finding


def _other_count(count: Count, amount: Quantity, grid: Grid, at: int) -> RawFinding | None:
    for column, title in enumerate(grid.table.header):
        cell = grid.cells[at][column]
        names = {stem(word) for word in words_of(lower(title.plain))}
        if names & _COUNTS:  # "Node | Count"
            names |= {stem(word) for word in words_of(lower(grid.table.header[0].plain))}
        if cell and count.noun in names and not cell.dimension and cell.value != count.value:
            values = {c.value for c in grid.cells[at] if c}
            if count.value in values:
                return None
            costs = quoted(count.reading, amount)
            reason = (
                f'"{count.written}" for {costs}; the row of {costs} has {cell.written} {title.plain.strip()}'
            )
            return two_sided(count.reading, grid.table.row_segments[at], reason, 0.7)
    return None


def wrong_means(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "On average 14 visits" where the column's mean is 11."""
    by_section: dict[int, list[Grid]] = defaultdict(list)
    for grid in ledger.grids.all:
        by_section[grid.section].append(grid)
    for reading in ledger.statements:
        grids = by_section.get(reading.segment.section, [])
        if not grids or not _MEAN.search(reading.lower):
            continue
        quantities = ledger.quantities[reading.segment.number]
        words = {stem(word) for word in reading.words}
        if len(quantities) != 1 or any(place.is_row for place in ledger.grids.spoken_of(reading)):
            continue
        told = quantities[0]
        columns = [
            (grid, column, values)
            for grid in grids[:3]
            for column, values in itertools.islice(grid.columns(), _WIDE)
            if len(values) >= 3 and words & {stem(w) for w in words_of(grid.header(column).lower())}
        ]
        alike = [one for one in columns if one[2][0].dimension == told.dimension]
        plain = [one for one in columns if not one[2][0].dimension]  # of whatever unit
        if not any(near(told.value, mean, _SLACK) for one in (*alike, *plain) for mean in _means(*one)):
            yield from filter(None, (_off_mean(reading, told, *one) for one in alike))


def _means(grid: Grid, column: int, figures: Sequence[Quantity]) -> Iterator[Decimal]:
    """Whatever an average of a column can be: its mean, its median, a weighted mean; one of its figures."""
    values = [figure.value for figure in figures]
    yield from (sum(values, Decimal(0)) / len(values), sorted(values)[len(values) // 2], *values)
    for other, weights in itertools.islice(grid.columns(), _WIDE):
        total = sum((weight.value for weight in weights), Decimal(0))
        if other != column and len(weights) == len(values) and total:
            yield sum((w.value * v for w, v in zip(weights, values, strict=True)), Decimal(0)) / total


def _off_mean(
    reading: Reading, told: Quantity, grid: Grid, column: int, figures: Sequence[Quantity]
) -> RawFinding | None:
    mean = sum((figure.value for figure in figures), Decimal(0)) / len(figures)
    if not mean / 2 < told.value < mean * 2:
        return None
    own = quoted(reading, told)
    reason = f'"{own}" on average; the mean of "{grid.header(column)}" is {value_like(own, told, mean)}'
    return two_sided(reading, grid.table.segment, reason, 0.65)


def wrong_unit_prices(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "€0.80 per envelope" against the envelope's row of a price table."""
    rows = _price_rows(ledger.grids.all)
    for reading in ledger.statements if rows else ():
        for quantity in ledger.quantities[reading.segment.number]:
            if quantity.dimension not in MONEY or _CHANGED.search(
                reading.lower[max(0, quantity.start - 30) : quantity.end + 24]
            ):
                continue
            per = _PER.match(reading.lower[quantity.end : quantity.end + 40])
            places = rows.get(stem(per["thing"]), []) if per and per["thing"] not in _TIMES else []
            if len(places) != 1 or ledger.is_open(reading, (quantity.start, quantity.end)):
                continue
            cells = [c for c in places[0].line if c and c.dimension == quantity.dimension]
            prices = [c.value for c in cells]
            if (
                prices
                and quantity.value not in prices
                and any(v / 2 < quantity.value < v * 2 for v in prices)
            ):
                shown = ", ".join(cell.written for cell in cells)
                reason = f'"{quoted(reading, quantity)}" per {per["thing"]}; the table has {shown} for "{places[0].text}"'  # type: ignore[index]
                yield two_sided(reading, places[0].segment, reason, 0.7)


def _price_rows(grids: list[Grid]) -> dict[str, list[Place]]:
    """The rows with prices, by each stem of their label."""
    found: dict[str, list[Place]] = defaultdict(list)
    for grid in grids:
        for at, row in enumerate(grid.cells):
            if at != grid.total and any(cell and cell.dimension in MONEY for cell in row):
                label = grid.table.rows[at][0].plain
                names = frozenset(stem(word) for word in words_of(lower(label)))
                for name in names:
                    found[name].append(Place(grid, at, True, label.strip("* "), names))
    return found
