"""The vocabulary of the comparison (rules/across.yaml), and subjects made of it: stems without what says nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import regex

from cg_review import resources
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of
from cg_review.rule_files import RuleModel, read_rules

Stems = tuple[str, ...]  # sorted, each once


class Aspect(RuleModel):
    """What is told of a subject: the words before the value, and the nouns that name it in a label."""

    of: Literal["date", "amount"]
    says: tuple[str, ...]
    nouns: tuple[str, ...]


class AcrossRules(RuleModel):
    """rules/across.yaml."""

    aspects: dict[str, Aspect]
    roles: dict[str, tuple[str, ...]]
    posts: frozenset[str]
    class_words: frozenset[str]
    filler: frozenset[str]
    value_headers: frozenset[str]
    levels: frozenset[str]
    cases: frozenset[str]
    records: tuple[str, ...]
    genres: frozenset[str]
    wholes: frozenset[str]
    has: tuple[str, ...]
    not_things: frozenset[str]
    numbered: frozenset[str]
    synonyms: dict[str, str]
    verbs: frozenset[str]
    openers: tuple[str, ...]
    idle_rests: tuple[str, ...]
    not_flat: tuple[str, ...]
    hedges: tuple[str, ...]
    vague_starts: tuple[str, ...]
    vague: frozenset[str]


RULES = AcrossRules.model_validate(read_rules(resources.find("rules", "across.yaml")))


def any_of(words: Iterable[str]) -> str:
    """A regular expression for any of the words or phrases, the longest first."""
    return "(?:" + "|".join(map(regex.escape, sorted(words, key=len, reverse=True))) + ")"


def stems_of(text: str) -> Stems:
    """The stems of the words that carry meaning, numbers among them. Words that only say what kind of thing is meant,
    or nothing, are marked with "~", for `bare` to leave out."""
    return tuple(sorted({stem_of(word) for word in words_of(text) if word not in STOPWORDS}))


def bare(words: Iterable[str]) -> Stems:
    """Stems without those that only say what kind of thing is meant."""
    return tuple(sorted({word for word in words if not word.startswith("~")}))


def stem_of(word: str) -> str:
    """One word's stem, as `stems_of` gives it."""
    word = RULES.synonyms.get(word, word)
    says_little = word in _CLASS or word.removesuffix("s") in _CLASS
    return f"~{stem(word)}" if says_little else stem(word)


_CLASS = RULES.class_words | RULES.filler
GENRES = frozenset(map(stem, RULES.genres))
WHOLES = frozenset(map(stem_of, RULES.wholes))
_NOUNS = {stem(noun): name for name, aspect in RULES.aspects.items() for noun in aspect.nouns}
_DATE_NOUNS = {
    stem(n): name for name, aspect in RULES.aspects.items() if aspect.of == "date" for n in aspect.nouns
}


def aspect_in(stems: Iterable[str], of_date: bool) -> tuple[str, Stems]:
    """The aspect that one of a label's words names ("is": none does), and the label without it."""
    given = set(stems)
    wanted = _DATE_NOUNS if of_date else {s: n for s, n in _NOUNS.items() if s not in _DATE_NOUNS}
    named = sorted(given & wanted.keys())
    return (wanted[named[0]] if named else "is"), tuple(sorted(given - set(named)))


def role_in(words: Iterable[str]) -> str | None:
    """The role that one of the words names."""
    given = set(words)
    return next((role for role, names in RULES.roles.items() if given & set(names)), None)
