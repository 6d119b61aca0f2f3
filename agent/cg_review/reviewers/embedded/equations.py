"""Point 5: arithmetic that is written out: "4 + 3 + 6 = 12", "3 lessons of 20 minutes for 6 weeks, which makes 5 hours"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.quantities import Quantity, can_be_counted, read_number
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.telling import figure_like
from cg_review.reviewers.embedded.vocabulary import one_of

_NUMBER = r"[€$£]?\d+(?:[.,]\d{3}(?!\d))*(?:[.,]\d+)?"
_WRITTEN = regex.compile(
    rf"(?<![\w.,+×*/=-])(?<![+×*/=-] )(?P<left>{_NUMBER}(?:\s?[+×*]\s?{_NUMBER}){{1,12}})\s?=\s?(?P<right>{_NUMBER})(?![\d.,]*\s?[+×*/^%])"
)
_CLOCKS = regex.compile(
    r"(?<![\d:.])(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d) ?(?:to|until|and|–|-|till) ?(?P<h2>[01]?\d|2[0-3])[:.](?P<m2>[0-5]\d)(?![\d:.]*\d)"
)
_TERM = regex.compile(rf"(?P<sign>[+×*])?\s?(?P<number>{_NUMBER})")
_CLOSE = Decimal(3)
_BEHIND = regex.compile(r"\s?(?:in total|in all|altogether|all told)\b")
_VAGUE = regex.compile(
    r"\b(?:about|around|roughly|over|more than|less than|under|almost|nearly|up to|at least|some)\b|\d (?:to|or) \d|~|≈"
)


def wrong_equations(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """An equation whose two sides differ."""
    for reading in ledger.statements:
        for match in _WRITTEN.finditer(reading.lower) if "=" in reading.lower else ():
            left = _value(match["left"], ledger.decimal_comma)
            right, _ = read_number(match["right"].strip("€$£"), ledger.decimal_comma)
            if can_be_counted(right) and abs(left - right) > max(
                Decimal("0.005") * abs(left), Decimal("0.01")
            ):
                shown = figure_like(match["right"], Quantity(0, 0, right, number=right), left)
                yield one_sided(reading, f'"{match.group().strip()}" is {shown}', 0.8)


def _value(left: str, decimal_comma: bool | None) -> Decimal:
    total, product = Decimal(0), None
    for term in _TERM.finditer(left):
        number, _ = read_number(term["number"].strip("€$£"), decimal_comma)
        if product is None:
            product = number
        elif term["sign"] == "+":
            total, product = total + product, number
        else:
            product *= number
    return total + (product or Decimal(0))


def wrong_products(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "16 people, four hours each, at €30 an hour come to €1,720" where it is 1,920."""
    cue = one_of(point.words["multiplies"])
    for reading in ledger.statements:
        quantities = ledger.quantities[reading.segment.number]
        if not 3 <= len(quantities) <= 5 or _VAGUE.search(reading.lower):
            continue
        for at in (0, len(quantities) - 1):
            told, factors = quantities[at], [*quantities[:at], *quantities[at + 1 :]]
            before = (
                reading.lower[max(0, told.start - 30) : told.start]
                if at
                else reading.lower[told.end : told.end + 12]
            )
            behind = _BEHIND.match(reading.lower, told.end)
            if (behind or cue.search(before) if at else ":" in before or "(" in before) and _is_product(
                reading, factors
            ):
                made = _product(told, factors)
                if made and _is_off(told.value, made, told, factors):
                    written = reading.segment.plain[told.start : told.end].strip()
                    yield one_sided(
                        reading, f'"{written}", and the figures beside it multiply to another', 0.65
                    )
                    break


def _is_product(reading: Reading, factors: Sequence[Quantity]) -> bool:
    """Whether every factor but the first is tied to the others by "each", "a", "per", "of", "×" or "at"."""
    joined = reading.lower[factors[0].end : factors[-1].end + 12]
    return bool(
        regex.search(
            r"\b(?:each|per|apiece|every|at [€$£\d]|of \d+|of \w+ (?:minutes|hours|days|weeks)|an? (?:head|week|day|month|hour|piece|person|year))\b|[×*]",
            joined,
        )
    )


