"""Which patterns can match a sentence at all, from its words: most of a hundred patterns need not be tried on most.

A pattern whose needs cannot be told is tried on every sentence; the answer never depends on this module, only the time
does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import regex

from cg_review.reviewers.embedded.needs import Needs, Terms, cost, needs_of, shared

T = TypeVar("T", bound=Hashable)


class Prefilter(Generic[T]):
    """Expressions by the words that a text must have for them to match."""

    def __init__(self, entries: Sequence[tuple[T, str, Mapping[str, Sequence[str]]]]) -> None:
        self.always: set[T] = set()
        self.by_key: dict[str, list[tuple[T, Needs, tuple[Needs, ...]]]] = defaultdict(list)
        for item, expression, words in entries:
            alternatives = needs_of(expression, words)
            if alternatives is None:
                self.always.add(item)
            for terms in alternatives or ():
                rarest, *others = sorted(terms, key=lambda needs: (cost(needs), sorted(needs)))
                every = shared(frozenset(key for needs in others if len(needs) == 1 for key in needs))
                entry = item, every, tuple(needs for needs in others if len(needs) > 1)
                for key in rarest:
                    self.by_key[key].append(entry)
        self.keys = frozenset(self.by_key)

    def candidates(self, keys: frozenset[str]) -> set[T]:
        """The expressions that can match a text with these keys."""
        found = set(self.always)
        for key in keys & self.keys:
            for item, every, others in self.by_key[key]:
                if item not in found and every <= keys:
                    for needs in others:
                        if keys.isdisjoint(needs):
                            break
                    else:
                        found.add(item)
        return found


@lru_cache(maxsize=512)
def keys_for(*patterns: regex.Pattern[str]) -> frozenset[str] | None:
    """Keys of which a text has at least one where one of `patterns` matches it; None where that cannot be told."""
    alternatives = _alternatives_for(patterns)
    if alternatives is None:
        return None
    return frozenset().union(*(min(terms, key=cost) for terms in alternatives))


@lru_cache(maxsize=512)
def all_keys_for(*patterns: regex.Pattern[str]) -> frozenset[str]:
    """Keys that a text has, each of them, where one of `patterns` matches it."""
    alone = [
        {key for needs in terms if len(needs) == 1 for key in needs}
        for terms in _alternatives_for(patterns) or ()
    ]
    return frozenset(set.intersection(*alone)) if alone else frozenset()


def _alternatives_for(patterns: Iterable[regex.Pattern[str]]) -> list[Terms] | None:
    found: list[Terms] = []
    for pattern in patterns:
        if pattern.flags & (regex.IGNORECASE | regex.VERBOSE):
            return None
        alternatives = needs_of(pattern.pattern, pattern.named_lists)
        if alternatives is None:
            return None
        found.extend(alternatives)
    return found
