"""Point 8: versions, times and events that stand out of order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import regex

from cg_review.document import SegmentKind, Table
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.dates import DateMention, find_dates
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS
from cg_review.reviewers.embedded.swapping import number_like, place_of, swapped

_VERSION = regex.compile(
    r"(?:(?<=^|[\s\[(*])v(?:ersion )?\s?|(?<=^|[\[\s(*]))(\d+(?:\.\d+){1,2})(?![\d.]*\d|\s?%|\.\d|-(?!\d{4})\w)",
    regex.IGNORECASE,
)
_VERSION_BEFORE = regex.compile(r"\bv?(\d+(?:\.\d+){1,2})\W{1,5}$", regex.IGNORECASE)
_BESIDE = 20  # characters between a version and its day
_TIME = regex.compile(r"\b([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?\b")
_TIME_RANGE = regex.compile(
    r"from ([01]?\d|2[0-3]):([0-5]\d) (?:to|until) ([01]?\d|2[0-3]):([0-5]\d)[^.;]{0,30}?\b(\d+) (minutes|min|hours|h)\b"
)
_SINCE = regex.compile(r"\bfor (\w+) years,? since ((?:19|20)\d\d)\b")
_YEARS = regex.compile(r"\bfor (\w+) years,? (?:from|between) ((?:19|20)\d\d) (?:to|and) ((?:19|20)\d\d)\b")
_DISTANCE = regex.compile(r"\b(\d+|[a-z]+) (day|week|month|year)s? (?:before|after|later|earlier)\b")
_BEFORE = regex.compile(r"\b(before|after|earlier than|later than|ahead of|prior to)\b")


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS.get(word, 0)


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
    """Versions with their day: at the head of an entry that gives one, or right before each of several."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        segment = reading.segment
        days = [
            m
            for m in mentions
            if m.unit == "day" and m.first and m.first <= analysis.today and not m.ambiguous
        ]
        if segment.kind is SegmentKind.TABLE or not days:
            continue
        if len(days) == 1 and len(segment.plain) < 200:
            yield from _entry(reading, days[0])
        else:
            yield from _told_releases(reading, analysis)
            yield from _listed_releases(reading, days)


def _entry(reading: Reading, day: DateMention) -> Iterator[Release]:
    match = _VERSION.search(reading.segment.plain)
    if match is None or day.first is None or day.start <= match.start(1) < day.end:
        return
    if day.start - match.end() > _BESIDE:
        return  # a section's number, or a measure
    if match.start() < 12 or reading.segment.kind is SegmentKind.ROW:
        yield Release(tuple(map(int, match[1].split("."))), day.first, reading, match[1])


def _listed_releases(reading: Reading, days: Sequence[DateMention]) -> Iterator[Release]:
    """ "v1.0 — 2026-04-03; v1.1 — 2026-03-25"."""
    for day in days:
        before = reading.segment.plain[max(0, day.start - 16) : day.start]
        match = _VERSION_BEFORE.search(before)
        if match and day.first:
            yield Release(tuple(map(int, match[1].split("."))), day.first, reading, match[1])


