"""Words of a text, and a stem that makes a word's forms meet (light suffix stripping; nothing here is language-deep)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

import regex

from cg_review import resources
from cg_review.reviewers.embedded.matching import is_alike
from cg_review.rule_files import RuleModel, read_rules

_WORD = regex.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_QUICK_WORD = re.compile(_WORD.pattern)


class WordRules(RuleModel):
    """rules/words.yaml."""

    suffixes: tuple[str, ...]
    irregular: dict[str, str]
    stopwords: frozenset[str]
    particles: frozenset[str]


_RULES = WordRules.model_validate(read_rules(resources.find("rules", "words.yaml")))
STOPWORDS = _RULES.stopwords


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, lower case, in order."""
    words: list[str] = (_QUICK_WORD if is_alike(text) else _WORD).findall(text)
    return words if text.islower() else [word.lower() for word in words]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its inflection: "batteries", "battery" -> "batter"; short words stay."""
    word = word.removesuffix("'s").removesuffix("’s")
    word = _RULES.irregular.get(word, word)
    for suffix in _RULES.suffixes:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word


def stems(words: Sequence[str]) -> set[str]:
    """The stems of the words that carry meaning; "fails over" gives "failover" too."""
    found = set(map(_meaning, words))
    found.discard("")
    if not _RULES.particles.isdisjoint(words):
        for before, word in itertools.pairwise(words):
            if word in _RULES.particles:
                found.add(stem(stem(before) + word))
    return found


@lru_cache(maxsize=65536)
def _meaning(word: str) -> str:
    """The stem of a word that carries meaning; else nothing."""
    return stem(word) if len(word) > 2 and word not in STOPWORDS else ""
