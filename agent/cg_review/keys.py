"""The keys of a text: what it has, word by word, that expressions can be chosen by (`reviewers/embedded/needs`)."""

from __future__ import annotations

import re

DIGIT = "0"  # the key of a text that has a digit
KEY = 6  # characters of a word that are looked up; a shorter word is looked up whole
WORD = re.compile(r"[^\W_]+")
SIGN = re.compile(r"[^\w\s\0]")
DIGITS = re.compile(r"\d")
_KEYS = re.compile(rf"(?<![^\W_])[^\W_]{{1,{KEY}}}|{SIGN.pattern}")


def keys_of(text: str) -> frozenset[str]:
    """The keys of a text in lower case: of its words, its signs, and that of a digit."""
    keys = set(_KEYS.findall(text))
    if DIGITS.search(text):
        keys.add(DIGIT)
    return frozenset(keys)
