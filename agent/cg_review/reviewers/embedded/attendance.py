"""Point 5: who is present, and how many vote, sit or are "of us"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.lists import items_of
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS
from cg_review.reviewers.embedded.sides import derived, two_sided
from cg_review.reviewers.embedded.swapping import number_like, swapped

_PRESENT = regex.compile(
    r"(?:^|[.;|)\s])\**(?:(?:[Mm]embers|[Tt]hose|[Bb]oard) )?(?:[Pp]resent|PRESENT|[Aa]ttendees|[Aa]ttending|[Aa]ttendance|[Pp]articipants|[Ii]n attendance)\**\s?:\**\s*(?P<who>.+)$"
)
_NEXT_LABEL = regex.compile(r"[.;]?\s\**\p{Lu}[\w’']*(?: \w+){0,2}\**:|\.\s+(?=\p{Lu}\w{3,}\s\w+\s)")
_OFFICE = regex.compile(
    r"\b(?:[Cc]hair|[Mm]inutes(?: taken by)?|[Ss]ecretary|[Nn]otes)\**:\**\s*(?P<name>[^/;:|]{2,40}?)(?=\.\s\p{Lu}\w{2,}|[/;:|]|$)"
)
_SO_MANY = regex.compile(
    r"^(?P<n>\w+) (?:of (?:the |our )?\w+ )?(?:\w+ )?(?:members?|people|persons?|trustees|directors|delegates|residents)\b"
)
_ALSO = regex.compile(
    r"\b(?:apologies|absent|excused|also present|guests?|observers?|from item|until item|online)\b"
)
_NUMBER = r"(?P<{}>\d{{1,4}}|no|none|nobody|" + "|".join(NUMBER_WORDS) + ")"
_VOTE = regex.compile(
    rf"\b{_NUMBER.format('pro')} (?:votes? )?(?:for|in favou?r|yes)\b[^.;]{{0,12}}?\b{_NUMBER.format('contra')} (?:votes? )?(?:against|opposed|no)\b"
    rf"(?:[^.;]{{0,12}}?\b{_NUMBER.format('none')} (?:abst\w+|abstaining))?"
)
_TALLY = regex.compile(
    r"\((?:by )?(?P<pro>\d{1,3}) ?(?::|to|–|-) ?(?P<contra>\d{1,3})(?:[ ,:–-]+(?P<none>\d{1,3}))?\)"
)
_OF_US = regex.compile(
    rf"\b(?:all|the|every one of the|there (?:are|were)|we (?:are|were)) {_NUMBER.format('n')} (?:of us|present)\b|\ball {_NUMBER.format('m')} (?:members )?(?:voted|agreed|were in favour)\b"
)


_OF_THEM = regex.compile(rf"\ball {_NUMBER.format('n')} of (?:them|these|those)\b")

_ALL_ARE = regex.compile(
    rf"^all {_NUMBER.format('n')} (?:are|were|have|had|go|went|work|come|came|sit|stand|run)\b(?! to\b)"
)
_OF_SO_MANY = regex.compile(r"of (?:the|our|its|these) ")
_BACK = 3
"""How many segments before "all six" their number can stand."""


def wrong_attendance(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """Seven votes with six people present; "the six of us" where five are named."""
    present: tuple[Reading, int] | None = None
    for reading in analysis.readings:
        match = _PRESENT.search(reading.segment.plain) if ":" in reading.lower else None
        here = _how_many(match["who"], _head(analysis, reading)) if match else 0
        if here >= 2:
            present = reading, here
        elif present:
            votes = _votes(reading.lower)
            if votes > present[1]:
                reason = f"{votes} votes, and {present[1]} present"
                yield two_sided(reading, present[0].segment.number, reason, 0.75)
            us = _OF_US.search(reading.lower)
            said = _value(us["n"] or us["m"]) if us else 0
            if us and said >= 2 and said != present[1] and abs(said - present[1]) <= 2:
                reason = f'"{us.group()}", and {present[1]} are named as present'
                fix = _with(reading, us, present[1])
                yield derived(reading, present[0].segment.number, reason, 0.7, fix)


def _with(reading: Reading, match: regex.Match[str], number: Decimal | int) -> str:
    """The sentence with another number of people or things."""
    start, end = match.span("n" if match["n"] else "m")
    return swapped(reading, start, end, number_like(reading.segment.plain[start:end], Decimal(number)))


def different_numbers_of_us(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "There are seven of us" and "all eight of us"."""
    known: tuple[Reading, int, str] | None = None
    for reading in analysis.seek(ledger.statements, _OF_US):
        match = _OF_US.search(reading.lower)
        said = _value(match["n"] or match["m"]) if match else 0
        if not match or said < 2 or not match.group().endswith("us"):
            continue
        if known and known[1] != said:
            reason = f'"{match.group()}" here, "{known[2]}" elsewhere'
            yield two_sided(reading, known[0].segment.number, reason, 0.75)
        known = known or (reading, said, match.group())