def _product(told: Quantity, factors: Sequence[Quantity]) -> Decimal | None:
    """All factors multiplied, in the unit of the told figure; None where they can't make it."""
    bases = [q for q in factors if q.dimension == told.dimension]
    if (
        not told.dimension
        or len(bases) < 1
        or any(q.dimension not in ("", "time", told.dimension) for q in factors)
    ):
        return None
    base = min(bases, key=lambda q: q.value)
    made = base.value
    for factor in factors:
        if factor is not base:
            made *= factor.number
    return made


def _is_off(told: Decimal, made: Decimal, quantity: Quantity, factors: Sequence[Quantity]) -> bool:
    if not told or max(told, made) > _CLOSE * min(told, made) or abs(told - made) * 200 <= made:
        return False
    for size in range(2, len(factors) + 1):
        for some in combinations(factors, size):
            product = _product(quantity, some)
            if product and abs(product - told) * 100 <= told:
                return False
    return all(abs(f.value - told) * 100 > told for f in factors)


def wrong_durations(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "From 10:15 to 11:05, 70 minutes in all": it is 50."""
    for reading in ledger.statements:
        told = [q for q in ledger.quantities[reading.segment.number] if q.dimension == "time"]
        spans = list(_CLOCKS.finditer(reading.lower)) if told else []
        if len(spans) != 1 or len(told) != 1 or _NOT_THE_SPAN.search(reading.lower):
            continue
        real = _length(spans[0])
        value = told[0].value
        if real and value != real and real < value * _CLOSE and value < real * _CLOSE and value >= 300:
            written = reading.segment.plain[told[0].start : told[0].end].strip()
            yield one_sided(
                reading, f'"{written}"; from {spans[0].group()} it is {real / 60:,.0f} minutes', 0.65
            )


_NOT_THE_SPAN = regex.compile(
    r"\b(?:every|each|break|pause|per|after|later|before|within|median|about|around|roughly|nearly|almost|over|slots?|of these|of it|of which|take|takes|shift|longer|shorter|late|early|delay|a|an)\b"
)


def wrong_durations_told(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Between 10:42 and 13:05 the tills stood. We couldn't sell for almost four hours": it is two and a half."""
    latest: Reading | None = None
    seeming = {reading.segment.number for reading in analysis.seek(ledger.statements, _CLOCKS)}
    for reading in ledger.statements:
        has_clocks = reading.segment.number in seeming and _CLOCKS.search(reading.lower)
        before, latest = latest, reading if has_clocks else latest
        spans = list(_CLOCKS.finditer(before.lower)) if before else []
        told = [q for q in ledger.quantities[reading.segment.number] if q.dimension == "time"]
        if not before or len(spans) != 1 or len(told) != 1 or before.segment.block != reading.segment.block:
            continue
        if _NOT_OF_BEFORE.search(reading.lower) or has_clocks:
            continue
        real = _length(spans[0])
        value = told[0].value
        is_near = abs(value - real) * 100 <= 17 * real
        if not is_near and 900 <= value < real * _CLOSE and real < value * _CLOSE:
            written = reading.segment.plain[told[0].start : told[0].end].strip()
            reason = f'"{written}"; {spans[0].group()} before it is {real / 60:,.0f} minutes'
            yield two_sided(reading, before.segment.number, reason, 0.65)


def _length(span: regex.Match[str]) -> Decimal:
    """Seconds between two times of day."""
    minutes = [60 * int(span[h]) + int(span[m]) for h, m in (("h", "m"), ("h2", "m2"))]
    return Decimal((minutes[1] - minutes[0]) % (24 * 60) * 60)


_NOT_OF_BEFORE = regex.compile(
    r"\b(?:every|each|break|pause|per|after|later|before|within|median|average|mean|slots?|takes?|shift|longer|shorter|late|early|delay|ahead|ago|until|more|less|another|of it|of this|another|at most|at least|once|must|should|can|may)\b"
)
