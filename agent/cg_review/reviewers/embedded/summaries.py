"""Point 5: a summary that tells another figure or name than the body, the opposite of a word of it, or denies it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted_sentence
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_SUMMARY = regex.compile(
    r"^(?:\d+\.? )?(?:executive )?(?:summary|abstract|at a glance|overview|key (?:points|findings|figures)|in brief|tl;dr|highlights)\b"
)
_CLAUSE_END = regex.compile(r"[.;:,!?()]| but | while | and (?=\w+ (?:is|are|was|were|has|have)\b)")
_NAME = regex.compile(r"(?<![.!?:] )(?<!^)(?<![\w-])\p{Lu}[\w'’]*(?:[- ]\p{Lu}[\w'’]*)*")
_PROSE = (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
_COMMON = 40  # a word in more sentences than this leads nowhere
_REACH = 6  # words on either side of a word that are its company
_LONGEST = 100  # sentences of a summary that are looked at
_OFTEN = 200  # places of a word that are looked at
_COMPANY = 2  # words of a company that have to be shared
_IF = regex.compile(r"(?:if|when|unless|where|in case) ")  # what is denied there is a case, not a fact
_DENIED = 5  # words after a "not" that tell what is denied
_SHOWN = 120  # characters of the other place that a reason quotes


@dataclass
class Body:
    """What stands outside the summary: its words in a row, each with its sentence, and where each stem stands."""

    readings: list[Reading]
    row: list[str] = field(default_factory=list)
    owner: list[Reading] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for reading in self.readings:
            for word in map(stem, reading.words):
                self.places[word].append(len(self.row))
                self.row.append(word)
                self.owner.append(reading)

    def shares(self, at: int, company: set[str]) -> bool:
        """Whether the words around a place share enough with those around a word of the summary."""
        around = _telling(self.row[max(0, at - _REACH - 2) : at + _REACH + 3])
        return len(around & company) >= _COMPANY


def _telling(words: list[str]) -> set[str]:
    return {word for word in words if word not in STOPWORDS and len(word) > 2 and not word[0].isdigit()}


def summary_against_body(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """What the summary of a document says otherwise than the rest of it."""
    titles = [lower(section.title) for section in analysis.document.sections]
    summaries = {i for i, title in enumerate(titles) if _SUMMARY.search(title)}
    if not summaries or len(titles) < 3:
        return
    outside = [r for r in analysis.readings if r.segment.section not in summaries]
    summary = _stated([r for r in analysis.readings if r.segment.section in summaries], point, analysis)
    summary = summary[:_LONGEST]
    values = {q.value for r in outside for q in ledger.quantities.get(r.segment.number, ())}
    told = [r for r in summary if _untold(r, values, ledger)]
    if analysis.is_page and not told:
        return
    body = _stated(outside, point, analysis)
    yield from _wrong_figures(_flat(told, analysis), _flat(body, analysis), values, ledger)
    if analysis.is_page:
        return  # whose summary is an introduction with things of its own
    whole, denied = Body(outside), one_of(point.words["denials"])
    yield from _opposites(summary, whole, _antonyms(point), denied)
    yield from _denials(summary, body, denied)
    yield from _wrong_names(summary, whole, analysis, summaries)


def _stated(readings: list[Reading], point: Point, analysis: Analysis) -> list[Reading]:
    """The sentences that state something in their first clause at least."""
    return [
        r
        for r in readings
        if r.segment.kind in _PROSE
        and not analysis.silenced(r, r.clauses[0] if r.clauses else (0, 0), point.silent_on)
    ]


def _flat(readings: list[Reading], analysis: Analysis) -> list[Reading]:
    return [r for r in readings if not analysis.silenced(r, (0, len(r.lower)), ("conditional",))]


# -- figures -----------------------------------------------------------------------------------------------------------


def _wrong_figures(
    summary: list[Reading], body: list[Reading], values: set[Decimal], ledger: Ledger
) -> Iterator[RawFinding]:
    """A figure that the body, where it says the same, gives differently."""
    index: dict[str, list[Reading]] = defaultdict(list)
    for reading in body if summary else ():
        for word in _frame_words(reading.words):
            index[word].append(reading)
    for reading in summary:
        for quantity in _untold(reading, values, ledger):
            other = _same_told(reading, quantity, index, ledger)
            if other:
                written = reading.segment.plain[quantity.start : quantity.end].strip()
                reason = f'"{written}" in the summary; the body has another figure for it'
                yield two_sided(reading, other.segment.number, reason, 0.65)
                break


def _untold(reading: Reading, values: set[Decimal], ledger: Ledger) -> list[Quantity]:
    """The figures of a sentence that are none of `values`."""
    quantities = ledger.quantities[reading.segment.number]
    return [q for q in quantities if q.value not in values and q.value >= 2]


def _frame_words(words: list[str]) -> set[str]:
    return {stem(word) for word in words if word not in STOPWORDS and not word[0].isdigit()}


def _same_told(
    reading: Reading, quantity: Quantity, index: dict[str, list[Reading]], ledger: Ledger
) -> Reading | None:
    """The sentence of the body that has most words of the summary's clause, and a figure of the same kind."""
    wanted = sorted(_frame_words(words_of(clause_around(reading.lower, quantity.start))))
    shared = Counter(r.segment.number for word in wanted if len(index[word]) <= _COMMON for r in index[word])
    by_number = {r.segment.number: r for word in wanted for r in index[word]}
    for number, count in shared.most_common(3):
        same = [q for q in ledger.quantities[number] if q.dimension == quantity.dimension]
        least = (
            2
            if len(wanted) <= 3
            and _counted(reading, quantity) & {_word_at(by_number[number], q.end) for q in same}
            else 3
        )
        if same and count >= max(least, 0.5 * len(wanted)):
            return by_number[number]
    return None