def different_numbers_of_them(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "The school keeps 90 laptops. With all 96 of them out, …" """
    for before, reading in pairwise(ledger.statements):
        counts = [c for c in ledger.counts_of(before) if not c.approximate]
        if len(counts) != 1 or before.segment.block != reading.segment.block:
            continue
        match = _OF_THEM.search(reading.lower)
        if not match:
            continue
        said = _value(match["n"])
        if (
            said
            and said != counts[0].value
            and said * 2 > counts[0].value
            and len(ledger.quantities[before.segment.number]) <= 3
        ):
            reason = f'"{match.group()}" here, "{counts[0].written}" before'
            yield two_sided(reading, before.segment.number, reason, 0.7)


def wrong_all_of_them(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "There are six of us. All seven are on call", and "of the ten, six shipped. All ten were delivered"."""
    for reading in analysis.seek(ledger.statements, _ALL_ARE):
        match = _ALL_ARE.match(reading.lower)
        said = _value(match["n"]) if match else 0
        if not match or said < 3:
            continue
        number, section = reading.segment.number, reading.segment.section
        before = [
            r
            for r in analysis.readings[max(0, number - 1 - _BACK) : number - 1]
            if r.segment.section == section and r.segment.kind is not SegmentKind.TABLE
        ]
        if split := _split(before[-1:], said, ledger):
            reason = f'"{match.group()}"; the sentence before has {split} of them so and others not'
            yield two_sided(reading, before[-1].segment.number, reason, 0.7)
            continue
        told = {q.value: r for r in before for q in ledger.quantities.get(r.segment.number, ())}
        close = [r for value, r in told.items() if abs(value - said) == 1 and _is_of_people(r, value, ledger)]
        if len(close) == 1 and said not in told:
            yield two_sided(
                reading, close[0].segment.number, f'"{match.group()}" here; another number before', 0.7
            )


def _split(before: list[Reading], said: int, ledger: Ledger) -> int:
    """The first of the parts into which the sentence before divides so many; 0 where it doesn't."""
    if not before or not _OF_SO_MANY.match(before[0].lower):
        return 0
    values = [int(q.value) for q in ledger.quantities.get(before[0].segment.number, ()) if not q.dimension]
    parts = values[1:]
    is_split = len(parts) >= 2 and values[0] == said and sum(parts) in (said, said - 1)
    return parts[0] if is_split else 0


def _is_of_people(reading: Reading, value: Decimal, ledger: Ledger) -> bool:
    """Whether a sentence counts so many of something, or "of us"."""
    counts = [c.value for c in ledger.counts_of(reading) if not c.approximate]
    us = _OF_US.search(reading.lower)
    return value in counts or bool(us and _value(us["n"] or us["m"] or "") == value)


def _head(analysis: Analysis, reading: Reading) -> str:
    """The sentence with those right before it, where a chair or a clerk may be named."""
    number = reading.segment.number
    near = analysis.readings[max(0, number - 4) : number]
    return ". ".join(r.segment.plain for r in near if r.segment.section == reading.segment.section)


def _how_many(rest: str, head: str) -> int:
    """How many a "Present: …" names, with a chair or clerk who is named beside it; 0 where it can't be told."""
    label = _NEXT_LABEL.search(rest)
    who = rest[: label.start()] if label else rest
    counted = _SO_MANY.match(who.lower())
    if counted:
        return _value(counted["n"])
    names = items_of(who)
    if len(names) < 2 or _ALSO.search(who.lower()):
        return 0
    offices = [set(regex.findall(r"\w{2,}", match["name"])[:3]) for match in _OFFICE.finditer(head)]
    return len(names) + sum(not office & set(regex.findall(r"\w{2,}", who)) for office in offices)


def _votes(text: str) -> int:
    match = _VOTE.search(text) or (
        _TALLY.search(text) if "decided" in text or "carried" in text or "agreed" in text else None
    )
    return sum(_value(match[name] or "0") for name in ("pro", "contra", "none")) if match else 0


def _value(word: str) -> int:
    return int(Decimal(word)) if word.isdecimal() else NUMBER_WORDS.get(word, 0)
