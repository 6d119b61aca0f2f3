"""What a person sees of a claim besides its words: why it needs one, where it stands, what is around it."""

from __future__ import annotations

from dataclasses import dataclass

from cg_review.document import SegmentKind
from cg_review.findings import Round
from cg_review.hitl.case import Case, Placed
from cg_review.markers import Markers, load_markers
from cg_review.rounds import why_of


@dataclass(frozen=True)
class Shown:
    """A claim as shown: its reason, its points, its line (1-based, None where its sentence isn't there), its section's
    titles, and the sentences before and after it in its block.
    """

    why: str
    points: tuple[int, ...]
    line: int | None
    section: str
    before: str
    sentence: str
    after: str


def shown(case: Case, placed: Placed, markers: Markers | None = None) -> Shown:
    """Everything to show of a claim."""
    points = points_of(case, placed, markers or load_markers())
    segment = case.segment(placed)
    if segment is None or placed.span is None:
        return Shown(_why(placed, points), points, None, "", "", placed.claim.text, "")
    document = case.document
    start = case.origin.as_read(placed.span).start
    line = 1 + case.text[:start].replace("\r\n", "\n").replace("\r", "\n").count("\n")
    around = document.block_segments(segment) if segment.table is None else [segment]
    at = around.index(segment) if segment in around else 0
    titles = [section.title for section in document.section_path(segment.section)]
    sentence = segment.text if segment.kind is not SegmentKind.TABLE else placed.claim.text
    before = " ".join(one.text for one in around[max(0, at - 2) : at])
    after = " ".join(one.text for one in around[at + 1 : at + 3])
    return Shown(_why(placed, points), points, line, " › ".join(titles), before, sentence, after)


def points_of(case: Case, placed: Placed, markers: Markers) -> tuple[int, ...]:
    """The points whose marks stand at a claim."""
    marks = [case.origin.edits[number].after.strip(" \t\r\n>") for number in placed.marks]
    return tuple(
        point for point in sorted(markers.points) if any(_is_mark(markers, point, mark) for mark in marks)
    )


def _is_mark(markers: Markers, point: int, mark: str) -> bool:
    entry = markers.points[point]
    known = {entry.marker.replace("{kind}", kind) for kind in entry.kinds or ("",)}
    return mark in known or mark == entry.table


def _why(placed: Placed, points: tuple[int, ...]) -> str:
    if placed.is_sign_off:
        return "a person has to end the review"
    if placed.claim.round is Round.A:
        return "found in a source of the session: was it read right?"
    return "; ".join(why_of(point) for point in points) or "needs a person's word"
