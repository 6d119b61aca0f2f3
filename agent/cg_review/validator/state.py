"""SC: what the statuses, the count and the claims say about each other."""

from __future__ import annotations

from collections.abc import Iterator

from cg_review.cgd.computed import is_pending, is_present
from cg_review.cgd.ids import CLAIM_ID
from cg_review.cgd.nodes import Mapping, Scalar, Sequence
from cg_review.validator.checks import check, is_unknown, place_of
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import CLARITY, HITL, Subject


@check("E-SC01")
def unclear_needs_pending(subject: Subject) -> Iterator[Found]:
    """The document is UNCLEAR, but its review is declared finished."""
    if subject.clarity == "UNCLEAR" and subject.hitl not in (None, "PENDING"):
        yield Found(
            f"clarity-status is UNCLEAR, so hitl-status must be PENDING, not {subject.hitl}",
            subject.place("hitl-status"),
        )


@check("E-SC02")
def pending_needs_a_count(subject: Subject) -> Iterator[Found]:
    """`hitl-status` is PENDING, but the pending count is 0."""
    if subject.hitl == "PENDING" and subject.count == 0:
        yield Found(
            "hitl-status is PENDING, but hitl-pending-count is 0", subject.place("hitl-pending-count")
        )


@check("E-SC03")
def reviewed_needs_zero(subject: Subject) -> Iterator[Found]:
    """`hitl-status` is REVIEWED, but claims are counted as pending."""
    if subject.hitl == "REVIEWED" and subject.count:
        yield Found(
            f"hitl-status is REVIEWED, but hitl-pending-count is {subject.count}",
            subject.place("hitl-pending-count"),
        )


@check("E-SC04")
def exceptions_need_zero(subject: Subject) -> Iterator[Found]:
    """`hitl-status` is REVIEWED_WITH_EXCEPTIONS, but claims are counted as pending."""
    if subject.hitl == "REVIEWED_WITH_EXCEPTIONS" and subject.count:
        words = f"hitl-status is REVIEWED_WITH_EXCEPTIONS, but hitl-pending-count is {subject.count}"
        yield Found(words, subject.place("hitl-pending-count"))


@check("E-SC05")
def status_line_agrees(subject: Subject) -> Iterator[Found]:
    """The status line and the frontmatter say different things, or the frontmatter has a status that does not exist.

    The frontmatter is authoritative. An unknown word that stands in both places is E-ST07.
    """
    line = subject.status.words if subject.status else ("", "")
    for name, words, written in (("clarity-status", CLARITY, line[0]), ("hitl-status", HITL, line[1])):
        declared = subject.frontmatter.text(name)
        if declared is None or not declared.strip():
            continue
        if declared not in words:
            if declared != written:
                yield Found(
                    f"{name} must be {' or '.join(words)}, not {shown(declared)}", subject.place(name)
                )
        elif written in words and written != declared and subject.status:
            yield Found(f"the status line says {written}, but {name} is {declared}", subject.status.start)


@check("E-SC06")
def claims_structure(subject: Subject) -> Iterator[Found]:
    """The structure of `hitl-claims` is wrong.

    `count`: `hitl-pending-count` is not the number of claims without `confirmed-by`. `schema`: an entry is not a
    mapping, has no id or a bad one (`claim-` and 1 to 64 of `a-z 0-9 . _ -`), repeats another's id, or lacks a
    required field.
    """
    pending = sum(is_pending(claim) for claim in subject.claims)
    if subject.judged_claims and subject.count is not None and subject.count != pending:
        words = f"count: hitl-pending-count is {subject.count}, but {pending} claims are pending"
        yield Found(words, subject.place("hitl-pending-count"))
    listed = subject.node("hitl-claims")
    seen: set[str] = set()
    for number, item in enumerate(listed.items if isinstance(listed, Sequence) else (), 1):
        if isinstance(item, Mapping):
            yield from _claim_schema(item, number, seen)
        elif not is_unknown(item):
            yield Found(f"schema: entry {number} of hitl-claims is not a mapping", item.start)


def _claim_schema(claim: Mapping, number: int, seen: set[str]) -> Iterator[Found]:
    node = claim.get("id")
    place = place_of(claim, "id")
    id_ = node.text if isinstance(node, Scalar) else ""
    if not is_present(claim, "id"):
        yield Found(f"schema: claim {number} has no id", place)
    elif not is_unknown(node) and not CLAIM_ID.fullmatch(id_):
        yield Found(f"schema: {shown(id_)} is no claim id (`claim-` and a-z 0-9 . _ -)", place)
    elif id_ in seen and not is_unknown(node):
        yield Found(f"schema: claim id {shown(id_)} stands twice", place)
    seen.add(id_)
    # A pending claim without a source is W-HC02; without text E-HC02, without a round E-HC03.
    required = ("location",) if is_pending(claim) else ("source", "location")
    for name in required:
        if not is_present(claim, name):
            yield Found(f"schema: claim {number} has no {name}", place_of(claim, name))
