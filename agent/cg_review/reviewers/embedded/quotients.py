"""Point 5: an amount per head, and what the amount and the number of heads make: "148 tonnes … 96 kg per household"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import near
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.words import stem

_CONCLUDES = regex.compile(
    r"^(?:that|this) (?:is|makes|comes to|works out at|means|equals|amounts to)\b|^so\b|^per \w+ (?:that|this) is\b|\b(?:thus|therefore|or about|equal to|divided by)\b"
)
_PER = regex.compile(
    r"\s?(?:per|an?|each|every|for (?:an?|each|every)) (?P<thing>[a-z]+)\b(?! (?:and|per|an?) )"
)
_TIMES = frozenset(["second", "minute", "hour", "day", "night", "week", "month", "quarter", "year", "time"])
_BACK = 3
"""How many segments before the quotient its amount can stand."""
_MANY = 6
_CLOSE = Decimal("2.5")


def wrong_quotients(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A concluded amount per thing that the amount before it and no number of these things in the document make."""
    numbers: dict[str, set[Decimal]] = defaultdict(set)
    for count in ledger.counts:
        numbers[count.noun].add(count.value)
    for reading in ledger.statements:
        quantities = ledger.quantities[reading.segment.number]
        if len(quantities) != 1 or quantities[0].dimension in ("", "share", "time"):
            continue
        told = quantities[0]
        per = _PER.match(reading.lower, told.end)
        if not per or per["thing"] in _TIMES or not _CONCLUDES.search(reading.lower):
            continue
        amount = _amount(reading, told, analysis, ledger)
        heads = numbers.get(stem(per["thing"]), set())
        if not amount or not 1 <= len(heads) <= _MANY or ledger.is_open(reading, (told.start, told.end)):
            continue
        made = [amount[1].value / n for n in sorted(heads)]
        fits = any(near(told.value, value, Decimal("0.06")) for value in made)
        if not fits and any(value < told.value * _CLOSE and told.value < value * _CLOSE for value in made):
            written = reading.segment.plain[told.start : per.end()].strip()
            whole = amount[0].segment.plain[amount[1].start : amount[1].end].strip()
            shown = " or ".join(f"{n.normalize():,f}" for n in sorted(heads)[:3])
            reason = f'"{written}" here; {whole} and {shown} of them do not make that'
            yield two_sided(reading, amount[0].segment.number, reason, 0.65)


def _amount(
    reading: Reading, told: Quantity, analysis: Analysis, ledger: Ledger
) -> tuple[Reading, Quantity] | None:
    """The one figure of the told one's kind in the nearest sentence before that has any."""
    number = reading.segment.number
    for before in reversed(analysis.readings[max(0, number - 1 - _BACK) : number - 1]):
        if before.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
            return None
        found = [q for q in ledger.quantities.get(before.segment.number, ()) if q.dimension == told.dimension]
        if found:
            return (before, found[0]) if len(found) == 1 else None
    return None
