"""What the learned weights look at in a sentence: its words and their classes, its traits, and what the patterns said.

`benchmarks/train.py` learns from the same features, so a change here asks for new weights.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from cg_review.document import SegmentKind
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.matching import is_alike
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS
from cg_review.reviewers.embedded.words import STOPWORDS, stem

READ = frozenset({SegmentKind.SENTENCE, SegmentKind.LIST_ITEM})
"""What the weights read; headings and table rows have rules of their own."""

_TOKEN = regex.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:/-]*|[€$£%?!￼]")
_QUICK_TOKEN = re.compile(_TOKEN.pattern)
_YEAR = regex.compile(r"(?:19|20)\d\d(?:[-/].*)?\W*")
_NAME = regex.compile(r"(?<!^)(?<![.!?:] )\b\p{Lu}[\w-]+")
_STEP, _STEPS = 5, 6  # length is told in steps of five words, up to thirty

Features = dict[str, float]


class Token(NamedTuple):
    """A word or sign at [start, end) of a text; a number's `word` is its kind alone."""

    word: str
    start: int
    end: int


class Read(NamedTuple):
    """A segment with what the weights look at."""

    reading: Reading
    analysis: Analysis
    features: Features


class Vocabulary:
    """The features of words: each, its stem, the vocabularies of the points that it belongs to, and each with the next.

    `known` are the features that weigh something; no others are made. Without it all are, to learn from.
    """

    def __init__(self, points: Iterable[Point], known: Iterable[str] | None = None) -> None:
        self.classes = _classes_of(points)
        self.known = None if known is None else frozenset(known)
        self._pairs: dict[str, dict[str, str]] = defaultdict(dict)  # known ones, by their words
        for name in self.known or ():
            one, _, two = name.partition(" ")
            self._pairs[one][two] = name
        self._of_word = lru_cache(maxsize=65536)(self._features_of)

    def features(self, words: Sequence[str]) -> Features:
        """The features of a sentence's words."""
        of_words = itertools.chain.from_iterable(map(self._of_word, words))
        return dict.fromkeys(itertools.chain(of_words, self._pairs_in(("^", *words, "$"))), 1.0)

    def names(self, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[list[str]]]:
        """The features of each word by itself, and of each two that follow one another."""
        return list(map(self._of_word, words)), list(map(self._pairs_in, itertools.pairwise(words)))

    def _pairs_in(self, row: Sequence[str]) -> list[str]:
        if self.known is None:
            return list(map(" ".join, itertools.pairwise(row)))
        following = zip(map(self._pairs.get, row), row[1:], strict=False)
        return [known[two] for known, two in following if known and two in known]

    def knows(self, name: str) -> bool:
        """Whether a feature is to be made."""
        return self.known is None or name in self.known

    def _features_of(self, word: str) -> tuple[str, ...]:
        return tuple(filter(self.knows, self._names_of(word)))

    def _names_of(self, word: str) -> Iterator[str]:
        yield word
        if word not in STOPWORDS and word[0].isalpha():
            yield f"{stem(word)}~"
        yield from self.classes.get(word, ())


def _classes_of(points: Iterable[Point]) -> dict[str, tuple[str, ...]]:
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


def see(reading: Reading, analysis: Analysis, vocabulary: Vocabulary, said: Mapping[str, float]) -> Read:
    """A segment as the weights see it. `said` are the rules that found something in it ("rule 5/contradictions"), and how sure
    each is."""
    token = _QUICK_TOKEN if is_alike(reading.lower) else _TOKEN
    words = list(map(_kind_of, token.findall(reading.lower)))
    found = vocabulary.features(words)
    for name in _of_sentence(reading, analysis, vocabulary):
        found[name] = 1.0
    found[f"length {min(_STEPS, len(words) // _STEP)}"] = 1.0
    found.update(said)
    for name, confidence in said.items():
        found[f"says {name[5]}"] = confidence
    if said:
        found["says"] = max(said.values())
    return Read(reading, analysis, found)


def _of_sentence(reading: Reading, analysis: Analysis, vocabulary: Vocabulary) -> Iterator[str]:
    for trait in reading.cues(analysis.traits):
        if vocabulary.knows(name := f"trait {trait}") and reading.has(trait, analysis.traits):
            yield name
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
    plain = reading.segment.plain
    if not plain[1:].islower() and _NAME.search(plain):
        yield "has name"
