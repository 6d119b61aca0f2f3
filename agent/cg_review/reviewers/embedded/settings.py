"""Point 5: a setting or limit told twice: "artifacts stay for 90 days", "deletes artifacts once they are 60 days old"."""

from __future__ import annotations

import calendar
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import YEARISH, Ledger, clause_around
from cg_review.reviewers.embedded.quantities import MONEY, Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem, stems, words_of

_VARIES = regex.compile(
    r"\b(?:then|from|between|about|around|roughly|per cent|compared|instead|previously|formerly|was|were|had|took|used to|old \w+|same|again|another|other|otherwise|extra|further|additional|unless|reminders?|took|measured|median|average|mean|now|so far)\b|~"
)
_MONTHS = frozenset(stem(name.lower()) for name in (*calendar.month_name, *calendar.month_abbr) if name)
_BOUNDED = regex.compile(r"\b(?:more|less|fewer) than\b|\bat (?:most|least)\b")
_ANY = "whatever it is"
_RATE = regex.compile(
    r" (?:(?P<noun>[a-z]+) (?:per|an?|each|every) (?P<time>second|minute|hour|day|week|month|year)|(?:times|attempts|tries|retries))\b(?! (?:as|the|more|faster|larger|higher|over))"
)
_RARE = 4
"""A word in more sentences than this is what the document is about; sharing it says little."""

_LABEL = 3  # words of a speaker's name
Attributes = tuple[tuple[str, regex.Pattern[str] | None], ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A figure told of something: the stems that tell of what, and the attribute that it is."""

    reading: Reading
    quantity: Quantity
    subject: frozenset[str]
    attribute: str

    @property
    def written(self) -> str:
        """The figure as written."""
        return self.reading.segment.plain[self.quantity.start : self.quantity.end].strip()


def conflicting_settings(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """The same attribute of the same thing with two figures, in whatever words."""
    attributes, cues = _attributes(point.words["attributes"])
    known: dict[tuple[str, str, str], list[Setting]] = defaultdict(list)
    settings = [
        replace(s, subject=s.subject - stems(words_of(label)))
        for r, label in zip(ledger.statements, _speakers(ledger.statements), strict=True)
        for s in _settings(r, ledger, attributes, cues)
    ]
    spread = Counter(word for _, word in {(s.reading.segment.number, w) for s in settings for w in s.subject})
    told: set[tuple[int, int]] = set()
    for setting in settings:
        key = setting.attribute, setting.quantity.dimension
        others = {id(o): o for word in sorted(setting.subject) for o in known[*key, word]}
        shared = {id(o): o.subject & setting.subject for o in others.values()}
        for other in others.values():
            here = setting.reading.segment.number, other.reading.segment.number
            if here not in told and _conflict(setting, other, shared[id(other)], spread):
                told.add(here)
                reason = f'"{setting.written}" here, "{other.written}" elsewhere, of {" ".join(sorted(shared[id(other)]))}'
                yield two_sided(setting.reading, other.reading.segment.number, reason, 0.65)
                break
        for word in setting.subject:
            if len(known[*key, word]) < _RARE:
                known[*key, word].append(setting)


@lru_cache(maxsize=8)
def _attributes(lines: tuple[str, ...]) -> tuple[Attributes, frozenset[str]]:
    """The attributes by name, each with what tells of it, and the stems of all that tells of one."""
    listed = [line.partition(": ")[::2] for line in lines]
    attributes: Attributes = tuple((name, one_of(tuple(words.split(", ")))) for name, words in listed)
    cues = frozenset(stem(word) for _, words in listed for word in words_of(words))
    return (*attributes, (_ANY, None)), cues


def _speakers(readings: Sequence[Reading]) -> list[str]:
    """Who speaks in each sentence of a transcript: a label before a colon that several sentences open with; else nothing."""
    labels = [label if colon else "" for label, colon, _ in (r.lower.partition(":") for r in readings)]
    count = Counter(label for label in labels if len(label.split()) <= _LABEL)
    return [label if count[label] >= _RARE else "" for label in labels]


def _settings(
    reading: Reading,
    ledger: Ledger,
    attributes: Attributes,
    cues: frozenset[str],
) -> Iterator[Setting]:
    if not ledger.quantities[reading.segment.number]:
        return
    quantities = [
        *(q for q in ledger.quantities[reading.segment.number] if q.dimension),
        *_rates(reading, ledger),
    ]
    for quantity in quantities:
        alone = sum(q.dimension == quantity.dimension for q in quantities) == 1
        is_short = len(reading.lower) < 140
        clause = reading.lower if is_short else clause_around(reading.lower, quantity.start)
        if not alone or YEARISH.search(clause) or _VARIES.search(clause):
            continue
        if not 0 < len(clause) < 220:
            continue
        figure = reading.lower[quantity.start : quantity.end]
        for name, cue in attributes:
            bounded = name == "how often" and _BOUNDED.search(
                clause
            )  # a limit, within which the other may be
            if cue is None or (cue.search(clause) and not bounded):
                subject = stems(words_of(clause.replace(figure, " "))) - cues - _MONTHS
                words = frozenset(word for word in subject if not word[0].isdigit())
                if words:
                    yield Setting(reading, quantity, words, name)


def _rates(reading: Reading, ledger: Ledger) -> Iterator[Quantity]:
    """ "60 requests per minute", "five times": figures whose unit is a word behind them."""
    for quantity in ledger.quantities[reading.segment.number]:
        match = _RATE.match(reading.lower, quantity.end) if not quantity.dimension else None
        if match:
            unit = f"{stem(match['noun'])}/{match['time']}" if match["noun"] else "times"
            yield replace(quantity, dimension=unit)


def _conflict(one: Setting, two: Setting, shared: frozenset[str], spread: Counter[str]) -> bool:
    a, b = one.quantity.value, two.quantity.value
    if a == b or not a or not b or one.reading is two.reading or max(a, b) > 10 * min(a, b):
        return False
    is_list = one.reading.segment.list_depth and two.reading.segment.list_depth
    if is_list and one.reading.segment.section == two.reading.segment.section:
        return False  # the items of a list are of different things
    telling = [word for word in shared if spread[word] <= 2 * _RARE]
    smaller = min(len(one.subject), len(two.subject))
    need = 2 if one.quantity.dimension in MONEY | {"share"} else 1
    if one.attribute == _ANY:
        return one.quantity.dimension != "share" and len(telling) >= 3 and len(shared) * 2 >= smaller
    return len(telling) >= need and (
        len(shared) * 2 >= smaller or (len(telling) >= 2 and len(shared) * 3 >= smaller)
    )
