"""Point 5: "recordings never leave your phone", and a sentence that says where they are sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted_sentence
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_PRONOUN = regex.compile(r"\b(?:it|them|they)\b")
_NEGATED = regex.compile(r"\b(?:not|no|never|nothing|nobody|cannot|without|neither|nor)\b|n[’']t\b")
_NOUNS = 2
"""How many words before "never …" can be what it is said of."""


def broken_absolutes(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """What never happens, and a sentence in which it does to the same thing."""
    for line in point.words["absolutes"]:
        never, breaks = (one_of(tuple(part.split(", "))) for part in line.split(" / "))
        statements = analysis.seek(ledger.statements, never)
        claims = [(reading, match) for reading in statements if (match := never.search(reading.lower))]
        if claims:
            yield from _broken(claims, breaks, analysis)


def _broken(
    claims: list[tuple[Reading, regex.Match[str]]], breaks: regex.Pattern[str], analysis: Analysis
) -> Iterator[RawFinding]:
    by_noun: dict[str, Reading] = defaultdict()
    for reading in analysis.seek(analysis.readings, breaks):
        before = analysis.readings[reading.segment.number - 2] if reading.segment.number > 1 else None
        match = breaks.search(reading.lower)
        if not match or _NEGATED.search(reading.lower[max(0, match.start() - 24) : match.end() + 12]):
            continue
        words = set(reading.words)
        if before and before.segment.block == reading.segment.block and _PRONOUN.search(reading.lower):
            words |= set(before.words)
        for word in words:
            by_noun.setdefault(stem(word), reading)
    for reading, match in claims:
        told = [
            w
            for w in words_of(regex.split(r"[,.;:(–—]", reading.lower[: match.start()])[-1])
            if w not in STOPWORDS
        ]
        for noun in map(stem, reversed(told[-_NOUNS:])):
            other = by_noun.get(noun)
            if other and other is not reading:
                reason = f'"{match.group()}" here; elsewhere "{quoted_sentence(other)}"'
                yield two_sided(reading, other.segment.number, reason, 0.7)
                break
