"""What the learned weights look at in a sentence: its words and their classes, its traits, and what the patterns said.

`benchmarks/train.py` learns from the same features, so a change here asks for new weights.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import regex

from cg_review.document import SegmentKind
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS
from cg_review.reviewers.embedded.words import STOPWORDS, stem

READ = frozenset({SegmentKind.SENTENCE, SegmentKind.LIST_ITEM})
"""What the weights read; headings and table rows have rules of their own."""

_TOKEN = regex.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:/-]*|[€$£%?!￼]")
_YEAR = regex.compile(r"(?:19|20)\d\d(?:[-/].*)?\W*")
_NAME = regex.compile(r"(?<!^)(?<![.!?:] )\b\p{Lu}[\w-]+")
_STEP, _STEPS = 5, 6  # length is told in steps of five words, up to thirty

Features = dict[str, float]
Classes = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign at [start, end) of a text; a number's `word` is its kind alone."""

    word: str
    start: int
    end: int


def classes_of(points: Iterable[Point]) -> Classes:
    """The vocabularies of the points that each single word belongs to."""
    found: dict[str, list[str]] = defaultdict(list)
    for point in points:
        for name, words in point.words.items():
            for word in words:
                if " " not in word:
                    found[word].append(f"class {point.id}/{name}")
    return {word: tuple(names) for word, names in found.items()}


def tokens_of(lowered: str) -> list[Token]:
    """The words and signs of a text, left to right."""
    return [Token(_kind_of(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(lowered)]


@lru_cache(maxsize=65536)
def _kind_of(word: str) -> str:
    if word[0].isdigit():
        return "<year>" if _YEAR.fullmatch(word) else "<number>"
    return "<count>" if NUMBER_WORDS.get(word, 0) > 1 else word.replace("’", "'")


def features(
    reading: Reading,
    tokens: list[Token],
    analysis: Analysis,
    classes: Classes,
    said: Mapping[str, float],
) -> Features:
    """The features of a sentence. `said` are the rules that found something in it ("rule 5/sums"), and how sure each is."""
    found: Features = dict.fromkeys(of_words([token.word for token in tokens], classes), 1.0)
    found.update(dict.fromkeys(_of_sentence(reading, analysis), 1.0))
    found[f"length {min(_STEPS, len(tokens) // _STEP)}"] = 1.0
    found.update(said)
    for name, confidence in said.items():
        found[f"says {name[5]}"] = confidence
    if said:
        found["says"] = max(said.values())
    return found


def of_words(words: list[str], classes: Classes) -> Iterator[str]:
    """The features of a row of words: each, its stem, its classes, and each with the next."""
    for word in words:
        yield word
        if word not in STOPWORDS and word[0].isalpha():
            yield f"{stem(word)}~"
        yield from classes.get(word, ())
    for one, two in itertools.pairwise(["^", *words, "$"]):
        yield f"{one} {two}"


def _of_sentence(reading: Reading, analysis: Analysis) -> Iterator[str]:
    for trait in reading.cues(analysis.traits):
        if reading.has(trait, analysis.traits):
            yield f"trait {trait}"
    if analysis.has("sourced", reading):
        yield "trait sourced"
    if analysis.dates[reading.segment.number - 1]:
        yield "has date"
        if analysis.is_ahead(reading):
            yield "trait ahead"
    if "technical" in analysis.document_traits:
        yield "document technical"
    yield f"kind {reading.segment.kind.value}"
    if reading.segment.quoted:
        yield "quoted"
    if _NAME.search(reading.segment.plain):
        yield "has name"
