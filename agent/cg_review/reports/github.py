"""Findings as GitHub annotations, worst first: it shows ten of a kind for a step, and drops the rest without a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cg_review.github import annotation
from cg_review.reports import Conflicts
from cg_review.reports.places import LEVELS, disagreement, message, title
from cg_review.results import Review, Tool

MOST = 10  # of each kind
_KINDS = {"error": "error", "warning": "warning", "note": "notice"}
_Ranked = tuple[int, int, str]  # severity's rank, order, line


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """The ten worst of each kind over all documents, then how many there are besides."""
    kept: dict[str, list[_Ranked]] = {kind: [] for kind in _KINDS.values()}
    counts: Counter[str] = Counter()
    for review in reviews:
        for rank, kind, line in _annotations(review):
            counts[kind] += 1
            kept[kind] = sorted([*kept[kind], (rank, counts[kind], line)])[:MOST]
    for conflict in conflicts() if conflicts else ():
        for place in conflict.places:
            counts["error"] += 1
            text = f"“{place.quote}” {disagreement(conflict, place)}"
            line = annotation("error", place.path, place.line, place.column, "Documents disagree", text)
            kept["error"] = sorted([*kept["error"], (0, counts["error"], line)])[:MOST]
    for kind, ranked in kept.items():
        yield from (line for _, _, line in ranked)
        if counts[kind] > MOST:
            yield f"{counts[kind] - MOST} more of kind {kind} are not shown as annotations\n"


def _annotations(review: Review) -> Iterator[tuple[int, str, str]]:
    if review.status != "complete":
        text = "; ".join(review.notes) or review.status
        yield -1, "error", annotation("error", review.path, 1, 1, f"cg-review: {review.status}", text)
    for finding in review.open_findings:
        kind = _KINDS[LEVELS[finding.severity]]
        text = f"“{finding.quote}” {message(finding)}"
        line = annotation(kind, review.path, finding.line, finding.column, title(finding), text)
        yield finding.severity.rank, kind, line
