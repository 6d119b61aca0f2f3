"""Shares told in a sentence: "38%", "a quarter", "two thirds", "four in five", "94 cases of a hundred"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import regex

from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.prefilter import keys_for
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, Quantity

_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
FRACTION_WORDS = {*_PARTS, *(f"{part}s" for part in _PARTS), "in", "hundred"}
"""Words without which a sentence that has no figure tells no share."""
_FRACTION = regex.compile(
    r"\b(?:(?P<count>a|one|two|three|four|five|seven|nine)[ -](?:good )?(?P<part>half|third|quarter|fifth|sixth|eighth|tenth)s?|(?P<half>half))\b(?! an?\b|-|[’'])"
)
_IN = regex.compile(
    rf"\b(?P<part>\d{{1,3}}|hundred|{'|'.join(NUMBER_WORDS)}) (?:[a-z-]+ )?(?:in|of|out of) (?:every )?(?:an? )?(?P<whole>two|three|four|five|eight|ten|twenty|hundred|100)\b(?! \w+s\b)"
)
_EVERY = regex.compile(
    r"\bevery (?P<part>second|third|fourth|fifth|sixth|eighth|tenth) (?!year|month|week|day|time|hour)[a-z]+\b"
)
_KEYS = keys_for(_FRACTION, _IN, _EVERY)
_EVERY_PARTS = _PARTS | {"second": 2, "fourth": 4}
_WIDE = 25
"""Nobody says "more than half" of more than so many percent above it."""
_AT_LEAST = regex.compile(r"\b(?:more than|over|upwards of|at least|exceeds?|a good|a little over)\s$")
_AT_MOST = regex.compile(
    r"\b(?:less than|fewer than|under|below|at most|no more than|not quite|within|up to)\s$"
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of [start, end), `value` in percent; `slack` is how far a real one may be off, as a part of it."""

    start: int
    end: int
    value: Decimal
    slack: Decimal

    def fits(self, real: Decimal) -> bool:
        """Whether `real` (percent) can have been told so."""
        off = abs(self.value - real)
        return off <= max(Decimal("1.05"), abs(real) * self.slack) and off * 3 <= max(
            self.value, real, Decimal(3)
        )

    def holds(self, real: Decimal, bound: int) -> bool:
        """Whether `real` (percent) can have been told so, as a lower (1) or upper (-1) bound or as it is (0)."""
        if not bound:
            return self.fits(real)
        return 0 <= (real - self.value) * bound <= _WIDE


def bound_of(text: str, start: int) -> int:
    """1 where what is told at `start` is a lower bound ("more than"), -1 where it is an upper one, else 0."""
    if text.startswith("a good ", start):
        return 1
    before = text[max(0, start - 24) : start]
    return 1 if _AT_LEAST.search(before) else -1 if _AT_MOST.search(before) else 0


def shares(reading: Reading, quantities: Sequence[Quantity]) -> list[Share]:
    """The shares that a sentence with these quantities tells, left to right."""
    found = [Share(q.start, q.end, q.value, Decimal("0.02")) for q in quantities if q.dimension == "share"]
    if _KEYS is None or not _KEYS.isdisjoint(reading.keys):
        found += _fractions(reading.lower)
    return sorted(found, key=lambda share: share.start)


def _fractions(text: str) -> Iterator[Share]:
    for match in _FRACTION.finditer(text):
        count = NUMBER_WORDS.get(match["count"] or "", 1)
        whole = _PARTS[match["part"] or "half"]
        if count < whole:
            yield Share(*match.span(), Decimal(100 * count) / whole, Decimal("0.12"))
    for match in _IN.finditer(text):
        part, whole = _number(match["part"]), _number(match["whole"])
        if 0 < part < whole:
            fine = whole > 20 or (whole == 10 and part > 5)  # "seven in ten" says that it is not six
            slack = Decimal("0.02") if whole > 20 else Decimal("0.065") if fine else Decimal("0.12")
            yield Share(*match.span(), Decimal(100) * part / whole, slack)
    for match in _EVERY.finditer(text):
        yield Share(*match.span(), Decimal(100) / _EVERY_PARTS[match["part"]], Decimal("0.12"))


@lru_cache(maxsize=256)
def _number(word: str) -> int:
    if word.isdecimal():
        return int(word) if len(word) < 4 else 0
    return 100 if word == "hundred" else NUMBER_WORDS.get(word, 0)
