"""Values that documents tell, and whether two of them can both be right."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import regex

from cg_review.reviewers.embedded.dates import DateMention, find_dates
from cg_review.reviewers.embedded.quantities import MONEY, Quantity, find_quantities

_PERIODS = {"second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "h": 3600, "day": 86400}
_PER = regex.compile(
    r"(?: ?(?P<what>requests?|reqs?|calls?|messages?|events?|queries|jobs?))?"
    r"(?: (?:per|an?|each|every) |/| / )(?P<per>[a-z]+)\b(?:(?: (?:per|an?|each) |/| / )(?P<then>[a-z]+)\b)?"
)
_PERIOD_WORDS = {"mo": "month", "yr": "year", "monthly": "month", "yearly": "year", "annually": "year"}
_NO_NAMES = frozenset({"the", "dr", "prof", "mr", "mrs", "ms"})
_OFTEN = regex.compile(r" (monthly|yearly|annually)\b")
_UNIT = regex.compile(r"[a-zµ%°€$£]+\.?$")
# Units of one dimension are not multiples of each other in everybody's counting: a month has 30 days, a MB 1,048,576 bytes.
_SLACK = Decimal("0.07")


@dataclass(frozen=True, slots=True)
class Value:
    """What is told: a number, days from `low` to `high`, or names. `unit` is the unit as written.

    `rounding` is how far the number may be from what was measured; only values of one `kind` are compared.
    """

    kind: str
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    rounding: Decimal = Decimal(0)
    unit: str = ""
    names: frozenset[str] = frozenset()

    def agrees(self, other: Value) -> bool:
        """Whether both can be told of one thing."""
        if self.kind != other.kind:
            return True
        if self.kind == "name":
            return _same_names(self, other)
        if self.kind == "version":
            return f"{self.unit}.".startswith(f"{other.unit}.") or f"{other.unit}.".startswith(
                f"{self.unit}."
            )
        if self.kind == "date":
            return self.low <= other.high and other.low <= self.high
        slack = _SLACK * max(self.low, other.low) if self.unit != other.unit else Decimal(0)
        return abs(self.low - other.low) <= max(self.rounding, other.rounding, slack)


def read_value(plain: str, start: int, comma: bool | None) -> tuple[Value, int] | None:
    """The value that stands at `start` and where it ends; None where none does, or more than one reading is good."""
    for date in find_dates(plain):
        if date.start == start:
            value = _date(date)
            return (value, date.end) if value else None
    lower = plain.lower()
    for quantity in find_quantities(lower, comma):
        if quantity.start <= start + 1 <= quantity.end and quantity.start >= start - 1:
            return None if quantity.ambiguous else _amount(lower, quantity)
    return None


def _date(date: DateMention) -> Value | None:
    if not date.first or not date.last or date.ambiguous:
        return None
    return Value("date", Decimal(date.first.toordinal()), Decimal(date.last.toordinal()))


def _amount(lower: str, quantity: Quantity) -> tuple[Value, int] | None:
    value, end = quantity.value, quantity.end
    written = lower[quantity.start : end].strip()
    rounding = _rounding(value, written)
    per = _PER.match(lower, end)
    if not quantity.dimension:
        if per is None:
            return Value("number", value, value, rounding), end
        seconds = _PERIODS.get(per["per"]) if per["what"] or per["then"] is None else None
        return (
            (Value("rate", value / seconds, value / seconds, unit=per["per"]), per.end()) if seconds else None
        )
    unit = _UNIT.search(written)
    kind, unit_written = quantity.dimension, unit.group() if unit else ""
    often = _OFTEN.match(lower, end) if kind in MONEY else None
    if per and not per["what"]:
        kind += "".join("/" + _PERIOD_WORDS.get(p, p) for p in (per["per"], per["then"]) if p)
        end = per.end()
    elif often:
        kind, end = f"{kind}/{_PERIOD_WORDS[often[1]]}", often.end()
    return Value(kind, value, value, rounding, unit_written), end


def _rounding(value: Decimal, written: str) -> Decimal:
    """Half a unit of the last digit of a number with decimals, or of millions; whole numbers are exact."""
    number = regex.search(r"\d+(?:[.,]\d+)*", written)
    decimals = regex.search(r"[.,](\d{1,2})$", number.group()) if number else None
    if not number or not value or not (decimals or regex.search(r"\d ?(?:m|bn|million|billion)\b", written)):
        return Decimal(0)
    digits = len(decimals[1]) if decimals else 0
    plain = Decimal(regex.sub(r"[.,]", "", number.group())) / 10**digits
    return abs(value / plain) / (2 * 10**digits) * Decimal("0.999") if plain else Decimal(0)


def name_value(written: str) -> Value:
    """A person or a team."""
    words = [word.lower() for word in regex.findall(r"[\w'’-]+", written) if word.lower() not in _NO_NAMES]
    team = {"team", "squad", "group", "guild", "department", "desk"} & set(words)
    return Value("name", unit="team" if team else "", names=frozenset(words) - {"team"})


def _same_names(one: Value, two: Value) -> bool:
    if one.names <= two.names or two.names <= one.names:
        return True
    if one.unit != two.unit:
        return True  # a team and a person can both answer for something
    initials = {name[0] for name in one.names ^ two.names}
    return bool(one.names & two.names) and len(initials) < len(one.names ^ two.names)
