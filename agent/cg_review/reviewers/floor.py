"""A model's passes over the floor of the embedded reviewer: what a pattern finds is not lost where a model is silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from cg_review.document import Document, Span
from cg_review.findings import RawFinding
from cg_review.grounding import Anchored, ground
from cg_review.reviewers import (
    Found,
    PassFailed,
    PassResult,
    Reviewer,
    fingerprint,
    min_confidence_of,
    run_all,
)

UNCONFIRMED = 0.6  # the share of its confidence that a finding keeps when the model gave none there


@dataclass(frozen=True, slots=True)
class WithFloor:
    """Runs both reviewers and merges their findings by place and point, with `detected_by`."""

    model: Reviewer
    floor: Reviewer

    @property
    def name(self) -> str:
        """The model's name: it is the one that was chosen."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """Whose answers these are."""
        return f"{fingerprint(self.model)} over {fingerprint(self.floor)}"

    @property
    def min_confidence(self) -> float:
        """What a finding of the floor needs."""
        return min_confidence_of(self.floor)

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point of both."""
        return (await self.run_all([point], document, today))[0]

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Ask the points of both."""
        floor = await run_all(self.floor, points, document, today)
        model = await run_all(self.model, points, document, today)
        names = (self.model.name, self.floor.name)
        return tuple(merge(document, *pair, names) for pair in zip(model, floor, strict=True))


def merge(document: Document, model: PassResult, floor: PassResult, names: tuple[str, str]) -> PassResult:
    """The model's result with the floor's findings added. It failed where the model failed."""
    ours, theirs = list(model.findings), list(floor.findings)
    spans = [_span(document, finding) for finding in ours]
    both: set[int] = set()
    alone: list[RawFinding] = []
    silent = isinstance(model, Found)  # a model that failed has not disagreed with anything
    for finding in theirs:
        span = _span(document, finding)
        same = {i for i, other in enumerate(spans) if span and other and span.overlaps(other)}
        both |= same
        if not same:
            share = UNCONFIRMED if silent else 1.0
            confidence = round(finding.confidence * share, 3)
            alone.append(finding.model_copy(update={"confidence": confidence, "detected_by": (names[1],)}))
    ours = [
        finding.model_copy(update={"detected_by": names if i in both else (names[0],)})
        for i, finding in enumerate(ours)
    ]
    merged = (*ours, *alone)
    if isinstance(floor, PassFailed) and isinstance(model, Found):
        return PassFailed(model.point, floor.reason, model.usage, merged, model.notes)
    return replace(model, findings=merged)


def _span(document: Document, finding: RawFinding) -> Span | None:
    anchored = ground(document, finding)
    return anchored.unit if isinstance(anchored, Anchored) else None
