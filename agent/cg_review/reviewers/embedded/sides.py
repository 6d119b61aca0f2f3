"""The two shapes of a finding of point 5: one place that is wrong in itself, and two that don't agree."""

from __future__ import annotations

from cg_review.findings import Quote, RawFinding
from cg_review.reviewers.embedded.analysis import Reading


def one_sided(reading: Reading, reason: str, confidence: float) -> RawFinding:
    """A place whose own figures don't agree."""
    return RawFinding(
        point=5,
        segment=reading.segment.number,
        reason=reason,
        fix="the figures in agreement",
        confidence=confidence,
    )


def two_sided(reading: Reading, other: int, reason: str, confidence: float) -> RawFinding:
    """A place that doesn't agree with segment `other`."""
    return RawFinding(
        point=5,
        segment=reading.segment.number,
        reason=reason,
        fix="one of the two, or the reason why they differ",
        confidence=confidence,
        related=(Quote(segment=other, quote=""),),
    )
