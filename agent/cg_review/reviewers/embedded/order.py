"""Point 8: versions, times and events that stand out of order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import regex

from cg_review.document import SegmentKind, Table
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.dates import find_dates

_VERSION = regex.compile(
    r"(?:(?<=^|[\s\[(*])v(?:ersion )?\s?|(?<=^|[\[\s(*]))(\d+(?:\.\d+){1,2})(?![\d.]*\d|\s?%|\.\d|-(?!\d{4})\w)",
    regex.IGNORECASE,
)
_TIME = regex.compile(r"\b([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?\b")
_TIME_RANGE = regex.compile(
    r"from ([01]?\d|2[0-3]):([0-5]\d) (?:to|until) ([01]?\d|2[0-3]):([0-5]\d)[^.;]{0,30}?\b(\d+) (minutes|min|hours|h)\b"
)
_YEARS = regex.compile(r"\bfor (\w+) years,? (?:from|between) ((?:19|20)\d\d) (?:to|and) ((?:19|20)\d\d)\b")
_NUMBERS = {
    w: i
    for i, w in enumerate(
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
_BEFORE = regex.compile(r"\b(before|after|earlier than|later than|ahead of|prior to)\b")


@dataclass(frozen=True, slots=True)
class Release:
    """A version with its day, and where that stands."""

    version: tuple[int, ...]
    day: date
    reading: Reading
    written: str


def version_order(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A version that is dated before the one it follows."""
    releases = sorted(_releases(analysis), key=lambda release: release.version)
    for earlier, later in itertools.pairwise(releases):
        if (
            later.day < earlier.day
            and earlier.version != later.version
            and _same_line(earlier.version, later.version)
        ):
            yield RawFinding(
                point=8,
                segment=later.reading.segment.number,
                reason=f'"{later.written}" ({later.day}) is dated before "{earlier.written}" ({earlier.day}), which it follows',
                fix="the two dates in order",
                confidence=0.85,
                related=(Quote(segment=earlier.reading.segment.number, quote=""),),
            )


def _same_line(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    """Whether the versions follow each other: the same minor line, or two first releases (backports may come late)."""
    a, b = ((*one, 0, 0))[:3], ((*two, 0, 0))[:3]
    if a[:2] == b[:2]:
        return True
    return a[0] == b[0] and b[2] == 0 and a[2] == 0


def _releases(analysis: Analysis) -> Iterator[Release]:
    """Versions that open a heading, a list item or a table row which gives a day."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        segment = reading.segment
        if segment.kind is SegmentKind.TABLE or not mentions:
            continue
        days = [m for m in mentions if m.unit == "day" and m.first and not m.ambiguous]
        if len(days) != 1 or days[0].first is None:
            yield from _told_releases(reading, analysis)
            continue
        match = _VERSION.search(segment.plain)
        if (
            match
            and not days[0].start <= match.start(1) < days[0].end
            and (match.start() < 12 or segment.kind is SegmentKind.ROW)
            and len(segment.plain) < 200
        ):
            version = tuple(int(part) for part in match[1].split("."))
            yield Release(version, days[0].first, reading, match[1])


_RELEASED = regex.compile(
    r"\b(\d+\.\d+(?:\.\d+)?)(?:,? which)? (?:was (?:released|published)|came out|appeared|shipped|followed) on "
)


def _told_releases(reading: Reading, analysis: Analysis) -> Iterator[Release]:
    for match in _RELEASED.finditer(reading.segment.plain):
        for mention in find_dates(
            reading.segment.plain[match.end() : match.end() + 24], analysis.month_first
        )[:1]:
            if mention.first and mention.start == 0:
                yield Release(
                    tuple(int(part) for part in match[1].split(".")), mention.first, reading, match[1]
                )


def told_order(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """ "… on 2 April, two weeks before …, on 20 November": the word says one order, the days another."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        if reading.segment.kind is SegmentKind.TABLE:
            continue
        for one, two in itertools.pairwise(mentions):
            between = reading.lower[one.end : two.start]
            word = _BEFORE.search(between)
            if (
                not (one.first and two.first and one.last and two.last and word)
                or one.ambiguous
                or two.ambiguous
                or len(between) > 60
            ):
                continue
            before = word[1] in {"before", "earlier than", "ahead of", "prior to"}
            if (before and one.first > two.last) or (not before and one.last < two.first):
                a, b = (reading.segment.plain[m.start : m.end] for m in (one, two))
                yield _finding(reading, f'"{a}" is said to be {word[1]} "{b}", and is not', 0.8)
        yield from _wrong_durations(reading)


def _wrong_durations(reading: Reading) -> Iterator[RawFinding]:
    for match in _TIME_RANGE.finditer(reading.lower):
        start, end = int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])
        minutes = (end - start) % 1440
        said = int(match[5]) * (1 if match[6].startswith("min") else 60)
        if said != minutes:
            yield _finding(reading, f'"{match[0]}": that is {minutes} minutes', 0.8)
    for match in _YEARS.finditer(reading.lower):
        number = _NUMBERS.get(match[1]) or (int(match[1]) if match[1].isdigit() else None)
        years = int(match[3]) - int(match[2])
        if number is not None and abs(number - years) > 1:
            yield _finding(reading, f'"{match[0]}": that is {years} years', 0.8)


