"""Quantities in a text, with offsets: number, unit and the thing counted.

No library: quantulum3 and pint read units well but guess at "20,00" and "1.355" and are slow; a ledger needs to know
which reading a document's own numbers call for, and when there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import regex

from cg_review.keys import DIGIT, DIGITS, keys_of

_UNITS: dict[str, tuple[str, Decimal]] = {}
for _dimension, _table in {
    "time": "ns 1e-9 µs 1e-6 us 1e-6 ms 0.001 millisecond 0.001 milliseconds 0.001 s 1 sec 1 second 1 seconds 1 min 60 minute 60 "
    "minutes 60 h 3600 hour 3600 hours 3600 day 86400 days 86400 week 604800 weeks 604800 month 2629800 months 2629800 year 31557600 years 31557600",
    "bytes": "kb 1e3 mb 1e6 gb 1e9 tb 1e12 kib 1024 mib 1048576 gib 1073741824",
    "length": "mm 0.001 cm 0.01 m 1 metre 1 metres 1 meter 1 meters 1 km 1000 kilometre 1000 kilometres 1000",
    "mass": "g 0.001 kg 1 t 1000 tonne 1000 tonnes 1000",
    "volume": "ml 0.001 l 1 litre 1 litres 1 liter 1 liters 1",
    "temperature": "°c 1",
    "power": "w 1 kw 1e3 mw 1e6",
    "energy": "wh 1 kwh 1e3 mwh 1e6",
    "share": "% 1 percent 1",
    "€": "€ 1 eur 1 euro 1 euros 1 k€ 1e3",
    "$": "$ 1 usd 1 dollar 1 dollars 1 k$ 1e3",
    "£": "£ 1 gbp 1 pounds 1 k£ 1e3",
    "chf": "chf 1",
}.items():
    _parts = _table.split()
    _UNITS |= {
        name: (_dimension, Decimal(factor)) for name, factor in zip(_parts[::2], _parts[1::2], strict=True)
    }

MONEY = frozenset("€$£") | {"chf"}
_SCALES = {
    "k": 1000,
    "m": 10**6,
    "bn": 10**9,
    "million": 10**6,
    "millions": 10**6,
    "billion": 10**9,
    "thousand": 1000,
}
NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
_UNITS["per cent"] = _UNITS["%"]
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_UNIT_NAMES = "|".join(sorted((regex.escape(u) for u in _UNITS if u not in "€$£"), key=len, reverse=True))
_PATTERN = regex.compile(
    rf"""(?<![\w.,/:#§-])(?P<before>[€$£~]{{0,2}})\s?
    (?P<number>\d+(?:[.,'\u00a0\u202f]\d{{3}})*(?:[.,]\d+)?)
    (?:(?P<scale>k|m|bn)(?=[€$£\s.,;:)]|$)|\ (?P<words>million|billion|thousand)\b)?
    (?:[\s\u00a0]?(?P<unit>[€$£%]|(?:{_UNIT_NAMES})(?![\w/])))?
    (?![\d]|[.,:/-]\d)""",
    regex.VERBOSE,
)
_LONG_UNITS = "|".join(
    sorted((regex.escape(u) for u in _UNITS if len(u) > 3 or u == "%"), key=len, reverse=True)
)
_WORD_PATTERN = regex.compile(
    rf"""(?<![\w-])(?:(?P<tens>{"|".join(_TENS)})(?:-(?P<ones>{"|".join(list(NUMBER_WORDS)[1:10])}))?
    |(?P<small>{"|".join(list(NUMBER_WORDS)[2:20])})
    |(?:a|one)\ (?P<hundred>hundred)(?!\ and))\b(?!-)(?:\ (?P<scale>thousand|million)\b)?(?:\ (?P<unit>{_LONG_UNITS})(?![\w/]))?""",
    regex.VERBOSE,
)
LONGEST, _DECIMALS = 15, 9  # digits: with what many rows add, no more than the 28 that Decimal tells exactly
_WORD_KEYS = keys_of(" ".join([*_TENS, *list(NUMBER_WORDS)[2:], "hundred"]))
_KEYS = _WORD_KEYS | {DIGIT}
_GROUPING = regex.compile("['\u00a0\u202f]")
_SEPARATED = regex.compile(r"\d[.,]\d")
_EUROPEAN = regex.compile(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{1,2}|0,\d+)(?![\d.,]*\d)")
_ENGLISH = regex.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+\.\d{1,2}|[1-9]\d{0,2},\d{3})(?![\d.,]*\d)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at [start, end) of a text. `value` is in the base unit of `dimension` ("" for a plain count), `number`
    in the unit that is written. `written` is the cell of a table as it stands there (in a sentence, offsets tell it).

    `ambiguous` is true for "1.355 €" where the document doesn't show what its points mean.
    """

    start: int
    end: int
    value: Decimal
    dimension: str = ""
    ambiguous: bool = False
    number: Decimal = Decimal(0)
    written: str = ""

    @property
    def number_or_value(self) -> Decimal:
        """The number as written; the value where that isn't known."""
        return self.number or self.value

    def in_unit(self, value: Decimal) -> Decimal:
        """What `value`, in the base unit, is in the unit that is written."""
        return value * self.number_or_value / self.value if self.value else value


def writes_decimal_comma(texts: Iterable[str]) -> bool | None:
    """Whether the numbers of a document put a comma before decimals; None where nothing shows it."""
    european = english = 0
    for text in texts:
        if _SEPARATED.search(text):
            european += len(_EUROPEAN.findall(text))
            english += len(_ENGLISH.findall(text))
    return None if european == english else european > english


def may_have_quantities(keys: frozenset[str]) -> bool:
    """Whether a text with these keys can have a quantity."""
    return not keys.isdisjoint(_KEYS)


def find_quantities(
    lowered: str, decimal_comma: bool | None, keys: frozenset[str] = _WORD_KEYS
) -> list[Quantity]:
    """The quantities of a lower-cased text, left to right, number words from two to a hundred among them.

    `keys` are those of the text, where they are known: they say whether it has a number word.
    """
    found = []
    if DIGITS.search(lowered):
        for match in _PATTERN.finditer(lowered):
            quantity = _read(match, decimal_comma)
            if can_be_counted(quantity.number):
                found.append(quantity)
    if not keys.isdisjoint(_WORD_KEYS):
        for match in _WORD_PATTERN.finditer(lowered):
            found.append(_read_words(match))
    return sorted(found, key=lambda quantity: quantity.start)


def can_be_counted(number: Decimal) -> bool:
    """Whether a number has no more digits than sums of it can be told with; one that has is an identifier."""
    return number.adjusted() < LONGEST and int(number.as_tuple().exponent) >= -_DECIMALS


def _read(match: regex.Match[str], decimal_comma: bool | None) -> Quantity:
    before, written = match["before"].strip("~"), match["number"]
    unit = before or match["unit"] or ""
    dimension, factor = _UNITS.get(unit, ("", Decimal(1)))
    value, ambiguous = read_number(written, decimal_comma)
    scale = _SCALES.get(match["scale"] or match["words"] or "", 1)
    trailing_sign = dimension in MONEY and not before
    return Quantity(
        match.start(),
        match.end(),
        value * scale * factor,
        dimension,
        ambiguous and trailing_sign,
        value * scale,
    )


def _read_words(match: regex.Match[str]) -> Quantity:
    small = match["small"] or match["ones"]
    value = Decimal(
        _TENS.get(match["tens"], 0) + NUMBER_WORDS.get(small, 0) + (100 if match["hundred"] else 0)
    ) * _SCALES.get(match["scale"] or "", 1)
    dimension, factor = _UNITS.get(match["unit"], ("", Decimal(1)))
    return Quantity(match.start(), match.end(), value * factor, dimension, number=value)


def read_number(written: str, decimal_comma: bool | None) -> tuple[Decimal, bool]:
    """The value of a written number, and whether another reading is as good."""
    digits = _GROUPING.sub("", written)
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        decimal = max(comma, point)
        return Decimal(_digits(digits[:decimal]) + "." + digits[decimal + 1 :]), False
    at = max(comma, point)
    if at < 0:
        return Decimal(digits), False
    sign = digits[at]
    grouped = len(digits) - at - 1 == 3 and digits[0] != "0" and len(digits.split(sign)[0]) <= 3
    if digits.count(sign) > 1:
        return Decimal(_digits(digits)), False
    if not grouped:
        return Decimal(_digits(digits[:at]) + "." + digits[at + 1 :]), False
    is_decimal = decimal_comma is True if sign == "," else decimal_comma is not True
    value = Decimal(digits[:at] + "." + digits[at + 1 :]) if is_decimal else Decimal(_digits(digits))
    return value, sign == "." and decimal_comma is None


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
