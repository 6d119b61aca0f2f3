"""Contradictions between the documents of a run: the same thing told with different values in different documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

from cg_review.errors import CgReviewError
from cg_review.facts import Fact, Key, find_facts
from cg_review.findings import Model
from cg_review.markers import Markers, load_markers
from cg_review.origin import read_origin
from cg_review.results import Review


class Told(Model):
    """One side: where a document tells a value."""

    path: str
    line: int
    column: int
    quote: str
    value: str


class Conflict(Model):
    """A thing that documents tell differently, with the first place of each value in each document."""

    subject: str
    places: tuple[Told, ...]


class Across:
    """Collects facts as reviews go by. Memory grows with what the documents state, not with their text."""

    def __init__(self) -> None:
        self._facts: dict[Key, dict[tuple[str, str], Fact]] = defaultdict(
            dict
        )  # (path, value) -> its first place

    def watch(self, reviews: Iterable[Review]) -> Iterator[Review]:
        """The same reviews."""
        for review in reviews:
            if review.text is not None:
                for fact in _facts_of(review.text, review.path):
                    self._facts[fact.key].setdefault((review.path, fact.value), fact)
            yield review

    def conflicts(self) -> list[Conflict]:
        """What the documents so far tell differently, in the order of the first place.

        A document that itself tells several values takes no side: it describes a change, or is point 5's affair.
        """
        found = []
        for told in self._facts.values():
            paths = [path for path, _ in told]
            sides = {place: fact for place, fact in told.items() if paths.count(place[0]) == 1}
            if len({value for _, value in sides}) > 1:
                places = [
                    _told(path, fact) for (path, _), fact in sorted(sides.items(), key=lambda side: side[0])
                ]
                found.append(Conflict(subject=next(iter(sides.values())).subject, places=tuple(places)))
        return sorted(found, key=lambda conflict: [(one.path, one.line) for one in conflict.places])


def _facts_of(text: str, path: str) -> list[Fact]:
    try:
        return list(
            find_facts(read_origin(text.encode("utf-8", "surrogatepass"), path, _markers()).document())
        )
    except CgReviewError:
        return []  # reported as failed already


@cache
def _markers() -> Markers:
    return load_markers()


def _told(path: str, fact: Fact) -> Told:
    return Told(path=path, line=fact.line, column=fact.column, quote=fact.quote, value=fact.written)


def as_text(conflicts: Iterable[Conflict]) -> str:
    """For a terminal: each thing with all its places. Quotes are made safe by the caller's `one_line`."""
    from cg_review.reports import one_line

    lines = []
    for conflict in conflicts:
        lines.append(f"documents disagree about “{one_line(conflict.subject)}”:")
        lines += [
            f"  {p.path}:{p.line}:{p.column}  {one_line(p.value)}  “{one_line(p.quote, 120)}”"
            for p in conflict.places
        ]
    return "".join(line + "\n" for line in lines)