def _counted(reading: Reading, quantity: Quantity) -> set[str]:
    """The stem of what a plain figure counts; nothing for a figure with a unit."""
    return {_word_at(reading, quantity.end)} - {""} if not quantity.dimension else set()


def _word_at(reading: Reading, at: int) -> str:
    return stem(next(iter(words_of(reading.lower[at : at + 24])), ""))


# -- opposites ---------------------------------------------------------------------------------------------------------


def _antonyms(point: Point) -> dict[str, set[str]]:
    """The opposites of each word, by stems."""
    found: dict[str, set[str]] = defaultdict(set)
    for pair in point.words["antonyms"]:
        one, two = map(stem, pair.split("/"))
        found[one].add(two)
        found[two].add(one)
    return found


def _opposites(
    summary: list[Reading], body: Body, antonyms: dict[str, set[str]], denied: regex.Pattern[str]
) -> Iterator[RawFinding]:
    """ "Excluding repairs", where the body, in the same company, has "including" and never "excluding"."""
    for reading in summary:
        if denied.search(reading.lower):
            continue
        words = list(map(stem, reading.words))
        for at, word in enumerate(words):
            company = _telling(words[max(0, at - _REACH) : at + _REACH + 1]) - {word}
            others = set() if word in body.places else antonyms.get(word, set()) - set(words)
            place = next(
                (
                    p
                    for o in sorted(others)
                    for p in body.places.get(o, ())[:_OFTEN]
                    if body.shares(p, company)
                ),
                None,
            )
            if place is not None and not denied.search(body.owner[place].lower):
                yield _against(reading, reading.words[at], body.owner[place])
                break


# -- denials -----------------------------------------------------------------------------------------------------------


def _denials(summary: list[Reading], body: list[Reading], denied: regex.Pattern[str]) -> Iterator[RawFinding]:
    """ "Does not cover repairs of the hull", where the body's sentences with these words deny nothing."""
    denying = [r for r in summary if denied.search(r.lower) and not _IF.match(r.lower)]
    known = [(r, set(map(stem, r.words)), bool(denied.search(r.lower))) for r in body if denying]
    for reading in denying:
        for match in denied.finditer(reading.lower):
            subject = _telling(list(map(stem, words_of(reading.lower[: match.start()]))))
            after = words_of(_CLAUSE_END.split(reading.lower[match.end() :])[0])
            words = {stem(w) for w in [w for w in after if w not in STOPWORDS][:_DENIED]}
            least = max(_COMPANY, len(words) / 2)
            same = [one for one in known if len(one[1] & words) >= least and one[1] & subject]
            if same and not any(denies for _, _, denies in same):
                other = max(same, key=lambda one: (len(one[1] & words), -one[0].segment.number))[0]
                yield _against(reading, match.group(), other)
                break


def _against(reading: Reading, seen: str, other: Reading) -> RawFinding:
    says = quoted_sentence(other, _SHOWN)
    reason = f'"{seen}" in the summary; the body says "{says}"'
    return two_sided(reading, other.segment.number, reason, 0.6)


# -- names -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Name:
    """A name at [start, end) of a sentence, and the stems on either side of it."""

    reading: Reading
    written: str
    start: int
    end: int

    @cached_property
    def before(self) -> list[str]:
        """The stems of the words before it."""
        return list(map(stem, words_of(self.reading.lower[: self.start])))[-_REACH:]

    @cached_property
    def after(self) -> list[str]:
        """The stems of the words behind it."""
        return list(map(stem, words_of(self.reading.lower[self.end :])))[:_REACH]

    @property
    def neighbours(self) -> list[tuple[str, str]]:
        """The words right beside it, each with its side."""
        return [("before", word) for word in self.before[-1:]] + [("after", word) for word in self.after[:1]]

    @property
    def company(self) -> set[str]:
        """The telling words around it."""
        return _telling([*self.before, *self.after])


def _names_in(reading: Reading) -> Iterator[Name]:
    plain = reading.segment.plain[: len(reading.lower)]
    for match in _NAME.finditer(plain):
        if len(match.group()) > 2 and not plain.startswith(". ", match.end()):  # "I", "Mrs."
            yield Name(reading, match.group(), *match.span())


def _wrong_names(
    summary: list[Reading], body: Body, analysis: Analysis, sections: set[int]
) -> Iterator[RawFinding]:
    """A name that the body never has, where the body, in the same company, has another one."""
    told = Counter(word for r in analysis.readings if r.segment.section in sections for word in r.words)
    elsewhere = Counter(words_of(analysis.document.text)) - told  # with its code, which no reading has
    beside: dict[tuple[str, str], list[Name]] = defaultdict(list)
    for reading in body.readings:
        for name in _names_in(reading):
            for neighbour in name.neighbours if told.keys().isdisjoint(words_of(name.written)) else ():
                if len(beside[neighbour]) < _COMMON:
                    beside[neighbour].append(name)
    for reading in summary:
        for name in _names_in(reading):
            known = any(map(elsewhere.__contains__, words_of(name.written)))
            others = () if known else (o for n in name.neighbours for o in beside.get(n, ()))
            other = next((o for o in others if len(name.company & o.company) >= _COMPANY), None)
            if other:
                reason = f'"{name.written}" in the summary; the body has "{other.written}" there'
                yield two_sided(reading, other.reading.segment.number, reason, 0.55)
                break
