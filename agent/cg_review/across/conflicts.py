"""Facts of several documents, held against each other. A false conflict costs more than a miss: what may be about two things is left alone."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from pathlib import PurePath

from cg_review.across.facts import Fact, Key
from cg_review.across.scope import Scope, is_record_path
from cg_review.across.values import Value
from cg_review.results import Conflict, ConflictPlace

_MOST_VALUES = 6
"""What is told with more values than this is a field that every document fills in, not one thing."""
_MOST_PAIRS = 200_000
"""Pairs of documents looked at for two values of a thing: with more, pages are of one form, and looking would take minutes."""
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
    forms = _Forms(sides)
    found = []
    for told in sides.values():
        apart = _apart(told, whole, forms)
        if apart:
            places = sorted((_place(side) for side in apart), key=lambda p: (p.path, p.line, p.column))
            found.append(Conflict(subject=apart[0].fact.subject, places=tuple(places)))
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


def _apart(told: Sequence[_Side], whole: frozenset[str], forms: _Forms) -> list[_Side]:
    """The sides that another one contradicts, in the order of the documents."""
    by_value: dict[Value, list[_Side]] = defaultdict(list)
    for side in told:
        by_value[side.fact.value].append(side)
    if not 1 < len(by_value) <= _MOST_VALUES:
        return []
    apart: set[str] = set()
    for some, others in combinations(by_value.values(), 2):
        if some[0].fact.value.agrees(others[0].fact.value):
            continue
        for one, two in islice(product(some, others), _MOST_PAIRS):
            paths = {one.scope.path, two.scope.path}
            if not paths <= apart and _are_of_one_thing(one, two, whole, forms):
                apart |= paths
    return [side for side in told if side.scope.path in apart]


def _are_of_one_thing(one: _Side, two: _Side, whole: frozenset[str], forms: _Forms) -> bool:
    if one.fact.named and two.fact.named:
        return True
    return not one.scope.differs(two.scope, whole) and not forms.are_of_one_form(
        one.scope.path, two.scope.path
    )


class _Forms:
    """Tells the pairs of documents that fill in the same fields for two things."""

    def __init__(self, sides: dict[Key, list[_Side]]) -> None:
        self._fields: dict[str, dict[Key, Value]] = defaultdict(dict)
        for key, told in sides.items():
            for side in told:
                if side.fact.filled_in:
                    self._fields[side.scope.path][key] = side.fact.value

    def are_of_one_form(self, one: str, two: str) -> bool:
        """Whether most of what both fill in differs."""
        ours, theirs = self._fields.get(one, {}), self._fields.get(two, {})
        differ = [not ours[key].agrees(theirs[key]) for key in ours.keys() & theirs.keys()]
        return sum(differ) >= _FORM and sum(differ) > 0.6 * len(differ)


def _place(side: _Side) -> ConflictPlace:
    fact = side.fact
    return ConflictPlace(
        path=side.scope.path, line=fact.line, column=fact.column, quote=fact.quote, value=fact.written
    )
