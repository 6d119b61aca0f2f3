"""The facts of a document that point 5 compares: counts of things, with how they are told."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import regex

from cg_review.document import SegmentKind
from cg_review.keys import DIGIT
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grids
from cg_review.reviewers.embedded.quantities import (
    Quantity,
    find_quantities,
    may_have_quantities,
    writes_decimal_comma,
)
from cg_review.reviewers.embedded.shares import Share, shares
from cg_review.reviewers.embedded.words import STOPWORDS, stem

_NEXT_WORDS = regex.compile(r"\s?((?:[^\W\d_][\w'’-]*)(?: [^\W\d_][\w'’-]*){0,3})")
_NAMES = regex.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][\w-]+")
YEARISH = regex.compile(
    r"\b(?:19|20)\d\d\b|\b(?:last|this|next|previous) (?:year|month|week|quarter)\b|\bq[1-4]\b"
)
_CUT = regex.compile(r";| and (?=\w+ (?:\w+ ){0,6}(?:is|are|was|were|has|have)\b)| but |, which ")
_NAMED_COUNT = regex.compile(
    r"\b(?:(?P<noun>[a-z]+) count|(?:total )?number of (?P<nouns>[a-z]+s))(?: of| is|:) (?=\d)"
)
_LABELLED = regex.compile(r"^(?P<told>(?:[a-z-]+ ){0,2})(?P<noun>[a-z]+s): $")
_WHOLE_BEFORE = regex.compile(
    r"\b(?:all|all the|all of the|all our|all my|the|our|its|my|their|your|total of|altogether|in total|a total of|each of the|sum of|of its|of our)\s?$"
)
_WHOLE_AFTER = regex.compile(r"^[^.;,]{0,40}\b(?:in total|altogether|overall|in all|combined)\b")
_HELD_BEFORE = regex.compile(
    r"\b(?:has|have|had|now have|serves?|runs?|operates?|holds?|contains?|consists? of|comprises?|includes?|employs?|counts?|owns?|keeps?|manages?|"
    r"there are|there were|moved|with|of|reached|covers?|connects?|lists?|ships?|supports?|offers?|maintains?|uses|used|that makes|about|today|trained on|across|for|by)\s?$"
)
_PEOPLE = frozenset(["people", "persons", "women", "men", "children", "users", "customers", "visitors"])
_EMPLOYED = regex.compile(
    r"\b(?:ha[sd]|have|employs?|employed|counts?|there are|(?:team|staff|crew|group|board|committee|family) of|serves?|reaches|we are)\s?$"
)
_STATE_AFTER = regex.compile(
    r"^(?: \w+){0,2} (?:are|were|is|was|have|had|make|work|belong|serve|run|went|took|joined|signed)\b"
)
_ONE_OF = regex.compile(
    r"\b(?:one|each|any|all|every one|none|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) of (?:the|our|its|my|their)\s?$"
)
_OF_WHICH = regex.compile(r"\b(?:out )?of (?:the |our |its |all |these )?$")
_ONLY_THOSE = regex.compile(
    r"^ (?:with|that|who|whom|whose|which|where|nearest|next|left|we|they|i|you|it|he|she)\b"
)
_SPLIT = regex.compile(
    r"^[^.;]*\band (?:the )?(?:others?|rest|remaining|\w+ (?:had|have|has|were|are|was|is|did|said|got|went|came|took))\b"
)
_PER_ONE = regex.compile(
    r"\s?[\w-]+ (?:[\w-]+ )?(?:per|each|more|fewer|less|an? (?:second|minute|hour|shift|day|night|week|month|quarter|year|head|person|time|run|go))\b"
)
_CALENDAR_NAMES = frozenset((*calendar.month_name, *calendar.day_name))
_NOT_THINGS = frozenset(
    [
        "percent",
        "per",
        "and",
        "or",
        "of",
        "to",
        "the",
        "a",
        "an",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "with",
        "times",
        "time",
        "years",
        "year",
        "days",
        "day",
        "months",
        "month",
        "weeks",
        "week",
        "hours",
        "hour",
        "minutes",
        "minute",
        "seconds",
        "second",
        "points",
        "point",
        "pages",
        "page",
        "steps",
        "step",
        "ways",
        "way",
        "things",
        "thing",
        "types",
        "type",
        "parts",
        "part",
        "sides",
        "side",
        "others",
        "reasons",
        "reason",
        "examples",
        "example",
        "bits",
        "bit",
        "bytes",
        "byte",
        "words",
        "word",
        "columns",
        "column",
        "rows",
        "row",
        "characters",
        "character",
        "digits",
        "digit",
        "options",
        "option",
        "items",
        "item",
        "questions",
        "question",
        "values",
        "value",
    ]
)

_SAID = (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM, SegmentKind.HEADING)
_MANY = 60
"""A sentence with more figures than this is a list of numbers, not a statement; comparing each with each would cost."""


@dataclass(frozen=True, slots=True)
class Count:
    """So many of something: "all 34 branches". `whole` is how surely it speaks of all of them (0 to 2)."""

    reading: Reading
    quantity: Quantity
    noun: str  # its stem
    modifiers: frozenset[str]
    whole: int
    approximate: bool
    names: frozenset[str]
    periods: frozenset[str]

    @property
    def value(self) -> Decimal:
        """The number."""
        return self.quantity.value

    @property
    def profile(self) -> object:
        """Everything that a comparison looks at: counts of the same profile need comparing only once."""
        return self.value, self.modifiers, self.whole, self.approximate, self.names, self.periods

    @property
    def written(self) -> str:
        """The number and its noun as written."""
        plain, end = self.reading.segment.plain, self.quantity.end
        match = _NEXT_WORDS.match(plain, end)
        return plain[self.quantity.start : match.end() if match else end].strip()


class Ledger:
    """Quantities by segment, counts of things, tables as grids, and the sentences that state something."""

    def __init__(self, analysis: Analysis, point: Point) -> None:
        self.analysis, self.point = analysis, point
        prose = [r for r in analysis.readings if r.segment.kind is not SegmentKind.TABLE]
        self.decimal_comma = writes_decimal_comma(r.lower for r in prose if DIGIT in r.keys)
        self.quantities = {r.segment.number: self._quantities(r) for r in prose}
        self._shares: dict[int, list[Share]] = {}
        self.grids = Grids(analysis, point.words["totals"], self.decimal_comma)
        self.statements = [
            r
            for r in prose
            if r.segment.kind in _SAID and not analysis.silenced(r, (0, len(r.lower)), point.silent_on)
        ]
        self.counts = [count for r in self.statements for count in self._counts(r)]
        self._by_segment: dict[int, list[Count]] = defaultdict(list)
        for count in self.counts:
            self._by_segment[count.reading.segment.number].append(count)
        self.parts = frozenset(self._parts())

    @cached_property
    def prose(self) -> list[Reading]:
        """What is no table and opens with something said."""
        tables = (SegmentKind.TABLE, SegmentKind.ROW)
        return [
            r
            for r in self.analysis.readings
            if r.segment.kind not in tables and not self.analysis.silenced(r, (0, 1), self.point.silent_on)
        ]

    def is_flat(self, reading: Reading) -> bool:
        """Whether it is a sentence or list item that says something, in its first clause at least, without a condition."""
        if reading.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
            return False
        clause = reading.clauses[0] if reading.clauses else (0, 0)
        return not self.analysis.silenced(reading, clause, (*self.point.silent_on, "conditional"))

    def counts_of(self, reading: Reading) -> list[Count]:
        """The counts of a sentence."""
        return self._by_segment.get(reading.segment.number, [])

    def shares_of(self, reading: Reading) -> list[Share]:
        """The shares that a sentence tells, left to right."""
        number = reading.segment.number
        if number not in self._shares:
            self._shares[number] = shares(reading, self.quantities.get(number, ()))
        return self._shares[number]

    def is_open(self, reading: Reading, at: tuple[int, int]) -> bool:
        """Whether what is told at [start, end) is hoped for, aimed at, or under a condition."""
        conditional = () if " if only " in reading.lower else ("conditional",)
        return self.analysis.silenced(reading, at, ("hedged", *conditional))

    def _quantities(self, reading: Reading) -> tuple[Quantity, ...]:
        found = self._every_quantity(reading)
        return found if len(found) <= _MANY else ()

    def _every_quantity(self, reading: Reading) -> tuple[Quantity, ...]:
        if not may_have_quantities(reading.keys):
            return ()
        dates = self.analysis.dates[reading.segment.number - 1]
        return tuple(
            q
            for q in find_quantities(reading.lower, self.decimal_comma, reading.keys)
            if not any(d.start < q.end and q.start < d.end for d in dates)
        )

    def _counts(self, reading: Reading) -> list[Count]:
        found = []
        for quantity in self.quantities[reading.segment.number]:
            if (
                not quantity.dimension
                and quantity.value >= 2
                and quantity.value == quantity.value.to_integral_value()
            ):
                count = self._count(reading, quantity)
                if count:
                    found.append(count)
        return found

    def _count(self, reading: Reading, quantity: Quantity) -> Count | None:
        text = reading.lower
        noun = _noun_after(text, quantity.end) or _noun_before(text, quantity)
        is_number = reading.segment.kind is SegmentKind.HEADING and quantity.start == 0  # "4 Complaints"
        if not noun or (is_number and text[0].isdigit()):
            return None
        before = text[max(0, quantity.start - 28) : quantity.start]
        after = text[quantity.end :]
        of_all = _ONE_OF.search(before)
        if self._is_part(before, after[:60]) and not of_all:
            return None
        head, modifiers, end = noun
        rest = text[end:]
        if _ONLY_THOSE.match(rest) or (not before.strip() and _SPLIT.match(rest)) or " other " in text[end:]:
            return None
        whole = (
            2
            if end < quantity.start or of_all or _WHOLE_BEFORE.search(before) or _WHOLE_AFTER.search(rest)
            else 0
        )
        if head in _PEOPLE and not whole:
            whole = int(bool(_EMPLOYED.search(before)))
        elif not whole and (_HELD_BEFORE.search(before) or _STATE_AFTER.match(rest) or before.strip() == ""):
            whole = 1
        approximate = any(before.rstrip().endswith(word) for word in self.point.words["approximate"])
        periods = {m.group() for m in YEARISH.finditer(clause_around(text, quantity.start))}
        names = frozenset(m.group() for m in _NAMES.finditer(reading.segment.plain)) - _CALENDAR_NAMES
        return Count(
            reading,
            quantity,
            stem(head),
            frozenset(map(stem, modifiers)),
            whole,
            approximate,
            names,
            frozenset(periods),
        )

    def _parts(self) -> Iterator[tuple[str, Decimal]]:
        """What is counted as a part of its kind somewhere: noun and number of "4 of the 11 mirrors"."""
        for count in self.counts:
            before = count.reading.lower[max(0, count.quantity.start - 24) : count.quantity.start]
            if _OF_WHICH.search(before):
                for quantity in self.quantities[count.reading.segment.number]:
                    if quantity.end >= count.quantity.start - 24 and quantity.start < count.quantity.start:
                        yield count.noun, quantity.value

    def _is_part(self, before: str, after: str) -> bool:
        """Whether the number counts some of them: "another 3", "2 of the 5", "8 more"."""
        if _PER_ONE.match(after):
            return True
        words = self.point.words["parts"]
        last = before.rstrip().rsplit(" ", 2)
        ending = {last[-1], " ".join(last[-2:])}
        following = after.split()[:2]
        opening = {following[0] if following else "", " ".join(following)}
        return bool(ending & set(words)) or bool(opening & set(words))


def _noun_before(text: str, quantity: Quantity) -> tuple[str, list[str], int] | None:
    """The thing counted in "the partition count of 64"; the end is that of its noun, before the number."""
    label = _LABELLED.match(text[: quantity.start])
    if label and label["noun"] not in _NOT_THINGS and label["noun"] not in STOPWORDS:
        return label["noun"], label["told"].split(), label.end("noun")
    for match in _NAMED_COUNT.finditer(text, 0, quantity.end):
        if match.end() == quantity.start:
            noun = match["noun"] or match["nouns"]
            told = regex.split(r"[.,;:(]", text[: match.start()])[-1].split()[-4:]
            return noun, [word for word in told if word not in STOPWORDS], match.start()
    return None


def clause_around(text: str, at: int) -> str:
    """The part of the sentence around a place that a period is told for."""
    cuts = [0, *(m.start() for m in _CUT.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= at)
    return text[start : next(cut for cut in cuts if cut > at or cut == len(text))]


def _noun_after(text: str, at: int) -> tuple[str, list[str], int] | None:
    """The thing counted right behind a number: its head (the first plural), the words before it, and where it ends."""
    match = _NEXT_WORDS.match(text, at)
    if not match:
        return None
    words = match[1].split()
    for position, word in enumerate(words):
        if word in STOPWORDS or word in _NOT_THINGS:
            return None
        if (word.endswith("s") and not word.endswith("ss")) or word in {
            "people",
            "children",
            "staff",
            "women",
            "men",
        }:
            end = match.start(1) + sum(len(w) + 1 for w in words[: position + 1]) - 1
            return word, words[:position], end
    return None


def ledger_of(analysis: Analysis, point: Point) -> Ledger:
    """The ledger of a document, which is made once."""
    if not isinstance(analysis.ledger, Ledger):
        analysis.ledger = Ledger(analysis, point)
    return analysis.ledger
