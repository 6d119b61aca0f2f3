"""Words of a text, and a stem that makes a word's forms meet (light suffix stripping; nothing here is language-deep)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import regex

_WORD = regex.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_SUFFIXES = (
    "ings",
    "ing",
    "ations",
    "ation",
    "ions",
    "ion",
    "ers",
    "er",
    "ies",
    "ied",
    "ed",
    "es",
    "s",
    "ly",
    "ment",
    "ments",
)

_IRREGULAR = {
    "won": "win",
    "winning": "win",
    "lost": "lose",
    "grew": "grow",
    "growth": "grow",
    "grown": "grow",
    "fell": "fall",
    "rose": "rise",
    "sold": "sell",
    "sales": "sell",
    "paid": "pay",
    "sent": "send",
    "built": "build",
    "spent": "spend",
    "people": "person",
    "children": "child",
    "borrowed": "borrow",
    "chose": "choose",
    "chosen": "choose",
    "driven": "drive",
    "drove": "drive",
    "ran": "run",
    "running": "run",
    "photograph": "photo",
    "photographs": "photo",
    "photos": "photo",
    "batteries": "battery",
    "answered": "answer",
    "response": "respond",
}

STOPWORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "get",
        "gets",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "might",
        "more",
        "most",
        "must",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "or",
        "our",
        "out",
        "over",
        "own",
        "per",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "us",
        "use",
        "used",
        "uses",
        "using",
        "via",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "you",
        "your",
        "all",
        "also",
        "any",
        "because",
        "before",
        "after",
        "between",
        "both",
        "each",
        "every",
        "few",
        "here",
        "just",
        "like",
        "made",
        "make",
        "makes",
        "many",
        "much",
        "new",
        "other",
        "same",
        "very",
        "well",
        "yes",
        "yet",
        "two",
        "three",
        "first",
        "second",
        "part",
        "next",
        "last",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
    ]
)


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, lower case, in order."""
    return [match.group().lower() for match in _WORD.finditer(text)]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its inflection: "batteries", "battery" -> "batter"; short words stay."""
    word = word.removesuffix("'s").removesuffix("’s")
    word = _IRREGULAR.get(word, word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word


def stems(words: Iterable[str]) -> set[str]:
    """The stems of the words that carry meaning; "fails over" gives "failover" too."""
    found, before = set(), ""
    for word in words:
        if word in _PARTICLES and before:
            found.add(stem(before + word))
        before = stem(word)
        if word not in STOPWORDS and len(word) > 2:
            found.add(before)
    return found


_PARTICLES = frozenset(["over", "up", "out", "back", "off", "down", "in"])
