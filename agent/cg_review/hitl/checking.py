"""A replacement is read by the embedded points before it goes in."""

from __future__ import annotations

from datetime import date

from cg_review.api import run_sync
from cg_review.grounding import fold
from cg_review.hitl.case import Case
from cg_review.pipeline import embedded_reviewer, ground_all
from cg_review.points import ALL_POINTS, load_points
from cg_review.reviewers import run_all
from cg_review.settle import settle


def objections(case: Case, words: str, today: date) -> str:
    """What the embedded points say of the sentences in `words`, which stand in the document; "" for nothing."""
    reviewer = embedded_reviewer(())
    results = run_sync(run_all(reviewer, ALL_POINTS, case.document, today))
    anchored, _ = ground_all(case.document, results, reviewer.name)
    findings = settle(case.document, anchored, {point.id: point for point in load_points()}, {})
    return "; ".join(
        f"point {finding.points[0]}: {finding.reason}"
        for finding in findings
        if fold(case.document.segment(finding.segment).text) in fold(words)
    )
