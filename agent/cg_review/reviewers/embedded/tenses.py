"""Point 8: the past tense for a day to come, and words that look ahead to a day that has passed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import HAPPENS_ON, Analysis, Reading
from cg_review.reviewers.embedded.dates import DateMention, resolve

_CLAUSE_END = regex.compile(
    r"[;:(|]|, and | but |, which |, who | and (?=\w+ \w+ (?:is|are|was|were|will|has|have)\b)"
)
_TO_COME = regex.compile(
    r"\b(?:until|by|to|for|before|till|through|end of|plan\w*|due|booked|expires?|valid|next|from|as of|dated|of|since)\s(?:\w+\s)?$"
)
_SCHEDULED = regex.compile(
    r"\b(?:planned|scheduled|booked|expected|due|required|needed|agreed|fixed|postponed|extended|deferred|targeted|proposed|invited|may|can|must|should|shall|would)\b"
)
_DONE = regex.compile(
    r"(?<!\b(?:is|are|be|been|being|to|get|gets) )\b(?:[a-z]{2,}(?<!ne|fe|se|spe|we|inde|hundr|nak|sacr)ed|came|went|gave|took|made|saw|sent|told|found|got|held|left|lost|paid|rose|fell|ran|said|sold|spent|stood|wrote|brought|bought|built|chose|drew|drove|grew|kept|knew|led|met)\b"
)
_AFTERWARDS = regex.compile(
    r"\bcirculated\b|\d signed\b|\bminutes (?:were |are )?(?:approved|signed|circulated|sent|confirmed)|\b(?:invit|announc|remind)ed\b|\b(?:checked|verified|proofread|approved|printed) (?:\w+ ){0,4}(?:on|by)\b"
)
_DONE_CELL = regex.compile(r"^[\W_]*(?:done|closed|completed?|finished|shipped|delivered|signed|installed)\b")
_CALL = regex.compile(
    r"(?:^|[.;:!] |, |\band |\bor |\bplease )(?:order|book|apply|register|sign up|enrol|reply|respond|submit|send|vote|buy|return|join|subscribe|claim|get)\b[^.;]{0,60}\b(?:by|before|until|till)\s$"
)
_STILL = regex.compile(
    r"\b(?:is|are|stays?|remains?) (?:still )?(?:binding|valid|open|available|free|possible|on sale|in force)\b[^.;]{0,20}\b(?:until|till|to|through)\s$"
)
_DEADLINE = regex.compile(
    r"(?:(?:^|[:,;(]) ?(?:by(?: the)?(?: end of)?|eta|target)|\b(?:should|to) be (?:held|done|ready|finished|available|released|delivered|added|removed) (?:on|in|by(?: the end of)?))[: ]+$"
)
_FINISHED = regex.compile(
    r"\b(?:published|posted|issued|circulated|signed|submitted|deposited|sent on|sent to|sent round|report:|date of report|reporting|report of|version of|white paper|press release|minutes|memo|edition|written|date:)"
)
_DATELINE = regex.compile(r"^[\p{Lu}][\p{Lu} -]{2,30}, \d{1,2} \p{L}+ (?:19|20)\d\d\b", regex.MULTILINE)
_THE_PLAN = regex.compile(
    r"\b(?:the|an?|our|this|that|its|their|his|her|my|your) plan$"
)  # a thing, not an intention
_FUTURE = regex.compile(r"\b(?:will|shall|won[’']t|(?:is|are) going to)\b")
_OWN = "the document's own date"
_AFTER_OWN = f"which is after {_OWN}"
_SEVERAL = 2
_RECENT = timedelta(days=60)  # a yearless day further off than this may be another year's,
_AHEAD = timedelta(days=21)  # and one that is told as past even if it is less far ahead
_GONE = timedelta(days=550)  # what is longer past may be told in the present of a chronicle,
_LONG_GONE = timedelta(days=1100)  # but hardly where it is the only such day of a document
_TELLS = regex.compile(
    r"\b(?:story|book|novel|film|data|data ?set|series|chapter|records?|log(?:book)?|diary|journal|account|timeline|sample|archive|figures?|chart|table) (?:opens|starts|begins|closes)\b"
)


def misplaced_tenses(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """Days that the sentence's tense does not fit, at most one a sentence. Where several lie after what was taken for the
    document's own date, it was another's: the day of the incident, of the meeting."""
    found = list(_misplaced(point, analysis))
    after = sum(_AFTER_OWN in finding.reason for finding in found)
    yield from (finding for finding in found if after < _SEVERAL or _AFTER_OWN not in finding.reason)


def _misplaced(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    past, ahead = _phrase(point.words["past_verbs"]), _phrase(point.words["ahead_words"])
    for reading, mentions in zip(analysis.readings, analysis.dates, strict=True):
        if reading.segment.kind is SegmentKind.TABLE or not mentions:
            continue
        whole = 0, len(reading.lower)
        if analysis.silenced(reading, whole, (*point.silent_on, "conditional", "requirement")):
            continue
        for mention in mentions:
            fault = _told_as_past(reading, mention, past, ahead, analysis) or _told_as_ahead(
                reading, mention, ahead, analysis
            )
            if fault:
                yield fault
                break


def _told_as_past(
    reading: Reading,
    mention: DateMention,
    past: regex.Pattern[str],
    ahead: regex.Pattern[str],
    analysis: Analysis,
) -> RawFinding | None:
    day = _day_of(reading, mention, _limit(analysis))
    if day is None or day <= _limit(analysis):
        return None
    clause, at = _clause_of(reading, mention)
    if ahead.search(clause) or _TO_COME.search(clause[:at]) or _AFTERWARDS.search(reading.lower):
        return None
    row = reading.segment.kind is SegmentKind.ROW
    plain = past.search(clause) and (mention.year_given or mention.unit == "day")
    done = _DONE_CELL.search(clause) if row else _DONE.search(clause) and not _SCHEDULED.search(clause)
    if not (plain or (done and mention.unit == "day")):
        return None
    limit = "today" if day > analysis.today else _OWN
    if limit != "today" and not _is_dated_for_good(analysis):
        return None
    known = analysis.today if limit == "today" else analysis.own_date
    written = reading.segment.plain[mention.start : mention.end]
    return RawFinding(
        point=8,
        segment=reading.segment.number,
        reason=f'the past tense for "{written}", which is after {limit} ({known})',
        confidence=0.85 if plain and mention.year_given else 0.65,
    )


def _is_dated_for_good(analysis: Analysis) -> bool:
    """Whether the document's own date is when it was finished, so that nothing in it can have happened later."""
    keys = {key.lower() for key, _, _ in analysis.document.dates}
    if keys & {"date", "written", "published", "issued"}:
        return True
    return not keys and bool(
        _FINISHED.search(analysis.head) or _DATELINE.search(analysis.document.text[:2000])
    )


