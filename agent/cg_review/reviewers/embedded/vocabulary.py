"""Vocabularies of a point's file as expressions."""

from __future__ import annotations

from functools import lru_cache

import regex


@lru_cache(maxsize=64)
def one_of(words: tuple[str, ...]) -> regex.Pattern[str]:
    """Any of the words or phrases, whole; `…` in a phrase stands for up to three words."""
    phrases = sorted(words, key=len, reverse=True)
    written = "|".join(regex.escape(phrase).replace("…", r"(?:[\w'’-]+ ){0,3}") for phrase in phrases)
    return regex.compile(rf"(?<![\w-])(?:{written})(?![\w-])")
