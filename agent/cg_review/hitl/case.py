"""A CGD as the people who answer see it: its claims, each with its sentence and with what marks it there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cg_review.document import Document, Segment, Span
from cg_review.errors import DocumentRefused
from cg_review.findings import Claim
from cg_review.grounding import fold
from cg_review.markers import Markers, load_markers
from cg_review.origin import Origin, read_origin
from cg_review.state import is_sign_off


@dataclass(frozen=True)
class Placed:
    """A claim and where it stands in the source: None for a sign-off, and where its sentence is not there any more.

    `marks` are positions in `Origin.edits`: the insertions that mark it; `rewrites` likewise.
    """

    index: int  # in `hitl-claims`
    claim: Claim
    span: Span | None = None
    marks: tuple[int, ...] = ()
    rewrites: tuple[int, ...] = ()

    @property
    def is_sign_off(self) -> bool:
        """Whether it stands for the end of the review."""
        return is_sign_off(self.claim)


@dataclass(frozen=True)
class Case:
    """A CGD taken apart: `origin.source` is its text without marks, `document` that text parsed."""

    origin: Origin
    document: Document
    claims: tuple[Placed, ...]

    @property
    def text(self) -> str:
        """The document as read."""
        return self.origin.text

    @property
    def pending(self) -> tuple[Placed, ...]:
        """The claims that wait for a person, in the document's order."""
        return tuple(placed for placed in self.claims if not placed.claim.confirmed_by)

    @property
    def is_changed(self) -> bool:
        """Whether the document is not what its hash was computed of."""
        return self.origin.prior is not None and not self.origin.prior.hash_matches

    @cached_property
    def by_id(self) -> dict[str, Placed]:
        """The claims by id; of two with the same id, the first."""
        return {placed.claim.id: placed for placed in reversed(self.claims)}

    def segment(self, placed: Placed) -> Segment | None:
        """The segment that holds a claim's sentence."""
        span = placed.span
        if span is None:
            return None
        holding = [segment for segment in self.document.segments if segment.span.contains(span)]
        return holding[-1] if holding else None


def read_case(text: str, name: str, markers: Markers | None = None) -> Case:
    """Take a CGD apart. Raises DocumentRefused where it is none, or damaged."""
    origin = read_origin(text.encode("utf-8", "surrogatepass"), name, markers or load_markers())
    if origin.prior is None:
        raise DocumentRefused(f"{name}: not a Clarity-Gated Document; run `cg-review {name}` first")
    document = origin.document()
    return Case(origin, document, _placed(origin, document))


def _placed(origin: Origin, document: Document) -> tuple[Placed, ...]:
    assert origin.prior is not None
    claims = origin.prior.claims
    places = _places(document)
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, claim in enumerate(claims):
        alike[_key(claim)].append(index)
    placed = [Placed(index, claim) for index, claim in enumerate(claims)]
    for key, indexes in alike.items():
        indexes.sort(key=lambda index: _ordinal(claims[index]))
        for index, (span, marks, rewrites) in zip(
            indexes, _shares(origin, document, places.get(key, []), len(indexes)), strict=False
        ):
            placed[index] = Placed(index, claims[index], span, marks, rewrites)
    return tuple(placed)


_Share = tuple[Span, tuple[int, ...], tuple[int, ...]]


def _shares(origin: Origin, document: Document, spans: Sequence[Span], count: int) -> list[_Share]:
    """Which of the places of equal wording, and of the marks in them, belong to which of `count` claims.

    Nothing where that cannot be told: a place is never guessed.
    """
    tables = {table.span: Span(table.span.start, table.span.start) for table in document.tables}
    reaches = [
        tables.get(span) or document.reach(span) for span in spans
    ]  # a table's own mark stands above it
    marks = [_positions(origin, reach) for reach in reaches]
    if len(spans) == count:
        return [
            (span, tuple(edit for group in groups for edit in group), _rewrites(origin, reach))
            for span, reach, groups in zip(spans, reaches, marks, strict=True)
        ]
    flat = [(spans[i], tuple(group), ()) for i, groups in enumerate(marks) for group in groups]
    return list(flat) if len(flat) == count else []


def _positions(origin: Origin, reach: Span) -> list[list[int]]:
    """The insertions in a stretch of the source, those at one place together."""
    groups: dict[int, list[int]] = defaultdict(list)
    for number, edit in enumerate(origin.edits):
        if not edit.before and reach.contains(edit.span):
            groups[edit.span.start].append(number)
    return [groups[start] for start in sorted(groups)]


def _rewrites(origin: Origin, reach: Span) -> tuple[int, ...]:
    return tuple(n for n, edit in enumerate(origin.edits) if edit.before and reach.contains(edit.span))


def _places(document: Document) -> dict[tuple[str, str], list[Span]]:
    """Every text that can be a claim, with its section's slug -> where it stands, in document order."""
    found: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for segment in document.segments:
        if segment.table is not None and segment.row is None:
            table = document.tables[segment.table]
            wording, span = " | ".join(cell.text for cell in table.header), table.span
        else:
            wording, span = segment.text, segment.span
        found[document.sections[segment.section].slug, fold(wording)].append(span)
    return found


def _key(claim: Claim) -> tuple[str, str]:
    return claim.location.rpartition("/")[0], fold(claim.text)


def _ordinal(claim: Claim) -> int:
    last = claim.location.rpartition("/")[2]
    return int(last) if last.isdecimal() and len(last) < 9 else 0
