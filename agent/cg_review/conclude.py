"""Findings and claims -> the sign-off, the points that pass and the statuses (FORMAT 12.7 to 12.9)."""

from __future__ import annotations

from collections.abc import Sequence

from cg_review.findings import Claim, Finding
from cg_review.origin import Origin
from cg_review.points import ALL_POINTS
from cg_review.reviewers import Found, PassResult
from cg_review.state import CHANGED, State, is_sign_off, parse_points, passing_points, sign_off, state_of


def conclude(
    origin: Origin,
    results: Sequence[PassResult],
    findings: Sequence[Finding],
    claims: Sequence[Claim],
    unmarked: frozenset[str],
) -> tuple[tuple[Claim, ...], State]:
    """The claims with the sign-off where one is needed, and the statuses that follow (FORMAT 12.7 to 12.9)."""
    prior = origin.prior
    ended = prior is not None and prior.hitl_status.startswith("REVIEWED") and prior.hash_matches
    read = {result.point for result in results if isinstance(result, Found)}
    if prior is not None and prior.hash_matches and prior.hitl_status.startswith("REVIEWED"):
        read |= set(_declared_points(prior.frontmatter.text("points-passed")))
    ended = ended and read == set(ALL_POINTS) and all(claim.confirmed_by for claim in claims)
    earlier = [claim for claim in prior.claims if is_sign_off(claim)] if prior is not None else []
    changed = prior is not None and not prior.hash_matches and prior.hitl_status.startswith("REVIEWED")
    changed = changed or any(claim.text.startswith(CHANGED) and not claim.confirmed_by for claim in earlier)
    signed = sign_off(
        origin.body.of(origin.source),
        origin.source_name,
        claims,
        [point for point in ALL_POINTS if point not in read],
        [finding for finding in findings if finding.id in unmarked],
        [finding for finding in findings if finding.suppressed is not None],
        changed,
        ended,
    )
    everything = (*claims, *earlier) if ended else tuple(claims)
    if signed is not None:
        same = [c for c in earlier if (c.text, c.value) == (signed.text, signed.value)]
        answered = [c for c in same if c.confirmed_by and any(not other.confirmed_by for other in claims)]
        everything = (*claims, answered[0] if answered else signed)
    passed = passing_points(read, findings, everything, unmarked)
    reviewed_as = prior.hitl_status if prior is not None and ended else "PENDING"
    return everything, state_of(passed, everything, reviewed_as)


def _declared_points(text: str | None) -> tuple[int, ...]:
    try:
        return parse_points(text or "")
    except ValueError:
        return ()
