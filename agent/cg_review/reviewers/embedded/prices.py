"""Point 5: prices by the month and by the year, and how many months are free."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, NUMBER_WORDS, Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted, value_like

_FREE = regex.compile(
    r"\b(?P<n>one|two|three|1|2|3) months?(?: are| is| come)? (?:free|for free|for nothing|on us|less)\b|\b(?P<m>one|two|three|1|2|3) free months?\b"
)
_FOR = regex.compile(r"\b(?:twelve|12) months for (?:the price of )?(?P<n>nine|ten|eleven|9|10|11)\b")
_MONTHLY = regex.compile(
    r"^\s?per \w+ (?:and|per) month\b|^\s?(?:a|per|each|every|/) ?month\b|^\s?monthly\b|^ (?:\w+ ){1,3}(?:a|per) month\b"
)
_YEARLY = regex.compile(
    r"^\s?per \w+ (?:and|per) year\b|^\s?(?:a|per|each|every|/|for the|for a) ?year\b|^\s?(?:yearly|annually)\b|^ (?:\w+ ){1,3}(?:a|per) year\b|^ instead of\b"
)


def wrong_yearly_prices(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Two months are free by the year" and a yearly price that is eleven monthly ones."""
    offers = analysis.seek(ledger.statements, _FREE, _FOR)
    found = next(((r, n) for r in offers if (n := _paid_months(r.lower))), None)
    if not found:
        return
    offer, months = found
    for grid in ledger.grids.all:
        for at, monthly, yearly in _price_rows(grid):
            if abs(monthly.value * months - yearly.value) > Decimal("0.05") * months:
                reason = f'{yearly.written} a year for "{grid.table.rows[at][0].plain.strip("* ")}" is not {months} × {monthly.written}'
                yield two_sided(offer, grid.table.row_segments[at], reason, 0.75)
                return
    yield from _in_prose(offer, months, ledger)


def _paid_months(text: str) -> int:
    free, paid = _FREE.search(text), _FOR.search(text)
    if free:
        return 12 - _number(free["n"] or free["m"])
    return _number(paid["n"]) if paid else 0


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBER_WORDS[word]


def _price_rows(grid: Grid) -> Iterator[tuple[int, Quantity, Quantity]]:
    titles = [lower(cell.plain) for cell in grid.table.header]
    month = [c for c, title in enumerate(titles) if c and "month" in title]
    year = [c for c, title in enumerate(titles) if c and ("year" in title or "annual" in title)]
    if len(month) == len(year) == 1:
        for at, row in enumerate(grid.cells):
            one, two = row[month[0]], row[year[0]]
            if one and two and one.value and at != grid.total and two.value > 6 * one.value:
                yield at, one, two


def _in_prose(offer: Reading, months: int, ledger: Ledger) -> Iterator[RawFinding]:
    """A year's price in the offer's own section that no month's price makes."""
    monthly: list[tuple[Reading, Quantity]] = []
    yearly: list[tuple[Reading, Quantity]] = []
    for reading in ledger.statements:
        for quantity in ledger.quantities[reading.segment.number]:
            after = reading.lower[quantity.end : quantity.end + 30]
            if quantity.dimension in MONEY and _MONTHLY.match(after):
                monthly.append((reading, quantity))
            elif (
                quantity.dimension in MONEY
                and _YEARLY.match(after)
                and reading.segment.section == offer.segment.section
            ):
                yearly.append((reading, quantity))
    known = {q.value for _, q in monthly} | {
        c.value for grid in ledger.grids.all for c in grid.values() if c.dimension in MONEY
    }
    for reading, quantity in yearly:
        price = next((m for m in sorted(known) if 8 * m < quantity.value <= 12 * m), None)
        fits = any(abs(m * months - quantity.value) <= Decimal("0.05") * months for m in known)
        if price and not fits and quantity.value not in known:
            own = quoted(reading, quantity)
            reason = f'"{own}" is not {months} × {value_like(own, quantity, price)}'
            yield two_sided(reading, offer.segment.number, reason, 0.65)
            return
