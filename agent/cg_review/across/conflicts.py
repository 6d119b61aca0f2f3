"""Facts of several documents, held against each other. A false conflict costs more than a miss: what may be about two things is left alone."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath

from cg_review.across.facts import Fact, Key
from cg_review.across.scope import Scope, is_record_path
from cg_review.results import Conflict, ConflictPlace

_MOST_VALUES = 6
"""What is told with more values than this is a field that every document fills in, not one thing."""
_FORM = 3
"""Two documents that fill in this many fields, most of them differently, describe two things."""


@dataclass(frozen=True, slots=True)
class Told:
    """A document's facts."""

    scope: Scope
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    scope: Scope
    fact: Fact


def find_conflicts(documents: Sequence[Told]) -> list[Conflict]:
    """What the documents tell differently, in the order of the first place.

    A document that itself tells several values takes no side: it describes a change, or is point 5's affair.
    """
    documents = _lasting(documents)
    whole = frozenset(word for one in documents if one.scope.is_entry for word in one.scope.own)
    sides = _sides(documents, whole)
    forms = _forms(sides)
    found = []
    for told in sides.values():
        if sum(1 for _ in _distinct(told)) > _MOST_VALUES:
            continue
        apart = {
            id(side): side
            for pair in combinations(told, 2)
            if _contradict(*pair, whole, forms)
            for side in pair
        }
        if apart:
            places = sorted(
                (_place(side) for side in apart.values()), key=lambda p: (p.path, p.line, p.column)
            )
            found.append(Conflict(subject=next(iter(apart.values())).fact.subject, places=tuple(places)))
    return sorted(found, key=lambda conflict: [(one.path, one.line, one.column) for one in conflict.places])


def _lasting(documents: Sequence[Told]) -> list[Told]:
    """Those that don't lie where minutes, proposals or samples do, seen from the folder that holds them all."""
    paths = [PurePath(one.scope.path) for one in documents]
    folder = os.path.commonpath([path.parent for path in paths]) if paths else ""
    return [one for one in documents if not is_record_path(os.path.relpath(one.scope.path, folder or "."))]


def _sides(documents: Sequence[Told], whole: frozenset[str]) -> dict[Key, list[_Side]]:
    """By thing and case, what each document says of it that says one thing of it."""
    by_key: dict[Key, dict[str, list[_Side]]] = defaultdict(lambda: defaultdict(list))
    for document in documents:
        for fact in document.facts:
            key = (*(word for word in fact.key if word not in whole or word == "|"), "|", *fact.cases)
            by_key[key][document.scope.path].append(_Side(document.scope, fact))
    return {
        key: [
            sides[0]
            for sides in told.values()
            if all(sides[0].fact.value.agrees(s.fact.value) for s in sides)
        ]
        for key, told in by_key.items()
    }


def _distinct(told: Sequence[_Side]) -> list[_Side]:
    kept: list[_Side] = []
    for side in told:
        if len(kept) <= _MOST_VALUES and not any(side.fact.value == k.fact.value for k in kept):
            kept.append(side)
    return kept


def _contradict(one: _Side, two: _Side, whole: frozenset[str], forms: frozenset[tuple[str, str]]) -> bool:
    if one.fact.value.agrees(two.fact.value):
        return False
    if one.fact.named and two.fact.named:
        return True
    pair = (one.scope.path, two.scope.path)
    return pair not in forms and pair[::-1] not in forms and not one.scope.differs(two.scope, whole)


def _forms(sides: dict[Key, list[_Side]]) -> frozenset[tuple[str, str]]:
    """The pairs of documents that fill in the same fields for two things."""
    shared: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for told in sides.values():
        if len(told) < 2 or len(_distinct(told)) > _MOST_VALUES:
            continue
        for one, two in combinations(told, 2):
            if one.fact.filled_in and two.fact.filled_in:
                shared[one.scope.path, two.scope.path].append(not one.fact.value.agrees(two.fact.value))
    return frozenset(
        pair for pair, differ in shared.items() if sum(differ) >= _FORM and sum(differ) > 0.6 * len(differ)
    )


def _place(side: _Side) -> ConflictPlace:
    fact = side.fact
    return ConflictPlace(
        path=side.scope.path, line=fact.line, column=fact.column, quote=fact.quote, value=fact.written
    )