_RELEASED = regex.compile(
    r"\b(\d{1,9}\.\d{1,9}(?:\.\d{1,9})?)(?:,? which)? (?:was (?:released|published)|came out|appeared|shipped|followed) on "
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
    durations = analysis.seek(analysis.readings, _TIME_RANGE, _SINCE, _YEARS)
    with_durations = {reading.segment.number for reading in durations}
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
            said = _DISTANCE.search(between)
            if said and one.unit == two.unit == "day":
                days = abs((one.first - two.first).days)
                told = _number(said[1]) * {"day": 1, "week": 7, "month": 30.4, "year": 365.25}[said[2]]
                if told and abs(days - told) > max(1.5, 0.15 * told):
                    start, length = one.end + said.start(), len(said[0].rpartition(" ")[0])
                    in_order = one.first < two.last if before else one.last > two.first
                    fix = swapped(reading, start, start + length, f"{days} days") if in_order else ""
                    yield _finding(reading, f'"{said[0].strip()}" is {days} days', 0.75, fix)
                    continue
            if (before and one.first > two.last) or (not before and one.last < two.first):
                a, b = (reading.segment.plain[m.start : m.end] for m in (one, two))
                yield _finding(reading, f'"{a}" is said to be {word[1]} "{b}", and is not', 0.8)
        if reading.segment.number in with_durations:
            yield from _wrong_durations(reading, analysis.now)


def told_spans(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """An end told before its start, a birth after its deeds, "two years after" that is not."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        known = [m for m in mentions if m.first and m.last and not m.ambiguous]
        if reading.segment.kind is SegmentKind.TABLE or len(known) < 2:
            continue
        starts = [m for m in known if _STARTED.search(reading.lower[: m.start])]
        ends = [m for m in known if _FINISHED.search(reading.lower[: m.start])]
        births = [m for m in known if _BORN.search(reading.lower[: m.start])]
        for start, end in [(s, e) for s in starts for e in ends] + [
            (b, o) for b in births for o in known if o is not b
        ]:
            assert start.first
            assert end.last
            told = reading.lower[max(0, end.start - 8) : end.start]
            if end.last < start.first and not _BACKWARDS.search(told):
                a, b = (reading.segment.plain[m.start : m.end] for m in (start, end))
                yield _finding(reading, f'"{b}" for the end lies before "{a}" for the start', 0.75)
                break


_STARTED = regex.compile(r"\b(?:began|begun|started|starts|begins|opened|launched)\b[^.;]{0,14}$")
_FINISHED = regex.compile(r"\b(?:ended|ends|finished|completed|closed|concluded)\b[^.;]{0,14}$")
_BORN = regex.compile(r"\b(?:born|founded|established|built)\b[^.;]{0,14}$")
_BACKWARDS = regex.compile(r"\b(?:before|since|until|from)\s$")


def list_order(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A list of dated entries in which one stands out of the order that all the others keep."""
    run: list[tuple[Reading, date]] = []
    for reading, mentions in [*zip(analysis.readings, analysis.dates, strict=True), (None, ())]:
        dated = _dated_entry(reading, mentions) if reading else None
        if reading and dated and (not run or run[-1][0].segment.section == reading.segment.section):
            run.append((reading, dated))
            continue
        at = _outlier([day.toordinal() for _, day in run]) if len(run) >= 4 else None
        if at is not None and len({day for _, day in run}) == len(run):
            yield _finding(
                run[at][0],
                f"{run[at][1]} stands out of the order that the other entries of the list keep",
                0.65,
            )
        run = [(reading, dated)] if reading and dated else []


def _dated_entry(reading: Reading, mentions: Sequence[DateMention]) -> date | None:
    """The day of a list item that is a name and its date, or a date and what happened."""
    if reading.segment.kind is not SegmentKind.LIST_ITEM or len(mentions) != 1 or len(reading.lower) > 90:
        return None
    mention = mentions[0]
    opens = mention.start <= 2
    closes = (
        bool(regex.search(r"[:–—-]\s$", reading.lower[: mention.start]))
        and mention.end >= len(reading.lower.rstrip(".")) - 1
    )
    return (
        mention.first
        if (opens or closes) and mention.unit in {"day", "month"} and not mention.ambiguous
        else None
    )


def _said(reading: Reading, match: regex.Match[str], group: int, number: int) -> str:
    """The sentence with another number for what a group has."""
    start, end = match.span(group)
    return swapped(reading, start, end, number_like(reading.segment.plain[start:end], Decimal(number)))


def _wrong_durations(reading: Reading, now: date) -> Iterator[RawFinding]:
    for match in _TIME_RANGE.finditer(reading.lower):
        start, end = int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])
        minutes = (end - start) % 1440
        said = int(match[5]) * (1 if match[6].startswith("min") else 60)
        if said != minutes:
            yield _finding(
                reading,
                f'"{match[0]}": that is {minutes} minutes',
                0.8,
                swapped(reading, match.start(5), match.end(6), f"{minutes} minutes"),
            )
    for match in _SINCE.finditer(reading.lower):
        told, years = _number(match[1]), now.year - int(match[2])
        if told and abs(told - years) > 1:
            yield _finding(
                reading, f'"{match[0]}": that is {years} years', 0.75, _said(reading, match, 1, years)
            )
    for match in _YEARS.finditer(reading.lower):
        number = _number(match[1]) or None
        years = int(match[3]) - int(match[2])
        if number is not None and abs(number - years) > 1:
            yield _finding(
                reading, f'"{match[0]}": that is {years} years', 0.8, _said(reading, match, 1, years)
            )


def table_order(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A row whose time or day breaks the order of all the others."""
    for table in analysis.document.tables:
        for column, header in enumerate(table.header):
            title = header.plain.lower().strip("*: ")
            if _DUE.search(title):
                continue  # what is to be done, in whatever order
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
                    confidence=0.8,
                    related=(Quote(segment=table.row_segments[values[max(0, row - 1)][0]], quote=""),),
                )


_DUE = regex.compile(r"\b(?:due|by|deadline|until|target|planned|eta)\b")


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


def _finding(reading: Reading, reason: str, confidence: float, fix: str = "") -> RawFinding:
    return RawFinding(
        point=8,
        segment=reading.segment.number,
        reason=reason,
        fix=fix,
        fix_place=place_of(fix),
        confidence=confidence,
    )


DETECTORS = (version_order, told_order, told_spans, table_order, list_order)
