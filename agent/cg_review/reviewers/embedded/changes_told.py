"""Point 5: a change told in words, and the two figures that it is between: "there were 18, after 24", "calls fell by half"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.shares import Share, bound_of
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.telling import quoted
from cg_review.reviewers.embedded.vocabulary import one_of

_VERSUS = regex.compile(
    r"\b(?:after|against|compared (?:with|to)|up from|down from|instead of|where (?:it|there) (?:was|were|had been)|previously|before that|earlier it was)\b"
)
_IN_THE = regex.compile(r"\b(?:before|earlier|ago|previous|last|against|after|from|to|and)\b")
_CONCLUDES = regex.compile(
    r"^(?:that (?:is|means|makes)|that[’']s|this (?:is|means)|so\b|thus|hence|therefore|in other words|put differently)"
    r"|\b(?:thus|therefore|accordingly)\b"
)
_TO = regex.compile(r"\bto (?:about |roughly |almost |nearly |just (?:over|under) )?$")
_BACK = 4
"""How many segments before a change its figures can stand."""
_APART = Decimal(12)
"""Figures further apart than this times are of different things."""
_SMALLEST = 10


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures of one thing at two times, in the order in which they are told."""

    reading: Reading
    one: Quantity
    two: Quantity
    told: str


def wrong_changes_told(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Calls have dropped to a third", where the sentences before have 2,870 of them, and 5,310 a year earlier."""
    moved = one_of((*point.words["moved"], *_MORE))
    known = _Pairs(ledger)
    for reading in ledger.statements:
        told = _told(reading, ledger, moved)
        if not told:
            continue
        pair = known.before(reading) or known.of(reading)
        if pair and not _fits(told, reading.lower, pair):
            share = reading.segment.plain[told.start : told.end].strip()
            reason = f'"{share}" here; the figures told are {pair.told}'
            yield two_sided(reading, pair.reading.segment.number, reason, 0.7)


def wrong_points(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "For the two it is 75% and 64%. That is less than five points apart." """
    for before, reading in pairwise(ledger.statements):
        match = _POINTS.search(reading.lower) if "point" in reading.lower else None
        if not match:
            continue
        given = [q.value for q in ledger.quantities[before.segment.number] if q.dimension == "share"]
        told = [q for q in ledger.quantities[reading.segment.number] if q.start == match.start()]
        if len(told) != 1 or len(given) != 2 or before.segment.block != reading.segment.block:
            continue
        real, value = abs(given[0] - given[1]), told[0].number
        share = Share(told[0].start, told[0].end, value, Decimal("0.05"))
        bound = bound_of(reading.lower, told[0].start)
        if not (share.holds(real, bound) or share.fits(real)) and not ledger.is_open(reading, match.span()):
            reason = f'"{match.group()}" here; {given[0]}% and {given[1]}% are {real} apart'
            yield two_sided(reading, before.segment.number, reason, 0.7)


def wrong_multiples(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Doubled from 120 kg to 200 kg", "have halved: 22 in the summer, 14 since"."""
    for reading in analysis.seek(ledger.prose, _MULTIPLE):
        match = _MULTIPLE.search(reading.lower)
        if not match or _ABOUT.search(reading.lower[: match.start()]):
            continue
        found = [q for q in ledger.quantities[reading.segment.number] if q.start >= match.end()]
        if len(found) != 2 or found[0].dimension != found[1].dimension or found[0].dimension == "share":
            continue
        low, high = sorted(found, key=lambda quantity: quantity.value)
        told = _TIMES_TOLD[match["word"]]
        joined = _ENDS[match["opens"]].search(
            f"{reading.lower[found[0].end : found[1].start]}#{reading.lower[found[1].end :]}"
        )
        is_first = not reading.lower[match.end() : found[0].start].strip(" £$€~")
        if not joined or not is_first or not low.value or ledger.is_open(reading, match.span()):
            continue
        real = high.value / low.value
        if abs(real - told) > told * _LOOSE and real < told * _APART:
            reason = f'"{match["word"]}" here; {quoted(reading, found[0])} and {quoted(reading, found[1])} are a factor of {real:.1f}'
            yield one_sided(reading, reason, 0.7)


_WHEN = r" (?:[a-z]+ )?(?:in|on|at|before|last|until|during|a|then|earlier|for|this|since|now|after|afterwards|today|previously)\b"
_TIMES_TOLD = {"doubled": 2, "halved": 2, "tripled": 3, "trebled": 3, "quadrupled": 4}
_MULTIPLE = regex.compile(
    rf"\b(?P<word>{'|'.join(_TIMES_TOLD)})\b(?:(?P<opens>:)|[^.;:\d]{{0,40}} (?P<opens>from))\s"
)
_ENDS = {
    "from": regex.compile(r"^[^.;,:\d]{0,30}\bto #"),
    ":": regex.compile(rf"^{_WHEN}[^.;:#]{{0,30}}(?:,| and) #{_WHEN}"),
}
"""What stands between the two figures and behind the second (#), by what stands before them."""
_ABOUT = regex.compile(
    r"\b(?:nearly|almost|about|roughly|around|approximately|more than|over|at least|less than|not|never|practically|virtually|all but|some) (?:\w+ )?$"
)
_LOOSE = Decimal("0.15")
"""How far a real factor may be off one that is told in a word, as a part of it."""
_POINTS = regex.compile(r"(?<![\w.])(?:\d+(?:\.\d+)?|[a-z]+) (?:percentage )?points?\b")
_MORE = ("shorter", "less", "fewer", "more", "higher", "lower", "increase of", "growth of", "halved")


def _told(reading: Reading, ledger: Ledger, moved: regex.Pattern[str]) -> Share | None:
    """The change that a sentence tells, where it is its only figure."""
    quantities = ledger.quantities[reading.segment.number]
    told = ledger.shares_of(reading)
    if len(told) != 1 or ledger.is_open(reading, (told[0].start, told[0].end)):
        return None
    share = told[0]
    if any(q.end <= share.start or q.start >= share.end for q in quantities):
        return None
    clause = clause_around(reading.lower, share.start)
    around = reading.lower[max(0, share.start - 36) : share.end + 12]
    return share if moved.search(around) and " of the " not in clause[-1:] else None


class _Pairs:
    """Figures told in pairs: by the noun that they count, and by where they stand."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.by_place: dict[int, Pair] = {}
        self.by_noun: dict[str, list[Pair]] = defaultdict(list)
        for reading in ledger.statements:
            if pair := _pair_in(reading, ledger):
                self.by_place[reading.segment.number] = pair
                noun = next((c.noun for c in ledger.counts_of(reading) if c.quantity == pair.one), "")
                if noun and _VERSUS.search(reading.lower, pair.one.end, pair.two.start + 1):
                    self.by_noun[noun] = [
                        *self.by_noun[noun][:1],
                        pair,
                    ]  # two are as good as many: no one is meant

    def before(self, reading: Reading) -> Pair | None:
        """The pair that the sentences right before tell, of a thing that this one names or concludes from."""
        number, readings = reading.segment.number, self.ledger.analysis.readings
        near = [
            r
            for r in readings[max(0, number - 1 - _BACK) : number - 1]
            if r.segment.section == reading.segment.section
            and r.segment.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
        ]
        concludes = bool(_CONCLUDES.search(reading.lower[:40]))
        for at in range(len(near) - 1, -1, -1):
            pair = self.by_place.get(near[at].segment.number)
            pair = pair or (_pair_of(near[at - 1], near[at], self.ledger) if at else None)
            if pair and (concludes or pair.reading.stems & reading.stems):
                return pair if concludes else None
        return None

    def of(self, reading: Reading) -> Pair | None:
        """The one pair told anywhere of a thing that this sentence names."""
        found = [pair for word in sorted(reading.stems) for pair in self.by_noun.get(word, ())]
        return found[0] if len(found) == 1 and found[0].reading is not reading else None


def _plain(reading: Reading, ledger: Ledger) -> list[Quantity]:
    """The figures of a sentence that can be the two ends of a change: no shares, no small numbers of anything else."""
    return [
        q
        for q in ledger.quantities.get(reading.segment.number, ())
        if q.dimension not in ("share", "time") and q.number_or_value >= _SMALLEST
    ]


def _pair_in(reading: Reading, ledger: Ledger) -> Pair | None:
    found = _plain(reading, ledger)
    if len(found) != 2 or not _IN_THE.search(reading.lower):
        return None
    return _checked(reading, reading, found)


def _pair_of(one: Reading, two: Reading, ledger: Ledger) -> Pair | None:
    """ "Our count stood at 412 in October. A year earlier it was 365." """
    first, second = _plain(one, ledger), _plain(two, ledger)
    if (
        len(first) != 1
        or len(second) != 1
        or not regex.search(r"\b(?:earlier|before|ago|previous|last)\b", two.lower)
    ):
        return None
    return _checked(one, two, [first[0], second[0]])


def _checked(before: Reading, reading: Reading, found: Sequence[Quantity]) -> Pair | None:
    """The pair, where its first figure, of the sentence `before`, and its second can be of one thing."""
    one, two = found
    low, high = sorted((one.value, two.value))
    is_one_kind = one.dimension == two.dimension and low > 0 and high < _APART * low and low != high
    told = f"{quoted(before, one)} and {quoted(reading, two)}"
    return Pair(reading, one, two, told) if is_one_kind else None


def _fits(share: Share, text: str, pair: Pair) -> bool:
    """Whether a change or a ratio of the two can have been told so."""
    low, high = sorted((pair.one.value, pair.two.value))
    bound = bound_of(text, share.start)
    gap = 100 * (high - low)
    real = [gap / high, gap / low]
    if _TO.search(text[: share.start]) or not bound:
        real += [100 * low / high]
    return any(share.holds(r, bound) or share.fits(r) for r in real)
