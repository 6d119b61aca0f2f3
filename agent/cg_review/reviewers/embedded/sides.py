"""The two shapes of a finding of point 5: one place that is wrong in itself, and two that don't agree.

`fix` is the place as it would be right by the other figures, or by the other place (`swapping`).
"""

from __future__ import annotations

from cg_review.findings import Quote, RawFinding
from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.swapping import place_of


def one_sided(reading: Reading, reason: str, confidence: float, fix: str = "") -> RawFinding:
    """A place whose own figures don't agree."""
    return RawFinding(
        point=5,
        segment=reading.segment.number,
        reason=reason,
        fix=fix,
        fix_place=place_of(fix),
        confidence=confidence,
    )


def two_sided(reading: Reading, other: int, reason: str, confidence: float, fix: str = "") -> RawFinding:
    """A place that doesn't agree with segment `other`."""
    finding = one_sided(reading, reason, confidence, fix)
    return finding.model_copy(update={"related": (Quote(segment=other, quote=""),)})
