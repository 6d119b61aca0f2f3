"""Point 5: changes, differences, shares and ratios told of the rows of a table, against its figures.

Every comparison asks whether the told figure fits anything that the rows and columns spoken of can make; it is a
conflict only where nothing does.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, Place, near, pairs, same_kind
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.shares import FRACTION_WORDS, Share
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted, value_like
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem, words_of

_POINTS = regex.compile(r"^\s?(?:percentage )?points?\b")
_FOR_IT = regex.compile(
    r" (?:for|of|on|at)\b(?! (?:last|the (?:year|quarter|month|week)))"
)  # "paid 25% less for the course"
_OF_AN_INTERVAL = regex.compile(r"^\s?(?:interval|confidence|ci\b|level)")
_FAR = 4
"""A told figure that is so many times another one is about something else."""


def wrong_changes_of_rows(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Tickets are up by 12%" where the row's figures make 9%; "40% less than" of two rows."""
    for reading, places in _spoken(ledger):
        for share in _told_shares(reading, ledger):
            if not _is_change(reading.lower, share, point):
                continue
            spoken = _in_clause(places, reading.lower, share.start)
            changes = [c for one, two in _compared(spoken) if one and two for c in _changes(one, two)]
            if _is_wrong(share, changes):
                yield _against(reading, share.start, share.end, spoken[0], "makes", changes)


