"""Point 5: a share told in words, against the part and the whole told elsewhere: "9,331 of 71,204", "every fifth meal"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import YEARISH, Ledger
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.shares import Share, bound_of
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stems, words_of

_BETWEEN = regex.compile(
    r" (?P<whole>[a-z][a-z' -]{2,30}?),? (?:\([^)]*\),? )?of (?:which|these|them|whom),? (?:only |just |some )?"
)
_CUT = regex.compile(r"[,.;:()]| and ")
_OF = regex.compile(r" (?:out )?of (?:the |our |its |all |these )?")
_MOST_NAMES = 4
_MANY = 8
"""So many ratios of one name are of many things; more of them need no look."""
_LONGEST = 12  # words of a sentence that tells a share


@dataclass(frozen=True, slots=True)
class Ratio:
    """So many of so many, with the stems that name the part and those that name the whole."""

    reading: Reading
    part: Quantity
    whole: Quantity
    names: frozenset[str]
    of: frozenset[str]

    @property
    def percent(self) -> Decimal:
        """The part in percent of the whole."""
        return 100 * self.part.value / self.whole.value


def wrong_shares_elsewhere(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "71,204 meals, of which 9,331 were special diets", and "special diets are every fifth meal"."""
    by_name: dict[str, list[Ratio]] = defaultdict(list)
    for ratio in _ratios(ledger):
        for name in ratio.names:
            if len(by_name[name]) < _MANY:
                by_name[name].append(ratio)
    moved = one_of(point.words["moved"])
    for reading in ledger.statements if by_name else ():
        share = _told(reading, ledger)
        if share is None or moved.search(reading.lower):
            continue
        about = {id(ratio): ratio for name in sorted(reading.stems) for ratio in by_name.get(name, ())}
        about = {key: r for key, r in about.items() if r.names <= reading.stems and r.of & reading.stems}
        found = [ratio for ratio in about.values() if ratio.reading is not reading]
        if len(found) != 1 or _fits(share, reading.lower, found[0].percent):
            continue
        ratio = found[0]
        written = reading.segment.plain[share.start : share.end].strip()
        reason = f'"{written}" here; {ratio.part.number:,f} of {ratio.whole.number:,f} elsewhere, which is {ratio.percent:.0f}%'
        yield two_sided(reading, ratio.reading.segment.number, reason, 0.7)


def _told(reading: Reading, ledger: Ledger) -> Share | None:
    """The share of a short sentence without another figure or period."""
    told = ledger.shares_of(reading)
    if len(told) != 1 or len(reading.words) > _LONGEST or YEARISH.search(reading.lower):
        return None
    share = told[0]
    others = [
        q for q in ledger.quantities[reading.segment.number] if q.end <= share.start or q.start >= share.end
    ]
    return None if others or ledger.is_open(reading, (share.start, share.end)) else share


def _fits(share: Share, text: str, real: Decimal) -> bool:
    bound = bound_of(text, share.start)
    return share.fits(real) or share.holds(real, bound)


def _ratios(ledger: Ledger) -> Iterator[Ratio]:
    for reading in ledger.statements:
        counts = [q for q in ledger.quantities[reading.segment.number] if not q.dimension]
        for one, two in pairwise(counts):
            ratio = _of_which(reading, one, two) or _out_of(reading, one, two)
            if ratio:
                yield ratio


def _of_which(reading: Reading, whole: Quantity, part: Quantity) -> Ratio | None:
    """ "71,204 meals, of which 9,331 were special diets"."""
    between = _BETWEEN.fullmatch(reading.lower, whole.end, part.start)
    if not between or not 0 < part.value < whole.value:
        return None
    told = _CUT.split(reading.lower[part.end :])[0]
    return _ratio(reading, part, whole, told, between["whole"])


def _out_of(reading: Reading, part: Quantity, whole: Quantity) -> Ratio | None:
    """ "31,710 of the 38,204 lines were accepted"."""
    if not _OF.fullmatch(reading.lower, part.end, whole.start) or not 0 < part.value < whole.value:
        return None
    noun, _, told = _CUT.split(reading.lower[whole.end :])[0].strip().partition(" ")
    return _ratio(reading, part, whole, told, noun)


def _ratio(reading: Reading, part: Quantity, whole: Quantity, told: str, noun: str) -> Ratio | None:
    names, of = stems(words_of(told)), stems(words_of(noun))
    few = 0 < len(names) <= _MOST_NAMES
    return Ratio(reading, part, whole, frozenset(names), frozenset(of)) if few and of else None
