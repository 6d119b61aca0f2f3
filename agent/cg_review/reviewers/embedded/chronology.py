"""Point 8: dates that cannot be, against today and against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

import regex

from cg_review.document import SegmentKind
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.dates import DateMention, find_dates, resolve
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.swapping import place_of, swapped

STALE_AFTER = timedelta(days=183)  # "more than six months" (POINTS, 8)
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = regex.compile(r"\b(" + "|".join(_WEEKDAYS) + r"),?(?: the)? $")
_SHORTLY = timedelta(days=45)
_NEAR = timedelta(days=120)  # a day without a year that is further off may be another year's
_AS_OF = regex.compile(r"\bas of\s$")
_ENGLISH_STAND = regex.compile(r"\w\W+stand\b[\s\w]*$")  # "at our stand on …", not the German for "as of"
_RANGE = regex.compile(r"^\s?(?:to|until|till|through|–|—|-)\s?$")
_RANGE_OPENER = regex.compile(
    r"\b(?:from|between|runs?|period|dates?|open|week|phase|term|valid|during)\W{0,3}(?:\w+ )?$|^\W*$"
)


def impossible_dates(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A day that no calendar has, a weekday that is not that date's, an end before its start."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        if reading.segment.kind is SegmentKind.TABLE:
            continue
        for at, mention in enumerate(mentions):
            written = reading.segment.plain[mention.start : mention.end]
            if mention.unit == "impossible":
                yield _finding(reading, f'"{written}" is no day of the calendar', 0.9)
            elif weekday := _wrong_weekday(reading, mention, analysis.own_date):
                yield _finding(
                    reading,
                    f'"{written}" is a {weekday[1]}, not a {weekday[0]}',
                    0.9,
                    _with_weekday(reading, mention, weekday[1]),
                )
            if at + 1 < len(mentions) and _ends_before_start(reading, mention, mentions[at + 1]):
                later = reading.segment.plain[mentions[at + 1].start : mentions[at + 1].end]
                yield _finding(
                    reading,
                    f'it ends ("{later}") before it starts ("{written}")',
                    0.85,
                )


def _wrong_weekday(reading: Reading, mention: DateMention, near: date | None) -> tuple[str, str] | None:
    """The weekday as said and as it is; a day without a year is taken as the one nearest to the document's own date."""
    before = _WEEKDAY.search(reading.lower[: mention.start])
    if not before or mention.unit != "day" or mention.ambiguous:
        return None
    written = reading.segment.plain[mention.start : mention.end]
    days = resolve(mention, written, near) if near else (mention.first, mention.last)
    if not days or days[0] is None or (near and not mention.year_given and abs(days[0] - near) > _NEAR):
        return None
    said, real = before[1], _WEEKDAYS[days[0].weekday()]
    return None if said == real else (said.title(), real.title())


def _with_weekday(reading: Reading, mention: DateMention, day: str) -> str:
    """The sentence with the weekday that the date has."""
    before = _WEEKDAY.search(reading.lower[: mention.start])
    return swapped(reading, *before.span(1), day) if before else ""


def _ends_before_start(reading: Reading, start: DateMention, end: DateMention) -> bool:
    between = reading.lower[start.end : end.start]
    if not start.first and not start.year_given and end.first:  # "from 14 May to 12 May 2026"
        written = reading.segment.plain[start.start : start.end]
        days = resolve(start, written, date(end.first.year, 6, 30))  # of the same year
        if not days or days[0] - end.first > _SHORTLY:
            return False  # "15 November to 10 January 2026" runs over the turn of the year
        start = replace(start, first=days[0], last=days[1])
    if not _RANGE.match(between) or not start.first or not end.last or start.ambiguous or end.ambiguous:
        return False
    return end.last < start.first and bool(
        _RANGE_OPENER.search(reading.lower[: start.start]) or " to " in between
    )


