"""Answers -> the document that follows: one pure function for every way in (FORMAT sections 2, 5, 10 and 12).

`true` and `estimated` are written at once. A `false` changes the body, which nothing may do while a claim is pending
(FORMAT 12.9): it is held, with the answers, and written with the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from cg_review.annotate import apply_edits, evidence_bracket
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.layout import take_apart
from cg_review.cgd.seal import seal
from cg_review.document import Document, SegmentKind, Span
from cg_review.errors import DocumentRefused, InputError
from cg_review.findings import Claim, Edit, Model
from cg_review.hitl.answers import Answer, Response, found, person
from cg_review.hitl.case import Case, Placed, read_case
from cg_review.hitl.rejecting import carry_out
from cg_review.hitl.writing import (
    declared_points,
    with_body,
    with_claim_added,
    with_claims,
    with_exceptions,
    with_status,
)
from cg_review.markers import Markers, load_markers
from cg_review.parse import parse
from cg_review.points import ALL_POINTS
from cg_review.state import sign_off
from cg_review.structure import shape_of
from cg_review.validator import validate

_SETTLED_BY_CLAIMS = frozenset({5, 8, 9})
"""Points that stay open for a person and always have a claim (FORMAT 12.8): they pass when no claim is left."""


class Was(Model):
    """What a confirmation replaced, so that it can be taken back: the claim's source, and its marks in the text."""

    source: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered:
    """The document after answers. `held` are the `false` ones that wait for the last; `was` is by claim id."""

    text: str
    applied: tuple[Answer, ...]
    held: tuple[Answer, ...]
    was: dict[str, Was]
    pending: int  # claims that nobody has answered

    @property
    def is_finished(self) -> bool:
        """Whether the last claim was answered and the statuses follow."""
        return not self.pending and not self.held


def answer(
    text: str,
    answers: Sequence[Answer],
    *,
    name: str,
    today: date,
    markers: Markers | None = None,
    valid: bool = True,
) -> Answered:
    """Apply `answers`, those held from earlier included, to the CGD `text`.

    Raises DocumentRefused where the document cannot be answered or would not be valid afterwards (with `valid` False,
    a draft that cannot be written yet, only a finished one is validated), InputError for an answer that fits no
    pending claim or cannot be carried out.
    """
    markers = markers or load_markers()
    case = read_case(text, name, markers)
    _refuse_tampered(case)
    given = _by_claim(case, answers)
    confirmed = {id_: one for id_, one in given.items() if one.response is not Response.FALSE}
    held = [one for one in given.values() if one.response is Response.FALSE]
    rejections = [one for one in held if not case.by_id[one.claim].is_sign_off]
    left = [placed for placed in case.pending if placed.claim.id not in given]
    new, was = _confirm(case, confirmed, markers)
    if case.is_changed:
        new = _with_sign_off(new, name, markers, changed=True)
    refused = len(held) - len(rejections)
    is_last = not left and not refused and (bool(confirmed) or bool(rejections)) and not case.is_changed
    if is_last:
        if rejections:
            new = carry_out(new, rejections, name, today, markers)
        new = ended(new, name, markers, list(given.values())[-1].by)
    elif rejections:
        carry_out(
            new, rejections, name, today, markers
        )  # what cannot be carried out is told now, not at the end
    new = seal(new, computed=True) if new != text else text
    if valid or is_last:
        refuse_invalid(new, name, today)
    pending = len(left) + refused + (1 if case.is_changed else 0)
    return Answered(new, tuple(confirmed.values()), () if is_last else tuple(held), was, pending)


def _refuse_tampered(case: Case) -> None:
    prior = case.origin.prior
    if case.is_changed and prior is not None and prior.hitl_status.startswith("REVIEWED"):
        raise DocumentRefused(
            f"{case.origin.name}: changed after it was reviewed (W-HS01); review it again before answering"
        )


def _by_claim(case: Case, answers: Sequence[Answer]) -> dict[str, Answer]:
    """The last answer to each pending claim. Raises InputError for one that fits none."""
    given: dict[str, Answer] = {}
    for one in answers:
        person(one.by)
        placed = case.by_id.get(one.claim)
        if placed is None:
            raise InputError(f"{case.origin.name}: E-QU01: no claim {one.claim}")
        if placed.claim.confirmed_by:
            who, day = placed.claim.confirmed_by, placed.claim.confirmed_date
            raise InputError(f"{case.origin.name}: {one.claim} is confirmed already, by {who} on {day}")
        if placed.is_sign_off and one.response is Response.ESTIMATED:
            raise InputError(f"{case.origin.name}: {one.claim} ends the review; it can be true or false only")
        given.pop(one.claim, None)
        if one.response is not None:
            given[one.claim] = one
    return given


# -- true and estimated ------------------------------------------------------------------------------------------------


def _confirm(case: Case, answers: dict[str, Answer], markers: Markers) -> tuple[str, dict[str, Was]]:
    """The document with claims confirmed, and what they replaced.

    All at once; one by one, with the evidence told apart, where a bracket would be read as something else.
    """
    if not answers:
        return case.text, {}
    text, was = _confirm_all(case, answers, markers)
    if _reads_back(case, text, markers):
        return text, was
    if len(answers) > 1:
        text, was = case.text, {}
        for id_, one in answers.items():
            step = read_case(text, case.origin.name, markers)
            text, undone = _confirm(step, {id_: one}, markers)
            was |= undone
        return text, was
    for variant in (True, False):
        text, was = _confirm_all(case, answers, markers, distinct=variant, marked=variant)
        if _reads_back(case, text, markers):
            return text, was
    raise DocumentRefused(f"{case.origin.name}: {next(iter(answers))}: this evidence cannot be written here")


