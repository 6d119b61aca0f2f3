"""HC: the claims that wait for a person, or had one."""

from __future__ import annotations

from collections.abc import Iterator

from cg_review.cgd.computed import is_pending, is_present
from cg_review.cgd.ids import CLAIM_ID, HASH_CLAIM_ID
from cg_review.cgd.nodes import Scalar, Sequence
from cg_review.cgd.writer import CLAIM_KEYS
from cg_review.validator.checks import check, is_text, is_unknown, place_of, real_date
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

_CONFIRMED = ("confirmed-by", "confirmed-date")


@check("E-HC01")
def claims_are_a_list(subject: Subject) -> Iterator[Found]:
    """`hitl-claims` is there, but not a list: null, a text or a mapping."""
    node = subject.node("hitl-claims")
    if node is not None and not isinstance(node, Sequence) and not is_unknown(node):
        yield Found("hitl-claims must be a list, [] where there are no claims", subject.place("hitl-claims"))


@check("E-HC02")
def claim_text(subject: Subject) -> Iterator[Found]:
    """A claim has no text: the field is missing, null, blank or no scalar."""
    for number, claim in enumerate(subject.claims, 1):
        node = claim.get("text")
        if not is_text(node) and not is_unknown(node):
            yield Found(f"claim {number} has no text", place_of(claim, "text"))


@check("E-HC03")
def claim_round(subject: Subject) -> Iterator[Found]:
    """A claim's round is missing, or neither A nor B."""
    for number, claim in enumerate(subject.claims, 1):
        node = claim.get("round")
        if is_unknown(node) or (isinstance(node, Scalar) and node.text in ("A", "B")):
            continue
        words = f", not {shown(node.text)}" if isinstance(node, Scalar) and node.text else ""
        yield Found(f"the round of claim {number} must be A or B{words}", place_of(claim, "round"))


@check("E-HC04")
def confirmed_date(subject: Subject) -> Iterator[Found]:
    """A claim's `confirmed-date` is not a real day written YYYY-MM-DD."""
    for claim in subject.claims:
        node = claim.get("confirmed-date")
        if not is_present(claim, "confirmed-date") or is_unknown(node):
            continue
        text = node.text if isinstance(node, Scalar) else ""
        if real_date(text) is None:
            words = f"confirmed-date must be a real date YYYY-MM-DD, not {shown(text)}"
            yield Found(words, place_of(claim, "confirmed-date"))


@check("W-HC01")
def half_confirmed(subject: Subject) -> Iterator[Found]:
    """A claim has one of `confirmed-by` and `confirmed-date`, not both. Whether it is pending, `confirmed-by` decides."""
    for number, claim in enumerate(subject.claims, 1):
        present = [name for name in _CONFIRMED if is_present(claim, name)]
        if len(present) == 1:
            missing = _CONFIRMED[1 - _CONFIRMED.index(present[0])]
            yield Found(f"claim {number} has {present[0]}, but no {missing}", place_of(claim, present[0]))


@check("W-HC02")
def vague_source(subject: Subject) -> Iterator[Found]:
    """The source of a pending claim does not tell a person where to look.

    Good: a URL or domain; a page, section, table or figure with its number; a report, guide, spec or manual with year
    or version; ask, contact or check with a name; a file name; a document's or person's name of two words or more.
    """
    for number, claim in enumerate(subject.claims, 1):
        node = claim.get("source")
        if not is_pending(claim) or is_unknown(node) or (node is not None and not isinstance(node, Scalar)):
            continue
        from cg_review.validator.sources import (
            is_actionable,
        )  # here: its patterns cost more than most documents

        text = node.text if node is not None and node.kind != "null" else ""
        if not is_actionable(text):
            yield Found(f"the source of claim {number} is vague: {shown(text)}", place_of(claim, "source"))


@check("W-HC04")
def hash_based_id(subject: Subject) -> Iterator[Found]:
    """A claim's id is well-formed, but not the hash-based kind (`claim-` and 8 or more hex digits). A matter of style."""
    for claim in subject.claims:
        node = claim.get("id")
        if (
            isinstance(node, Scalar)
            and CLAIM_ID.fullmatch(node.text)
            and not HASH_CLAIM_ID.fullmatch(node.text)
        ):
            yield Found(f"{shown(node.text)} is not hash-based", place_of(claim, "id"))


@check("W-HC06")
def empty_confirmation(subject: Subject) -> Iterator[Found]:
    """A `confirmed-*` field is there, but null or empty: it counts as absent."""
    for claim in subject.claims:
        for name in _CONFIRMED:
            if claim.key(name) is not None and not is_present(claim, name):
                yield Found(f"{name} is empty, which counts as absent", place_of(claim, name))


@check("W-HC07")
def unknown_claim_field(subject: Subject) -> Iterator[Found]:
    """A claim has a field that the format does not know."""
    for claim in subject.claims:
        for entry in claim.entries:
            name = entry.key.text if isinstance(entry.key, Scalar) else "(no name)"
            if name not in CLAIM_KEYS:
                yield Found(f"a claim has no field {shown(name)}", entry.key.start)
