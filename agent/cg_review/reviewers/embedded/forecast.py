"""Point 2: the plain present on a time to come ("the last diesel bus leaves the fleet in June")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading

_RELATIVE = regex.compile(
    r"\b(?:next (?:week|month|quarter|year|season|spring|summer|autumn|fall|winter|decade)|in the (?:coming|next) (?:weeks?|months?|quarters?|years?|season|decade)|"
    r"by (?:the )?(?:spring|summer|midsummer|autumn|winter|easter|christmas|year-end|then|end of (?:the|next) \w+)|"
    r"in (?:two|three|four|five|six|ten|twenty|\d+) years|within (?:the next )?(?:two|three|four|five|ten|\d+) years|within (?:a|one) (?:year|decade))\b"
)
_TIMETABLE = regex.compile(r"\b\d{1,2}:\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b")
_LABEL = regex.compile(r"[\w -]{2,25}: ")
_DONE = regex.compile(
    r"(?<!\b(?:is|are|be|been|get|gets|has|have|fully|newly) )\b(?!need|seed|feed|speed|weed|shed|breed|bleed|indeed|hundred|naked|sacred)[a-z]{2,}(?:ed)\b"
)
_VERBISH = regex.compile(
    r"\b(?:is|are|has|have|gets?|goes|go|does|do|can|[a-z]{2,}s|top|reach|open|join|leave|follow|come|wrap|run|sell|buy|carry|grow|rise|fall)\b"
)


def present_for_future(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """Sentences with a time to come, no past tense and no `will`, that are no calendar fact."""
    calendar = _words(point.words["calendar"] + point.words["duties"])
    past = _words(point.words["past"])
    seeming = {reading.segment.number for reading in analysis.seek(analysis.readings, _RELATIVE)}
    for reading in analysis.readings:
        if reading.segment.number not in seeming and not analysis.dates[reading.segment.number - 1]:
            continue
        when = _time_to_come(reading, analysis) if _could_be(reading) else None
        if when is None or any(known.search(reading.lower) for known in (_TIMETABLE, calendar, past, _DONE)):
            continue
        if not _VERBISH.search(reading.lower) or analysis.silenced(
            reading, (0, len(reading.lower)), point.silent_on
        ):
            continue
        yield RawFinding(
            point=2,
            segment=reading.segment.number,
            reason=f'"{when}" is a time to come, and the sentence tells it in the plain present with no qualifier',
            confidence=0.65,
        )


def _could_be(reading: Reading) -> bool:
    segment = reading.segment
    if segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM) or segment.footnote is not None:
        return False
    if _LABEL.match(reading.lower):  # "Status: final, 10 September"
        return False
    return len(reading.words) >= 4 and (
        segment.plain.rstrip().endswith((".", "!")) or segment.kind is SegmentKind.LIST_ITEM
    )


def _time_to_come(reading: Reading, analysis: Analysis) -> str | None:
    for mention in analysis.dates_ahead(reading):
        if regex.search(r"\b(?:since|as of|after|of|dated|version)\s$", reading.lower[: mention.start]):
            continue
        return reading.segment.plain[mention.start : mention.end]
    match = _RELATIVE.search(reading.lower)
    return reading.segment.plain[match.start() : match.end()] if match else None


@lru_cache(maxsize=16)
def _words(words: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile(r"\b\L<words>\b", words=list(words))