def _confirm_all(
    case: Case, answers: dict[str, Answer], markers: Markers, distinct: bool = False, marked: bool = True
) -> tuple[str, dict[str, Was]]:
    edits: list[Edit | None] = list(case.origin.edits)
    changed: dict[int, Claim] = {}
    was: dict[str, Was] = {}
    added: list[Edit] = []
    for id_, one in answers.items():
        placed = case.by_id[id_]
        claim = placed.claim
        source = found(one, claim.source, claim.round)
        if distinct and one.response is Response.TRUE:
            source = f"{source} (found by {one.by} on {one.day})"
        update = {"source": source, "confirmed_by": one.by, "confirmed_date": one.day}
        changed[placed.index] = claim.model_copy(update=update)
        marks = [edit.after for number in placed.marks if (edit := edits[number])]
        was[id_] = Was(source=claim.source, marks=tuple(marks))
        if one.response is Response.TRUE:
            _put_evidence(edits, placed, evidence_bracket(source) if marked else "")
        elif not placed.marks:
            added += _estimate(case, placed, evidence_bracket(source))
    every = sorted([*(edit for edit in edits if edit is not None), *added], key=lambda edit: edit.span)
    text = with_body(case.origin, case.origin.source, every, markers)
    return with_claims(text, changed), was


def _put_evidence(edits: list[Edit | None], placed: Placed, bracket: str) -> None:
    """Put the evidence where the first mark stood; take the other marks and the rewrites back."""
    for number in (*placed.marks[1:], *placed.rewrites):
        edits[number] = None
    if not placed.marks:
        return
    first = edits[placed.marks[0]]
    assert first is not None
    mark = first.after.strip(" \t\r\n>")
    edits[placed.marks[0]] = (
        first.model_copy(update={"after": first.after.replace(mark, bracket)}) if bracket else None
    )


def _estimate(case: Case, placed: Placed, bracket: str) -> list[Edit]:
    """A sentence that nothing marks gets the words that it is an estimate."""
    segment = case.segment(placed)
    if segment is None or segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM):
        return []
    place = Span(segment.insertion, segment.insertion)
    return [Edit(span=place, before="", after=" " + bracket, finding="", kind="insertion")]


def _reads_back(case: Case, text: str, markers: Markers) -> bool:
    """Whether the next review finds the source unchanged below what was written, and its structure too."""
    after = read_case(text, case.origin.name, markers)
    body = case.origin.body
    if body.of(case.origin.source).strip() != after.origin.body.of(after.origin.source).strip():
        return False
    shapes = [shape_of(_annotated(one)) for one in (case, after)]
    return shapes[0] == shapes[1]


def _annotated(case: Case) -> Document:
    """The body as it stands, parsed."""
    text = apply_edits(case.origin.source, case.origin.edits)
    excluded = [Span(*block.span) for block in find_exclusions(case.origin.layout).blocks]
    return parse(text, Span(case.origin.body.start, len(text)), excluded)


# -- the end -----------------------------------------------------------------------------------------------------------


def _with_sign_off(text: str, name: str, markers: Markers, changed: bool, unread: Sequence[int] = ()) -> str:
    """Add the claim that says what keeps the review open, unless it stands there already."""
    case = read_case(text, name, markers)
    body = case.origin.body.of(case.origin.source)
    claims = [placed.claim for placed in case.claims]
    claim = sign_off(body, case.origin.source_name, claims, unread, (), (), changed, ended=True)
    pending = {(one.claim.text, one.claim.value) for one in case.pending}
    if claim is None or (claim.text, claim.value) in pending:
        return text
    return with_claim_added(text, claim)


def ended(text: str, name: str, markers: Markers, by: str) -> str:
    """The statuses once no claim is pending; a sign-off where points are open that no claim was about."""
    layout = take_apart(text)
    frontmatter = read_frontmatter(layout)
    case = read_case(text, name, markers)
    open_points = set(ALL_POINTS) - set(declared_points(frontmatter)) - _SETTLED_BY_CLAIMS
    signed = any(placed.is_sign_off and placed.claim.confirmed_by for placed in case.claims)
    if open_points and not signed:
        return _with_sign_off(text, name, markers, changed=False, unread=sorted(open_points))
    has_blocks = find_exclusions(layout).has_markers
    if has_blocks:
        known = frontmatter.text("exceptions-reason")
        text = with_exceptions(text, known or f"excluded by the author of {case.origin.source_name}")
    return with_status(text, "CLEAR", "REVIEWED_WITH_EXCEPTIONS" if has_blocks else "REVIEWED", "1-9", by)


def refuse_invalid(text: str, name: str, today: date) -> None:
    now = datetime.combine(today, time(23, 59), UTC)
    faults = [fault for fault in validate(text, now=now).faults if fault.severity == "error"]
    if faults:
        listed = "; ".join(f"{fault.code} line {fault.line}: {fault.message}" for fault in faults[:3])
        raise DocumentRefused(f"{name}: the answered document would not be valid: {listed}")
