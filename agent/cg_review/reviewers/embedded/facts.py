"""Point 5: facts told twice: a measure, the day of an event, the lowest version, who holds a post."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import YEARISH, Ledger, clause_around
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_VARIES = regex.compile(
    r"\b(?:from|between|up to|about|at least|at most|more than|less than|per cent|compared|instead|than|or|was|were|had|previously|old|new|first|second|another|other|each|same|again|used to|now)\b|~"
)
_OF_ANOTHER = regex.compile(r"\b(?:branch|branches|series|older|earlier|previous|legacy|formerly)\b")
_CLOCK = regex.compile(r"(?<![\d:.])(?:[01]?\d|2[0-3])[:.][0-5]\d(?![\d:.]*\d)(?: ?[ap]\.?m\.?)?")
_THE = {"the", "our", "its"}
_SENTENCE_START = regex.compile(r"[.;:(]| and | but ")
_GENERIC = frozenset(
    map(
        stem,
        [
            "limit",
            "default",
            "price",
            "time",
            "value",
            "size",
            "cost",
            "fee",
            "rate",
            "length",
            "result",
            "total",
            "average",
            "maximum",
            "minimum",
            "number",
            "delay",
            "duration",
            "interval",
            "step",
            "phase",
            "timeout",
            "weight",
            "height",
            "width",
            "distance",
            "temperature",
            "share",
            "margin",
        ],
    )
)
_EVENT = regex.compile(
    r"\b(?P<event>found(?:ed|ing)?|launch(?:es|ed)?|deadline|releas(?:e|es|ed)|open(?:s|ed|ing)?|start(?:s|ed)?|beg[ai]ns?|began|ends?|ended|clos(?:e|es|ed|ing)|due|publish(?:ed)?|"
    r"sign(?:ed)?|adopt(?:ed)?|approv(?:ed)?|deliver(?:ed|y)?|built|born|complet(?:e|es|ed|ion)|finish(?:es|ed)?|go-live|goes live|went live|kick-off|expir(?:es|ed|y)|arriv(?:es|ed|al)|install(?:ed|ation)?|introduc(?:ed|tion)|elected|appointed|joined|merged)\b"
)
_POSTS = "owner|lead|leader|manager|chair|director|head|editor|author|coordinator|treasurer|secretary|sponsor|architect|maintainer|contact"
_A_POST = regex.compile(rf"\b(?:{_POSTS})\b")
_POST = regex.compile(
    rf"(?i)\b(?P<post>(?:project |product |team |technical |data |service |group |programme )?(?:{_POSTS}))"
    r"(?:\*\*)?(?: is| was|:|,) (?P<name>(?-i:(?:[A-Z]\.|[A-Z][\w’'-]+)(?: (?:[A-Z]\.|[A-Z][\w’'-]+)){1,2}))"
)
_AT_LEAST = regex.compile(
    r"\b(?P<name>[A-Z][\w+#.]*) (?P<low>\d+(?:\.\d+)?)(?:\+| or (?:newer|later|higher|above|up)\b|(?: to |–| through | - )\d+(?:\.\d+)?)"
)


@dataclass(frozen=True, slots=True)
class Told:
    """A value told at a place, in words and in a form that compares."""

    reading: Reading
    value: object
    written: str


def conflicting_measures(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """The same words with another figure: "the base fare is £4", "the base fare is £5"."""
    known: dict[object, Told] = {}
    for reading in analysis.readings:
        quantities = [q for q in ledger.quantities.get(reading.segment.number, ()) if q.dimension]
        if not quantities or not ledger.is_flat(reading):
            continue
        for quantity in quantities:
            clause = clause_around(reading.lower, quantity.start)
            if (
                YEARISH.search(clause)
                or _VARIES.search(clause)
                or sum(q.dimension == quantity.dimension for q in quantities) > 1
            ):
                continue
            frame = _frame(clause, reading.lower[quantity.start : quantity.end])
            if not frame or (len(frame) == 1 and frame & _GENERIC):
                continue
            written = reading.segment.plain[quantity.start : quantity.end].strip()
            other = known.setdefault((quantity.dimension, frame), Told(reading, quantity.value, written))
            if other.value != quantity.value and other.reading is not reading:
                reason = f"{written} here and {other.written} elsewhere, in the same words"
                sure = 0.75 if len(frame) > 1 else 0.6
                yield two_sided(reading, other.reading.segment.number, reason, sure)


def _frame(clause: str, figure: str) -> frozenset[str]:
    """The telling words of a clause, its figure left out; empty where they are too many to be one statement."""
    words = [
        stem(word)
        for word in words_of(clause.replace(figure, " "))
        if word not in STOPWORDS and not word[0].isdigit()
    ]
    return frozenset(words) if len(words) <= 8 else frozenset()


def conflicting_hours(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """The same words with other times of day: "open from 9:00", "open from 8:30"."""
    known: dict[frozenset[str], Told] = {}
    for reading in analysis.seek(analysis.readings, _CLOCK):
        times = _CLOCK.findall(reading.lower)
        if not 1 <= len(times) <= 2 or not ledger.is_flat(reading):
            continue
        if _VARIES.search(_CLOCK.sub("", reading.lower).replace("from", "")):
            continue
        words = [stem(w) for w in words_of(_CLOCK.sub(" ", reading.lower)) if w not in STOPWORDS]
        if not 2 <= len(words) <= 7 or any(w[0].isdigit() for w in words):
            continue
        other = known.setdefault(frozenset(words), Told(reading, times, " to ".join(times)))
        if other.value != times and other.reading.segment.block != reading.segment.block:
            reason = f"{' to '.join(times)} here and {other.written} elsewhere, in the same words"
            yield two_sided(reading, other.reading.segment.number, reason, 0.7)


def conflicting_events(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Founded in 1931" and "founded in 1913"."""
    known: dict[tuple[str, frozenset[str]], tuple[Told, date, date]] = {}
    for reading in analysis.readings:
        mentions = analysis.dates[reading.segment.number - 1]
        for mention in mentions if mentions and ledger.is_flat(reading) else ():
            if not mention.first or not mention.last or mention.ambiguous:
                continue
            before = reading.lower[max(0, mention.start - 60) : mention.start]
            events = [m for m in _EVENT.finditer(before) if len(before[m.end() :].split()) <= 5]
            if not events or regex.search(r"\b(?:until|after|before|since|from)\s$", before):
                continue
            event = stem(events[-1]["event"])
            told = _SENTENCE_START.split(before[: events[-1].start()])[-1]
            words = frozenset(stem(w) for w in words_of(told) if w not in STOPWORDS and w.isalpha()) - {event}
            if len(words) > 4 or (not words and told.strip() not in _THE):
                continue
            written = reading.segment.plain[mention.start : mention.end]
            entry = Told(reading, None, written), mention.first, mention.last
            other, first, last = known.setdefault((event, words), entry)
            if other.reading is not reading and (mention.last < first or last < mention.first):
                reason = f'"{events[-1]["event"]}": {written} here and {other.written} elsewhere'
                yield two_sided(reading, other.reading.segment.number, reason, 0.65)