def table_order(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A row whose time or day breaks the order of all the others."""
    for table in analysis.document.tables:
        for column, header in enumerate(table.header):
            title = header.plain.lower().strip("*: ")
            values = _column_days(table, column, analysis) or _column_times(table, column, title)
            if len(values) < 3:
                continue
            row = _outlier([value for _, value in values])
            if row is not None:
                at, _ = values[row]
                cell = table.rows[at][column].plain.strip()
                yield RawFinding(
                    point=8,
                    segment=table.row_segments[at],
                    reason=f'"{cell}" stands out of the order that the other rows of "{header.plain.strip()}" keep',
                    fix="the right date, or the row in its place",
                    confidence=0.8,
                    related=(Quote(segment=table.row_segments[values[max(0, row - 1)][0]], quote=""),),
                )


def _column_times(table: Table, column: int, title: str) -> list[tuple[int, int]]:
    if not any(word in title for word in ("time", "when", "utc", "uhr", "clock", "at")):
        return []
    values = []
    for at, row in enumerate(table.rows):
        match = _TIME.fullmatch(row[column].plain.strip().removesuffix(" UTC")) if column < len(row) else None
        if match:
            values.append((at, int(match[1]) * 60 + int(match[2])))
    return values


def _column_days(table: Table, column: int, analysis: Analysis) -> list[tuple[int, int]]:
    values = []
    for at, row in enumerate(table.rows):
        text = row[column].plain.strip() if column < len(row) else ""
        mentions = find_dates(text, analysis.month_first)
        if (
            len(mentions) == 1
            and mentions[0].first
            and mentions[0].end - mentions[0].start == len(text)
            and not mentions[0].ambiguous
        ):
            values.append((at, mentions[0].first.toordinal()))
    return values if len(values) == len(table.rows) else []


def _outlier(values: list[int]) -> int | None:
    """The place of the one value that, taken out, leaves the rest in order; None where they are in order, or in none."""
    for sign in (1, -1):
        signed = [sign * value for value in values]
        breaks = [i for i in range(1, len(signed)) if signed[i] < signed[i - 1]]
        if not breaks:
            return None
        if len(breaks) == 1 and len(values) >= 3:
            at = breaks[0]
            for candidate in (at, at - 1):
                rest = signed[:candidate] + signed[candidate + 1 :]
                if rest == sorted(rest) and len(rest) >= 3:
                    return candidate
    return None


def _finding(reading: Reading, reason: str, confidence: float) -> RawFinding:
    return RawFinding(
        point=8,
        segment=reading.segment.number,
        reason=reason,
        fix="the dates in agreement",
        confidence=confidence,
    )
