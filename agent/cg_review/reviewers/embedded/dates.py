"""Dates in a text, with offsets. No library: dateparser and dateutil guess (a lone "May", "10/05", "3"), and give no
offsets or are slow; what a review needs is to know when a date is certain and to say nothing when it is not."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import regex

from cg_review.keys import DIGIT, keys_of

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b"
_LONG_MONTH = "|".join(name for name in calendar.month_name if name)
_YEAR = r"(?:19|20)\d\d"

_PATTERN = regex.compile(
    rf"""(?<![\w./-])(?:
    (?P<iso>{_YEAR}-\d\d?-\d\d?)(?![\d-])
  | (?P<isomonth>{_YEAR}-(?:0[1-9]|1[0-2]))(?![\d-])
  | (?P<slash>\d{{1,2}}/\d{{1,2}}/{_YEAR})\b
  | (?P<dot>\d{{1,2}}\.\s?\d{{1,2}}\.\s?{_YEAR})\b
  | (?P<dmy>\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ {_MONTH}(?:\.?,?\ {_YEAR}\b)?)
  | (?P<mdy>{_MONTH}\.?\ \d{{1,2}}(?:st|nd|rd|th)?\b(?!\d)(?:,?\ {_YEAR}\b)?)
  | (?P<my>{_MONTH}\.?,?\ {_YEAR})\b
  | (?P<quarter>(?:Q[1-4][\ /-]?{_YEAR}|{_YEAR}[\ /-]?Q[1-4]|H[12]\ {_YEAR}))\b
  | (?P<month>(?<=\b(?:in|by|since|until|from|before|after|for|during|early|late|mid|of|this|end)\ )(?:{_LONG_MONTH})\b(?!\ \d))
  | (?P<year>(?<=\b(?:in|by|since|until|from|before|after|of|for|during|year|to|and|spring|summer|autumn|winter|fall|early|late|mid|end|the)\ ){_YEAR})(?![\d-]|\.\d)\b
  )""",
    regex.VERBOSE | regex.IGNORECASE,
)
_KEYS = keys_of(" ".join(_MONTHS)) | keys_of(" ".join(_MONTHS).replace("s", "\u017f"))
_ANY_YEAR = re.compile(_YEAR)
_SLASHED = regex.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text: the days it can mean, `first` to `last`; both None for a date that does not exist.

    `unit` is "day", "month", "quarter" or "year"; `year_given` is false for "11 December"; `ambiguous` for 03/04/2026
    where nothing in the document says which is the month.
    """

    start: int
    end: int
    unit: str
    first: date | None
    last: date | None
    year_given: bool = True
    ambiguous: bool = False


def reads_month_first(texts: Iterable[str]) -> bool | None:
    """Whether dates such as 3/4/2026 put the month first: decided by one that can only be read one way; None if none."""
    for text in texts:
        for match in _SLASHED.finditer(text):
            if int(match[1]) > 12:
                return False
            if int(match[2]) > 12:
                return True
    return None


def may_have_dates(text: str, keys: frozenset[str]) -> bool:
    """Whether a text with these keys (`needs`) can have a date: every one has a year or the name of a month."""
    return not keys.isdisjoint(_KEYS) or (DIGIT in keys and _ANY_YEAR.search(text) is not None)


def find_dates(text: str, month_first: bool | None = None) -> tuple[DateMention, ...]:
    """The dates of `text`, left to right. A date without a year is kept with `first` and `last` None and `year_given`
    false, unless it cannot exist in any year."""
    found = []
    for match in _PATTERN.finditer(text):
        mention = _read(match, month_first)
        if mention:
            found.append(mention)
    return tuple(found)


def _read(match: regex.Match[str], month_first: bool | None) -> DateMention | None:
    kind, written = match.lastgroup or "", match.group()
    start, end = match.span()
    if kind in {"iso", "slash", "dot"}:
        numbers = [int(part) for part in regex.findall(r"\d+", written)]
        ambiguous = kind == "slash" and month_first is None and numbers[0] != numbers[1]
        if kind == "iso":
            year, month, day = numbers
        elif kind == "slash" and month_first:
            month, day, year = numbers
        else:
            day, month, year = numbers
        return _day(start, end, year, month, day, ambiguous and max(numbers[:2]) <= 12)
    if kind in {"dmy", "mdy"}:
        return _named_day(start, end, written)
    if kind == "isomonth":
        return _month(start, end, int(written[:4]), int(written[5:7]))
    if kind == "my":
        return _month(start, end, int(written[-4:]), _month_number(written))
    if kind == "month":
        return DateMention(start, end, "month", None, None, year_given=False)
    if kind == "quarter":
        return _quarter(start, end, written)
    year = int(written[-4:])
    return DateMention(start, end, "year", date(year, 1, 1), date(year, 12, 31))


def _month_number(written: str) -> int:
    return next(_MONTHS[word] for word in regex.findall(r"[a-z]+", written.lower()) if word in _MONTHS)


def resolve(mention: DateMention, written: str, near: date) -> tuple[date, date] | None:
    """The days a mention means; one without a year is read as the occurrence nearest to `near`. None if it is no day."""
    if mention.first and mention.last:
        return mention.first, mention.last
    if mention.year_given or mention.unit == "impossible":
        return None
    month = _month_number(written)
    day = next((int(number) for number in regex.findall(r"\d+", written)), None)
    candidates = []
    for year in (near.year - 1, near.year, near.year + 1):
        last = calendar.monthrange(year, month)[1]
        if day is None:
            candidates.append((date(year, month, 1), date(year, month, last)))
        elif day <= last:
            candidates.append((date(year, month, day), date(year, month, day)))
    return min(candidates, key=lambda days: abs((days[0] - near).days), default=None)


def _named_day(start: int, end: int, written: str) -> DateMention | None:
    month = _month_number(written)
    numbers = [int(number) for number in regex.findall(r"\d+", written)]
    day, year = numbers[0], numbers[1] if len(numbers) > 1 else None
    if year is not None:
        return _day(start, end, year, month, day)
    exists = 1 <= day <= calendar.monthrange(2024, month)[1]
    if not exists and day > 31:
        return None  # "May 95": no day at all
    return DateMention(start, end, "day" if exists else "impossible", None, None, year_given=False)


def _day(
    start: int, end: int, year: int, month: int, day: int, ambiguous: bool = False
) -> DateMention | None:
    try:
        exact = date(year, month, day)
    except ValueError:
        return DateMention(start, end, "impossible", None, None)
    return DateMention(start, end, "day", exact, exact, ambiguous=ambiguous)


def _month(start: int, end: int, year: int, month: int, months: int = 1, unit: str = "month") -> DateMention:
    last = month + months - 1
    return DateMention(
        start, end, unit, date(year, month, 1), date(year, last, calendar.monthrange(year, last)[1])
    )


def _quarter(start: int, end: int, written: str) -> DateMention:
    year = int(next(n for n in regex.findall(r"\d+", written) if len(n) == 4))
    number = int(regex.findall(r"[QH]\s?(\d)", written, regex.IGNORECASE)[0])
    months = 3 if "q" in written.lower() else 6
    return _month(start, end, year, (number - 1) * months + 1, months, "quarter")
