"""Which points pass, what the sign-off claim says, and the statuses that follow: all computed (FORMAT 12.7 to 12.9)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cg_review.cgd.hashing import body_hash
from cg_review.cgd.ids import claim_id
from cg_review.findings import Claim, Finding, Round, Verdict
from cg_review.points import ALL_POINTS

NOTHING_FOUND = "No unmarked claim was found in this document"
CHANGED = "This document was changed after it was reviewed"
NOT_ENDED = "All claims of this document are confirmed, but nobody has ended its review"

_NEEDS_A_PERSON = {5, 8, 9}
"""A marker does not settle these: they stay open until a person does (FORMAT 12.8)."""


@dataclass(frozen=True, slots=True)
class State:
    """What a draft declares."""

    points_passed: tuple[int, ...]
    clarity_status: str
    hitl_status: str


def passing_points(
    read: Collection[int], findings: Sequence[Finding], claims: Sequence[Claim], unmarked: Collection[str]
) -> tuple[int, ...]:
    """The points of `read` all of whose findings are settled: by their marker, or by a person.

    `unmarked` are ids of findings that could not be marked.
    """
    pending = {claim.finding for claim in claims if not claim.confirmed_by}
    answered = {claim.finding for claim in claims if claim.confirmed_by} - pending
    open_points: set[int] = set()
    for finding in findings:
        if finding.suppressed is not None or finding.id in answered:
            continue
        open_points.update(p for p in finding.points if p in _NEEDS_A_PERSON or finding.id in unmarked)
    return tuple(point for point in ALL_POINTS if point in read and point not in open_points)


def sign_off(
    body: str,
    name: str,
    claims: Sequence[Claim],
    unread: Sequence[int],
    unmarked: Sequence[Finding],
    silenced: Sequence[Finding],
    changed: bool,
    ended: bool,
) -> Claim | None:
    """The Round B claim that stands for a person's sign-off, where one is needed (FORMAT 12.7).

    `ended` tells that a person had ended the review of exactly this text; `body` is the un-annotated body.
    """
    parts = []
    if changed:
        parts.append(CHANGED)
    if unread:
        parts.append(f"{_points(unread)} not read in this review")
    if unmarked:
        quotes = "; ".join(f"“{_short(finding.quote)}”" for finding in unmarked)
        parts.append(f"{len(unmarked)} finding(s) could not be marked: {quotes}")
    if not parts and not claims and not ended:
        parts.append(NOTHING_FOUND)
    if not parts and not ended and claims and all(claim.confirmed_by for claim in claims):
        parts.append(NOT_ENDED)
    if silenced and not ended:
        listed = "; ".join(f"“{_short(finding.quote)}” ({finding.suppressed})" for finding in silenced)
        parts.append(f"silenced by the author: {listed}")
    if not parts:
        return None
    text = "; ".join(parts)
    ordinals = [int(c.location.rpartition("/")[2]) for c in claims if re.fullmatch(r"root/\d+", c.location)]
    location = f"root/{max(ordinals, default=0) + 1}"
    return Claim(
        id=claim_id(text, location),
        text=text,
        value=sign_off_value(body),
        source=f"Read {name}",
        location=location,
        round=Round.B,
        why="a person has to end the review",
    )


def sign_off_value(body: str) -> str:
    """The hash of the un-annotated body that a sign-off is for; blank lines around the body do not count."""
    return body_hash(body.strip())


def is_sign_off(claim: Claim) -> bool:
    """Whether a claim of a CGD stands for the sign-off: its value is a body's hash, or `fix` reopened the review."""
    is_hash = re.fullmatch(r"[0-9a-f]{64}", claim.value or "") is not None
    return claim.location.startswith("root/") and (is_hash or claim.text.startswith(CHANGED))


def state_of(points_passed: tuple[int, ...], claims: Sequence[Claim], reviewed_as: str) -> State:
    """The statuses. `reviewed_as` is the status that holds when no claim is pending."""
    clear = points_passed == ALL_POINTS
    pending = any(not claim.confirmed_by for claim in claims)
    return State(points_passed, "CLEAR" if clear else "UNCLEAR", "PENDING" if pending else reviewed_as)


def is_blocked(findings: Sequence[Finding], claims: Sequence[Claim]) -> bool:
    """Whether a contradiction, inside the document or with a source, waits for a person (Tier 1: BLOCK)."""
    pending = {claim.finding for claim in claims if not claim.confirmed_by}
    return any(5 in finding.points and finding.id in pending for finding in findings)


def verdict_of(state: State, findings: Sequence[Finding], claims: Sequence[Claim], failed: bool) -> Verdict:
    """The outcome of a review (FORMAT 12.18)."""
    if failed:
        return Verdict.INCOMPLETE
    if is_blocked(findings, claims):
        return Verdict.BLOCKED
    if state.hitl_status == "REVIEWED_WITH_EXCEPTIONS":
        return Verdict.QUARANTINED
    if state.clarity_status == "CLEAR" and state.hitl_status == "REVIEWED":
        return Verdict.PASS
    return Verdict.PENDING


def format_points(points: Sequence[int]) -> str:
    """`points-passed`: (1, 2, 3, 4, 7) -> "1-4,7"; "" for none."""
    parts: list[str] = []
    start = previous = 0
    for point in [*points, 0]:
        if start and point != previous + 1:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
            start = 0
        start, previous = start or point, point
    return ",".join(parts)


def parse_points(text: str) -> tuple[int, ...]:
    """Read "1-4,7". Raises ValueError where it is not a list of points 1 to 9."""
    points: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([1-9])\s*(?:-\s*([1-9])\s*)?", part)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise ValueError(f"{text!r} is not a list of points such as 1-4,7")
        points.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return tuple(sorted(points))


def _points(points: Sequence[int]) -> str:
    if len(points) == 1:
        return f"Point {points[0]} was"
    return f"Points {', '.join(map(str, points[:-1]))} and {points[-1]} were"


def _short(quote: str, length: int = 80) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"