def _limit(analysis: Analysis) -> date:
    """The last day on which something in the document can have happened."""
    return min(analysis.own_date or analysis.today, analysis.today)


def _day_of(reading: Reading, mention: DateMention, limit: date) -> date | None:
    """The first day that a date means; a yearless one only where it lies near `limit`."""
    if mention.ambiguous or mention.first:
        return None if mention.ambiguous else mention.first
    days = resolve(mention, reading.segment.plain[mention.start : mention.end], limit)
    near = days and mention.unit == "day" and -_RECENT <= days[0] - limit <= _AHEAD
    return days[0] if days and near else None


def _clause_of(reading: Reading, mention: DateMention) -> tuple[str, int]:
    """The clause around a date, and where the date starts in it."""
    cuts = [0, *(m.end() for m in _CLAUSE_END.finditer(reading.lower)), len(reading.lower)]
    start = max(cut for cut in cuts if cut <= mention.start)
    end = min((cut for cut in cuts if cut >= mention.end), default=len(reading.lower))
    return reading.lower[start:end], mention.start - start


def _told_as_ahead(
    reading: Reading, mention: DateMention, ahead: regex.Pattern[str], analysis: Analysis
) -> RawFinding | None:
    written = reading.segment.plain[mention.start : mention.end]
    clause, at = _clause_of(reading, mention)
    days = resolve(mention, written, analysis.now) if analysis.own_date else (mention.first, mention.last)
    last = days[1] if days else None
    if last is None or mention.ambiguous or last >= analysis.now:
        return None
    is_record = "record" in analysis.document_traits
    if (
        _is_over(clause[:at])
        and last > analysis.now - (_LONG_GONE if _is_alone(last, analysis) else _GONE)
        and (mention.year_given or mention.unit == "day")
    ):
        day = analysis.now
    elif not is_record and mention.last and last < analysis.today and _looks_ahead(clause, at, ahead):
        day = analysis.today
    elif is_record and analysis.own_date and mention.last and _is_still_to_come(clause, at):
        day = (
            analysis.now
        )  # a record is right to tell what was to come on its own day, but not what had passed then
    else:
        return None
    return RawFinding(
        point=8,
        segment=reading.segment.number,
        reason=f'"{written}" has passed ({"today is" if day == analysis.today else "the document is of"} {day}) and is told as ahead',
        confidence=0.65,
    )


def _is_over(before: str) -> bool:
    """Whether it asks for something by, or promises it until, the day that follows."""
    if _TELLS.search(before):
        return False
    return bool(_CALL.search(before) or _STILL.search(before) or HAPPENS_ON.search(before))


def _is_alone(last: date, analysis: Analysis) -> bool:
    """Whether no other date of the document is as long past as that."""
    long_past = [
        m for mentions in analysis.dates for m in mentions if m.last and m.last < analysis.now - _GONE
    ]
    return len(long_past) == 1 and long_past[0].last == last


def _is_still_to_come(clause: str, at: int) -> bool:
    """Whether a verb in the future stands before the day, and nothing tells that somebody said so earlier."""
    return bool(_FUTURE.search(clause[:at])) and _looks_ahead(clause, at, _FUTURE)


def _looks_ahead(clause: str, at: int, ahead: regex.Pattern[str]) -> bool:
    before = clause[:at]
    if regex.search(
        r"\b(?:since|after|from|as of|was|were|had|until|dated|of|on the|in force)\b[^,]{0,12}$", before
    ):
        return False
    told = any(not _THE_PLAN.search(before[: cue.start() + 4]) for cue in ahead.finditer(before))
    if not told and (not _DEADLINE.search(before) or _DONE.search(clause)):
        return False
    return not regex.search(r"\b(?:was|were|had|did|said|agreed|decided|would)\b", clause)


@lru_cache(maxsize=8)
def _phrase(words: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile(
        r"\b(?:" + "|".join(regex.escape(w) for w in sorted(words, key=len, reverse=True)) + r")\b"
    )


DETECTORS = (misplaced_tenses,)
