"""Contradictions between the documents of a run: the same thing told with different values in different documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from cg_review.across.conflicts import Told, find_conflicts
from cg_review.across.facts import find_facts
from cg_review.across.scope import is_record, scope_of_document
from cg_review.errors import CgReviewError
from cg_review.markers import Markers, load_markers
from cg_review.origin import read_origin
from cg_review.results import Conflict, Review


class Across:
    """Collects facts as reviews go by. Memory grows with what the documents state, not with their text."""

    def __init__(self) -> None:
        self._told: dict[str, Told] = {}

    def watch(self, reviews: Iterable[Review]) -> Iterator[Review]:
        """The same reviews."""
        for review in reviews:
            if review.text is not None:
                self._add(review.text, review.path)
            yield review

    def _add(self, text: str, path: str) -> None:
        try:
            document = read_origin(text.encode("utf-8", "surrogatepass"), path, _markers()).document()
        except CgReviewError:
            return  # reported as failed already
        if is_record(document, path):
            return
        scope = scope_of_document(document, path)
        facts = tuple(find_facts(document, scope))
        if facts or scope.is_entry:
            self._told[path] = Told(scope, facts)

    def conflicts(self) -> list[Conflict]:
        """What the documents so far tell differently, in the order of the first place."""
        return find_conflicts(list(self._told.values()))


@cache
def _markers() -> Markers:
    return load_markers()
