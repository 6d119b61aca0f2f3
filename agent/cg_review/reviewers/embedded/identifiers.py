"""Point 5: "beat 12" of eleven stretches, "class 4" of classes from 0 to 3, room for 24 programs of 1 to 20."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.words import stem

_TO = r"(?: \([^)]{1,40}\))? ?(?:to|–|-|through|until) ?"
_LOW_TO_HIGH = re.compile(rf"[01]{_TO}[a-z]?\d")  # what a range has in any case, found sooner
_RANGE = regex.compile(
    r"\b(?P<noun>[a-z]{3,})(?:,? (?:are|is|which are))?(?:,? (?:numbered|counted|named|labelled))? (?:from )?(?P<low>[01]|[a-z]0?1)"
    rf"{_TO}"
    r"(?P<high>[a-z]?\d{1,3})\b(?! ?(?:%|°|[a-z]{1,2}\b))(?! \([^)]*of)"
)
_USE = regex.compile(
    r"\b(?P<noun>[a-z]{3,}) (?:no\. |number |#)?(?P<n>\d{1,3})\b(?![.:,/-]\d)(?! ?(?:%|°|€|£|\$|x|×|to|–|-|and|of\b))"
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Things with numbers up to `high`."""

    reading: Reading
    low: int
    high: int
    written: str


def wrong_identifiers(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A number that none of the things has, and a count of more of them than have numbers."""
    ignored = {stem(word) for word in point.words["numbered_otherwise"]}
    numbered: dict[str, Numbered | None] = {}
    for reading in analysis.seek(ledger.statements, _RANGE):
        for match in _RANGE.finditer(reading.lower) if _LOW_TO_HIGH.search(reading.lower) else ():
            noun = stem(match["noun"])
            low, high = (
                int(match["low"].lstrip("abcdefghijklmnopqrstuvwxyz")),
                int(match["high"].lstrip("abcdefghijklmnopqrstuvwxyz")),
            )
            if noun in ignored or high - low < 2:
                continue
            here = Numbered(reading, low, high, match.group())
            same = noun not in numbered or (numbered[noun] is not None and numbered[noun].high == high)  # type: ignore[union-attr]
            numbered[noun] = here if same else None  # two ranges of one name: no one of them is all
    known = {noun: found for noun, found in numbered.items() if found}
    outside: dict[str, dict[int, tuple[Reading, str]]] = defaultdict(dict)
    for reading in ledger.statements if known else ():
        for match in _USE.finditer(reading.lower):
            found, number = known.get(stem(match["noun"])), int(match["n"])
            is_inside = not found or reading is found.reading or found.low <= number <= found.high
            if not is_inside and 0 < number <= 4 * found.high:  # type: ignore[union-attr]
                outside[stem(match["noun"])].setdefault(number, (reading, match.group()))
    for noun, uses in outside.items():
        if len(uses) == 1:  # with more, the range is one of several
            found = known[noun]
            ((reading, written),) = uses.values()
            reason = f'"{written}" here; elsewhere "{found.written}"'
            yield two_sided(reading, found.reading.segment.number, reason, 0.75)
    yield from _more_than_numbers(ledger, known)


def _more_than_numbers(ledger: Ledger, known: dict[str, Numbered]) -> Iterator[RawFinding]:
    for count in ledger.counts if known else ():
        found = known.get(count.noun)
        if not found or count.reading is found.reading or count.approximate or count.modifiers:
            continue
        if found.high - found.low + 1 < count.value <= 2 * found.high:
            reason = f'"{count.written}" here; elsewhere "{found.written}"'
            yield two_sided(count.reading, found.reading.segment.number, reason, 0.65)