def conflicting_versions(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Python 3.10 or newer" and "Python 3.9 to 3.14"."""
    readings = analysis.seek(analysis.readings, _AT_LEAST)
    yield from _told_twice(readings, ledger, _AT_LEAST, "name", "low", "the lowest version of {key}", 0.7)


def conflicting_posts(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Project lead: Ana Ruiz" and "the project lead is Tomás Vidal"."""
    readings = analysis.seek(analysis.readings, _A_POST)
    yield from _told_twice(readings, ledger, _POST, "post", "name", "the {key}", 0.65)


def _told_twice(
    readings: Sequence[Reading],
    ledger: Ledger,
    pattern: regex.Pattern[str],
    key: str,
    value: str,
    what: str,
    confidence: float,
) -> Iterator[RawFinding]:
    known: dict[str, Told] = {}
    for reading in readings:
        for match in pattern.finditer(reading.segment.plain):
            if (
                not ledger.is_flat(reading)
                or YEARISH.search(reading.lower)
                or _OF_ANOTHER.search(reading.lower)
            ):
                break
            name = match[key].lower()
            other = known.setdefault(name, Told(reading, match[value], match[0]))
            if other.value != match[value] and other.reading is not reading:
                reason = f'{what.format(key=match[key])}: "{match[0]}" here, "{other.written}" elsewhere'
                yield two_sided(reading, other.reading.segment.number, reason, confidence)