def ambiguous_dates(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """The first date of a document that can be read day first or month first; it is ambiguous, not wrong."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        for mention in mentions:
            if mention.ambiguous and reading.segment.kind is not SegmentKind.TABLE:
                written = reading.segment.plain[mention.start : mention.end]
                yield _finding(
                    reading,
                    f'"{written}" is ambiguous: day or month first, and no other date decides it',
                    0.5,
                )
                return


def stamps(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A "last updated" stamp that lies after today, is stale, or is older than dated content of the same document."""
    latest = _latest_content(point, analysis)
    for key, value, span in analysis.document.dates:
        if _is_stamp(lower(key).replace("_", " ").replace("-", " "), point):
            for mention in find_dates(value, analysis.month_first):
                reason = _stamp_fault(mention, value, analysis, latest)
                if reason:
                    yield RawFinding(
                        point=8,
                        segment=0,
                        quote=span.of(analysis.document.text),
                        reason=reason,
                        fix="Give the day of the last change; nothing else in the document tells it.",
                        confidence=0.9,
                    )
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        for mention in mentions:
            cue = _stamp_before(reading, mention, point)
            written = reading.segment.plain[mention.start : mention.end]
            reason = _stamp_fault(mention, written, analysis, latest) if cue else ""
            if reason:
                yield _finding(reading, reason, 0.9)


def _stamp_before(reading: Reading, mention: DateMention, point: Point) -> bool:
    before = reading.lower[max(0, mention.start - 40) : mention.start]
    told = _AS_OF.search(before) and reading.lower[mention.end :].strip(" .*_)")  # a statement, and its day
    cue = _stamp_pattern(point.words["stamps"]).search(before)
    return bool(cue) and not told and not _ENGLISH_STAND.search(before)


@lru_cache(maxsize=8)
def _stamp_pattern(words: tuple[str, ...]) -> regex.Pattern[str]:
    names = "|".join(regex.escape(word) for word in sorted(words, key=len, reverse=True))
    return regex.compile(rf"\b(?:{names})\b[\s:*_|(-]*(?:on|in|at)?\s?$")


def _is_stamp(key: str, point: Point) -> bool:
    return key in {word.replace("_", " ").replace("-", " ") for word in point.words["stamps"]}


def _stamp_fault(
    mention: DateMention, written: str, analysis: Analysis, latest: tuple[date, str] | None
) -> str:
    if not mention.first or not mention.last or mention.ambiguous:
        return ""
    today = analysis.today
    if mention.first > today:
        return f'the stamp "{written}" lies after today ({today})'
    if mention.last < today - STALE_AFTER and not _is_record(analysis):
        return f'the stamp "{written}" is more than six months before today ({today})'
    if latest and mention.last < latest[0]:
        return f'the stamp "{written}" is older than what the document itself dates "{latest[1]}"'
    return ""


def _is_record(analysis: Analysis) -> bool:
    """Whether the document is as old as its date because it is a record: minutes, a report, a dated proposal."""
    return "record" in analysis.document_traits or bool(
        regex.search(
            r"\b(?:proposal|rfc)\b|\b(?:status|state)\W{1,4}(?:implemented|final|accepted|superseded|withdrawn|rejected|closed)",
            analysis.head[:400],
        )
    )


def _latest_content(point: Point, analysis: Analysis) -> tuple[date, str] | None:
    """The latest day, not after today, on which the document says that something happened."""
    latest: tuple[date, str] | None = None
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        for mention in mentions:
            if (
                not mention.first
                or mention.unit != "day"
                or mention.first > analysis.today
                or mention.ambiguous
            ):
                continue
            if _stamp_before(reading, mention, point) or (latest and mention.first <= latest[0]):
                continue
            latest = mention.first, reading.segment.plain[mention.start : mention.end]
    return latest


_NEXT = regex.compile(
    r"\bnext (?:\w+ )?(?:meeting|report|review|issue|session|release|audit|update|call|edition|inspection)\b[^.;]{0,14}$"
)


def next_that_is_past(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A "next meeting" on a day before the document's own."""
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        for mention in mentions:
            if mention.last and mention.last < analysis.now and _NEXT.search(reading.lower[: mention.start]):
                written = reading.segment.plain[mention.start : mention.end]
                yield _finding(
                    reading,
                    f'"{written}" is told as the next one and lies before {analysis.now}',
                    0.8,
                )


def stale_titles(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """A roadmap, a status or a price page that is headed by a year or quarter that is over."""
    if "roadmap" not in analysis.document_traits:
        return
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        if reading.segment.kind is not SegmentKind.HEADING or reading.segment.number > _TITLE:
            continue
        for mention in mentions:
            if mention.last and mention.unit in {"year", "quarter"} and mention.last < analysis.today:
                written = reading.segment.plain[mention.start : mention.end]
                yield _finding(
                    reading,
                    f'a page of plans headed "{written}", which is over (today is {analysis.today})',
                    0.7,
                )
    gone = ""
    for reading in analysis.readings:
        year = regex.search(r"\b(?:19|20)\d\d\b", reading.lower)
        if (
            reading.segment.kind is not SegmentKind.HEADING
            or not year
            or int(year[0]) >= analysis.today.year
            or any(m.start <= year.start() < m.end for m in analysis.dates[reading.segment.number - 1])
        ):
            continue
        if reading.segment.number <= _TITLE:
            yield _finding(
                reading,
                f'a page of plans headed "{year[0]}", which is over (today is {analysis.today})',
                0.7,
            )
        gone = gone or year[0]
    if gone:
        yield from _ahead_of_a_year_gone(gone, analysis)


_LOOKS_AHEAD = regex.compile(
    r"\b(?:upcoming|forthcoming|coming soon|later this year|this year|next year|next (?:spring|summer|autumn|winter|quarter))\b"
)


def _ahead_of_a_year_gone(year: str, analysis: Analysis) -> Iterator[RawFinding]:
    for reading in analysis.readings:
        match = _LOOKS_AHEAD.search(reading.lower)
        if match and reading.segment.kind is not SegmentKind.TABLE:
            yield _finding(
                reading,
                f'"{match[0]}" on a page of plans for {year}, which is over (today is {analysis.today})',
                0.6,
            )


_TITLE = 3  # segments: further down a heading speaks of one period among several
_ENDED = regex.compile(r"\b(?:finished|ended|completed|concluded|came to an end)\b")


def ends_before_all(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """Something "ended" on a day that comes before every other day on which the document says something was done."""
    days = sorted(
        (mention.first, reading.segment.number)
        for reading, mentions in zip(analysis.readings, analysis.dates, strict=True)
        for mention in mentions
        if mention.first
        and mention.unit in {"day", "month"}
        and not mention.ambiguous
        and mention.first <= analysis.today
    )
    if len(days) < 4:
        return
    (first, number), (second, other) = days[0], days[1]
    reading = analysis.readings[number - 1]
    if (
        first < second
        and number != other
        and reading.segment.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
        and _ENDED.search(reading.lower)
    ):
        yield _finding(
            reading,
            f"it ended on {first}, before anything else in the document was done (next: {second})",
            0.6,
            related=(Quote(segment=other, quote=""),),
        )


def _finding(
    reading: Reading, reason: str, confidence: float, fix: str = "", related: tuple[Quote, ...] = ()
) -> RawFinding:
    return RawFinding(
        point=8,
        segment=reading.segment.number,
        quote="",
        reason=reason,
        fix=fix,
        fix_place=place_of(fix),
        confidence=confidence,
        related=related,
    )


DETECTORS = (
    impossible_dates,
    ambiguous_dates,
    stamps,
    next_that_is_past,
    stale_titles,
    ends_before_all,
)