def wrong_differences(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "€4,600 below Portunal" where the two rows are €3,600 apart."""
    for reading, places in _spoken(ledger):
        for quantity in ledger.quantities[reading.segment.number]:
            if quantity.dimension == "share" or not _is_difference(reading.lower, quantity, point):
                continue
            for grid, rows in _by_grid(places).items():
                if len(rows) != 2:
                    continue
                gaps = _gaps(rows[0], rows[1], quantity)
                told = any(same_kind(quantity, v) and v.value == quantity.value for v in grid.values())
                close = [gap for gap in gaps if gap and _comparable(quantity.value, gap)]
                if close and not told and not any(near(quantity.value, gap) for gap in gaps):
                    own = quoted(reading, quantity)
                    gap = " or ".join(value_like(own, quantity, gap) for gap in dict.fromkeys(close[:3]))
                    reason = f'"{own}" here; the table for "{rows[0].text}" has a difference of {gap}'
                    yield two_sided(reading, rows[0].segment, reason, 0.75)


def wrong_shares_of_totals(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Paper makes up a fifth of the total" where its row has a third of its column."""
    for reading, places in _spoken(ledger):
        for share in _told_shares(reading, ledger):
            if not _of_the_whole(reading.lower, share, point):
                continue
            of = {
                stem(word)
                for word in words_of(reading.lower[share.end : share.end + 40].partition(",")[0])[:4]
            }
            named = {
                place.grid for place in places if _is_part(place) and place.names <= of
            }  # "of sales", a row itself
            rows = [
                place
                for place in _in_clause(places, reading.lower, share.start)
                if _is_part(place) and place.grid not in named
            ]
            real = [part for row in rows for part in _parts(row)]
            if _is_wrong(share, real, _bound(reading.lower, share, point)):
                yield _against(reading, share.start, share.end, rows[0], "makes it", real)


def wrong_shares_of_rows(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "94 in a hundred of the elms" where the row of the elms has 90.4% and nothing else in percent."""
    for reading, places in _spoken(ledger):
        told = _told_shares(reading, ledger)
        rows = [row for rows in _by_grid(places).values() if len(rows) == 1 for row in rows]
        if len(told) != 1 or _is_change(reading.lower, told[0], point):
            continue
        bound = _bound(reading.lower, told[0], point)
        for row in _in_clause(rows, reading.lower, told[0].start):
            real = [cell.value for cell in row.line if cell is not None and cell.dimension == "share"]
            titled: object = {
                stem(word) for cell in row.grid.table.header for word in words_of(cell.plain)
            } & {stem(word) for word in reading.words if len(word) > 3}
            titled = titled or (len(row.line) == 2 and row.grid.section == reading.segment.section)
            if len(real) != 1 or not titled or told[0].value in {v.value for v in row.grid.values()}:
                continue
            if _is_wrong(told[0], real, bound) and not told[0].fits(100 - real[0]):
                yield _against(reading, told[0].start, told[0].end, row, "makes it", real)


def wrong_rates(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "A margin of 38%" where profit through revenue is 35%; "82% full" where used through capacity is 74%."""
    rates = [Rate(*line.split(": ")) for line in point.words["rates"]]
    for reading in ledger.statements:
        for share in _told_shares(reading, ledger) if ledger.grids.all else ():
            clause = clause_around(reading.lower, share.start)
            rate = next((rate for rate in rates if rate.cue.search(clause)), None)
            if rate is None or _is_change(reading.lower, share, point):
                continue
            places = _in_clause(ledger.grids.spoken_of(reading), reading.lower, share.start)
            found = [(grid, ratio) for grid in ledger.grids.all for ratio in rate.of(grid, places)]
            if _is_wrong(share, [ratio for _, ratio in found], _bound(reading.lower, share, point)):
                at = Place(found[0][0], 0, False, "", frozenset())
                yield _against(reading, share.start, share.end, at, "makes it", [ratio for _, ratio in found])
                break


class Rate:
    """A ratio with a name: `cue` are its names, `upper` and `lower` the stems of what is divided by what."""

    def __init__(self, cue: str, parts: str) -> None:
        upper, lower = parts.split(" / ")
        self.cue = one_of(tuple(cue.split(", ")))
        self.upper = {stem(word) for word in upper.split(", ")}
        self.lower = {stem(word) for word in lower.split(", ")}

    def of(self, grid: Grid, spoken: list[Place]) -> Iterator[Decimal]:
        """What it is in a grid, in percent, for every column or row; of the rows spoken of where there are some."""
        rows = [place.at for place in spoken if place.grid is grid and place.is_row]
        labels = [{stem(word) for word in words_of(row[0].plain)} for row in grid.table.rows]
        headers = [{stem(word) for word in words_of(cell.plain)} for cell in grid.table.header]
        for upper, lower in self._pairs(labels):
            for column in range(1, len(headers)):
                yield from _ratio(grid.cells[upper][column], grid.cells[lower][column])
        for upper, lower in self._pairs(headers):
            for at in rows or range(len(labels)):
                yield from _ratio(grid.cells[at][upper], grid.cells[at][lower])
        if grid.total is None:  # the whole table's rate, where it has no row for it
            for upper, lower in self._pairs(headers):
                figures = [(row[upper], row[lower]) for row in grid.cells]
                known = [(one.value, two.value) for one, two in figures if one and two]
                below = sum((two for _, two in known), Decimal(0))
                if below:
                    yield 100 * sum((one for one, _ in known), Decimal(0)) / below

    def _pairs(self, names: list[set[str]]) -> Iterator[tuple[int, int]]:
        above = [at for at, words in enumerate(names) if words & self.upper][:4]
        below = [at for at, words in enumerate(names) if words & self.lower and not words & self.upper][:4]
        return itertools.product(above, below)


def _ratio(one: Quantity | None, two: Quantity | None) -> Iterator[Decimal]:
    if one and two and one.dimension == two.dimension != "share" and two.value:
        yield 100 * one.value / two.value


def _spoken(ledger: Ledger) -> Iterator[tuple[Reading, list[Place]]]:
    for reading in ledger.statements if ledger.grids.all else ():
        if ledger.quantities[reading.segment.number] or FRACTION_WORDS & set(reading.words):
            places = ledger.grids.spoken_of(reading)
            if places:
                yield reading, places


def _told_shares(reading: Reading, ledger: Ledger) -> list[Share]:
    """The shares of a sentence that are told as they are: neither hoped for nor under a condition."""
    found = ledger.shares_of(reading)
    return [
        share
        for share in found
        if not ledger.is_open(reading, (share.start, share.end))
        and not _OF_AN_INTERVAL.match(reading.lower[share.end : share.end + 16])
    ]


def _is_change(text: str, share: Share, point: Point) -> bool:
    before, after = text[max(0, share.start - 32) : share.start], text[share.end : share.end + 24]
    if _POINTS.match(after) or after.startswith(" of "):
        return False
    moved = [m.end() for m in one_of(point.words["moved"]).finditer(before)]
    compared = one_of(point.words["comparatives"]).match(after.lstrip())
    return bool(moved and len(before[moved[-1] :].split()) <= 4) or bool(
        compared and not _FOR_IT.match(after.lstrip(), compared.end())
    )


def _is_difference(text: str, quantity: Quantity, point: Point) -> bool:
    return bool(one_of(point.words["comparatives"]).match(text[quantity.end : quantity.end + 24].lstrip()))


def _of_the_whole(text: str, share: Share, point: Point) -> bool:
    after = text[share.end : share.end + 40].lstrip()
    return bool(regex.match(r"of (?:the |our |its |all |this |that )?(?:[\w-]+ )?", after)) and bool(
        one_of(point.words["wholes"]).search(after.partition(",")[0])
    )


def _bound(text: str, share: Share, point: Point) -> int:
    """-1 where the told share is an upper bound, 1 where it is a lower one, else 0."""
    before = text[max(0, share.start - 16) : share.start].rstrip()
    for sign, words in ((-1, point.words["below"]), (1, point.words["above"])):
        if any(before.endswith(word) for word in words):
            return sign
    return 0


def _is_wrong(share: Share, real: list[Decimal], bound: int = 0) -> bool:
    """Whether the told share fits none of the real ones, though it is of their size."""
    if not real or any(share.fits(r) for r in real):
        return False
    if bound:
        return all((r - share.value) * bound < 0 for r in real)
    return any(_comparable(share.value, r) for r in real)


def _comparable(one: Decimal, two: Decimal) -> bool:
    return bool(one and two) and max(one, two) < _FAR * min(one, two)


def _in_clause(places: list[Place], text: str, at: int) -> list[Place]:
    words = {stem(word) for word in words_of(clause_around(text, at))}
    return [place for place in places if place.names <= words]


def _by_grid(places: Iterable[Place]) -> dict[Grid, list[Place]]:
    """The rows spoken of by grid, those aside whose names are part of another's."""
    found: dict[Grid, list[Place]] = defaultdict(list)
    for place in places:
        if place.is_row:
            found[place.grid].append(place)
    return {
        grid: [row for row in rows if not any(row.names < other.names for other in rows)]
        for grid, rows in found.items()
    }


def _compared(spoken: list[Place]) -> Iterator[tuple[Decimal, Decimal]]:
    """The pairs of figures that a change can be between: along a short row, or of two rows in one column."""
    for place in spoken:
        line = [cell for cell in place.line if cell is not None and cell.dimension != "share"]
        if (len(line) <= 4 and place.grid.is_over_time) or (not place.is_row and place.grid.is_told_by_row):
            yield from pairs(line)
    for rows in _by_grid(spoken).values():
        for one, two in itertools.combinations(rows[:4], 2):
            for upper, lower in zip(one.line, two.line, strict=True):
                if upper and lower and upper.dimension == lower.dimension:
                    yield upper.value, lower.value


def _changes(one: Decimal, two: Decimal) -> tuple[Decimal, Decimal]:
    return 100 * abs(two - one) / abs(one), 100 * abs(two - one) / abs(two)


def _gaps(one: Place, two: Place, quantity: Quantity) -> list[Decimal]:
    cells = zip(one.line, two.line, strict=True)
    return [
        abs(a.value - b.value)
        for a, b in cells
        if a and b and same_kind(a, quantity) and a.dimension == b.dimension
    ]


def _is_part(place: Place) -> bool:
    return place.is_row and place.at != place.grid.total


def _parts(row: Place) -> Iterator[Decimal]:
    """What part of each of its columns a row has, in percent."""
    total = row.grid.cells[row.grid.total] if row.grid.total is not None else ()
    for column, values in row.grid.columns():
        cell = row.line[column]
        if cell is None:
            continue
        if cell.dimension == "share":
            yield cell.value
        told = total[column] if total else None
        whole = told.value if told else sum((v.value for v in values), Decimal(0))
        if whole:
            yield 100 * cell.value / whole


def _against(
    reading: Reading, start: int, end: int, place: Place, verb: str, real: list[Decimal]
) -> RawFinding:
    written = reading.segment.plain[start:end].strip()
    shown = ", ".join(
        f"{r:,.4g}".replace("E+", "e") if r < 1000 else f"{r:,.0f}" for r in dict.fromkeys(real[:3])
    )
    where = f' for "{place.text}"' if place.text else ""
    reason = f'"{written}" here; the table{where} {verb} {shown}%'
    return two_sided(reading, place.segment, reason, 0.75)
