"""The shapes of a finding of point 5: a place that is wrong in itself, one that others make otherwise, two that don't agree.

`fix` is the place as its own figures, or those that it is made of, make it (`swapping`). Where two places merely tell
different things nothing says which is right, so that no fix chooses: both get the marker.
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


def two_sided(reading: Reading, other: int, reason: str, confidence: float) -> RawFinding:
    """A place that doesn't agree with segment `other`, where either may be right."""
    return derived(reading, other, reason, confidence, "")


def derived(reading: Reading, other: int, reason: str, confidence: float, fix: str) -> RawFinding:
    """A sum, a share or a number that the parts in segment `other` make otherwise."""
    finding = one_sided(reading, reason, confidence, fix)
    return finding.model_copy(update={"related": (Quote(segment=other, quote=""),)})
