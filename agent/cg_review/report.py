"""The typed result of a review, with every place as it is in the text that the caller gave."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from cg_review.cgd.fences import find_fences
from cg_review.document import Document, Span
from cg_review.findings import Claim, Finding, Unanchored
from cg_review.grounding import Anchored
from cg_review.origin import Origin
from cg_review.points import ALL_POINTS
from cg_review.results import PassSummary, Related, Review, ReviewClaim, ReviewFinding, ReviewUnanchored, Tool
from cg_review.reviewers import PassFailed, PassResult, Usage
from cg_review.state import State, format_points, is_blocked, verdict_of
from cg_review.suppress import Suppression, unused


def report(
    origin: Origin,
    document: Document,
    tool: Tool,
    results: Sequence[PassResult],
    findings: Sequence[Finding],
    claims: Sequence[Claim],
    unanchored: Sequence[Unanchored],
    state: State,
    text: str | None,
    unchanged: bool,
    notes: Sequence[str],
) -> Review:
    """The typed result, with every place as it is in the text as read."""
    failed = any(isinstance(result, PassFailed) for result in results)
    claim_of = {(claim.finding, claim.span): claim for claim in claims}
    reading = _Reading(origin, document)
    return Review(
        path=origin.name,
        status="incomplete" if failed else "complete",
        verdict=verdict_of(state, findings, claims, failed),
        tier1="BLOCK" if is_blocked(findings, claims) else "PASS",
        findings=tuple(
            reading.finding(finding, claim_of.get((finding.id, finding.span))) for finding in findings
        ),
        claims=tuple(reading.claim(claim) for claim in claims),
        unanchored=tuple(ReviewUnanchored(**one.model_dump()) for one in unanchored),
        passes=_passes(results),
        points_passed=format_points(state.points_passed),
        clarity_status=state.clarity_status,
        hitl_status=state.hitl_status,
        notes=tuple(notes),
        usage=_usage(sum((result.usage for result in results if result.usage), Usage())),
        tool=tool,
        cgd_text=text,
        text=origin.shown,
        unchanged=unchanged,
    )


class _Reading:
    """Places of the source, as lines, columns and characters of the text as read."""

    def __init__(self, origin: Origin, document: Document) -> None:
        self.origin = origin
        self.lines = Document(origin.shown, document.body, (), (), ())

    def finding(self, finding: Finding, claim: Claim | None) -> ReviewFinding:
        span = self.origin.as_shown(finding.span)
        line, column = self.lines.position(span.start)
        return ReviewFinding(
            id=finding.id,
            points=finding.points,
            severity=finding.severity,
            quote=span.of(self.origin.shown),
            line=line,
            column=column,
            start=span.start,
            end=span.end,
            related=tuple(self.related(place.span) for place in finding.related),
            reason=finding.reason,
            fix=finding.fix,
            fix_place=finding.fix_place,
            kind=finding.kind,
            confidence=finding.confidence,
            detected_by=finding.detected_by,
            claim=claim.id if claim else None,
            suppressed=finding.suppressed,
        )

    def related(self, source_span: Span) -> Related:
        span = self.origin.as_shown(source_span)
        line, column = self.lines.position(span.start)
        return Related(quote=span.of(self.origin.shown), line=line, column=column)

    def claim(self, claim: Claim) -> ReviewClaim:
        line = self.lines.position(self.origin.as_shown(claim.span).start)[0] if claim.span else None
        fields = {
            key: getattr(claim, key)
            for key in ("id", "text", "value", "source", "location", "round", "why", "status")
        }
        return ReviewClaim(**fields, line=line)


def _passes(results: Sequence[PassResult]) -> tuple[PassSummary, ...]:
    by_point = {result.point: result for result in results}
    summaries = []
    for point in ALL_POINTS:
        result = by_point.get(point)
        usage = _usage(result.usage) if result and result.usage else None
        if result is None:
            summaries.append(PassSummary(point=point, status="not asked"))
        elif isinstance(result, PassFailed):
            summaries.append(PassSummary(point=point, status="failed", reason=result.reason, usage=usage))
        else:
            summaries.append(PassSummary(point=point, status="found", usage=usage))
    return tuple(summaries)


def _usage(usage: Usage) -> dict[str, Any]:
    return dataclasses.asdict(usage) if usage.requests else {}


def notes_of(
    document: Document,
    results: Sequence[PassResult],
    silenced: Sequence[Suppression],
    anchored: Sequence[Anchored],
) -> list[str]:
    """What a reader should know besides the findings."""
    notes = [f"point {r.point} was not read: {r.reason}" for r in results if isinstance(r, PassFailed)]
    notes += [note for result in results for note in result.notes]
    idle = {one.span for one in unused(silenced, ((item.raw.point, item.raw.segment) for item in anchored))}
    notes += [
        f"line {document.position(one.span.start)[0]}: {one.problem or 'this suppression silences nothing'}"
        for one in silenced
        if one.problem or one.span in idle
    ]
    if (line := _disputed_code(document)) is not None:
        notes.append(
            f"line {line}: Markdown and the format's line rule disagree about code here (FORMAT section 4)"
        )
    return notes


def _disputed_code(document: Document) -> int | None:
    """The first line where a fence starts by only one of the two rules, or None."""
    by_line_rule = {
        document.position(start)[0] for start, _ in find_fences(document.text, document.body.start).spans
    }
    by_markdown = {document.position(span.start)[0] for span in document.fences}
    return min(by_line_rule ^ by_markdown, default=None)
