"""A confirmation taken back while the review goes on: the claim is pending again, with the marks it had."""

from __future__ import annotations

from cg_review.cgd.seal import seal
from cg_review.errors import InputError
from cg_review.hitl.answering import Was
from cg_review.hitl.case import Case
from cg_review.hitl.writing import with_body, with_claims
from cg_review.markers import Markers, load_markers


def take_back(case: Case, claim: str, was: Was, markers: Markers | None = None) -> str:
    """The document with `claim` pending again. A rewrite stays taken back: the mark alone is honest.

    Raises InputError where the claim is not confirmed, or the review has ended.
    """
    placed = case.by_id.get(claim)
    if placed is None or not placed.claim.confirmed_by:
        raise InputError(f"{case.origin.name}: {claim} is not confirmed")
    if not case.pending:
        raise InputError(f"{case.origin.name}: its review has ended; edit the document and review it again")
    edits = []
    for number, edit in enumerate(case.origin.edits):
        if number not in placed.marks:
            edits.append(edit)
        elif number == placed.marks[0]:
            edits += [edit.model_copy(update={"after": mark}) for mark in was.marks]
    update = {"source": was.source, "confirmed_by": None, "confirmed_date": None}
    changed = {placed.index: placed.claim.model_copy(update=update)}
    return seal(
        with_claims(with_body(case.origin, case.origin.source, edits, markers or load_markers()), changed),
        computed=True,
    )
