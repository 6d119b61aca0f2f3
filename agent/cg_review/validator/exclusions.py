"""EX: exclusion blocks, and what the frontmatter says about them."""

from __future__ import annotations

from collections.abc import Iterator

from cg_review.cgd.exclusions import EXCLUSION_ID
from cg_review.cgd.nodes import Scalar, Sequence
from cg_review.validator.checks import check, is_null, is_unknown
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

_EXCEPTIONS = "REVIEWED_WITH_EXCEPTIONS"


def _problems(subject: Subject, code: str) -> Iterator[Found]:
    return (
        Found(problem.message, problem.offset)
        for problem in subject.exclusions.problems
        if problem.code == code
    )


@check("E-EX00")
def malformed_marker(subject: Subject) -> Iterator[Found]:
    """A line outside fences looks like an exclusion marker, but is none: attributes, case, text beside it, a bad id."""
    yield from _problems(subject, "E-EX00")


@check("E-EX01")
def unbalanced_block(subject: Subject) -> Iterator[Found]:
    """An exclusion block is never closed, is closed under another id, or ends without having begun."""
    yield from _problems(subject, "E-EX01")


@check("E-EX02")
def nested_block(subject: Subject) -> Iterator[Found]:
    """An exclusion block begins inside another."""
    yield from _problems(subject, "E-EX02")


@check("E-EX03")
def interleaved_block(subject: Subject) -> Iterator[Found]:
    """An exclusion block ends while one that began inside it is still open."""
    yield from _problems(subject, "E-EX03")


@check("E-EX04")
def repeated_id(subject: Subject) -> Iterator[Found]:
    """Two exclusion blocks have the same id."""
    yield from _problems(subject, "E-EX04")


@check("E-EX05")
def block_needs_status(subject: Subject) -> Iterator[Found]:
    """The body has an exclusion block, but `hitl-status` is not REVIEWED_WITH_EXCEPTIONS."""
    if subject.exclusions.ids and subject.hitl not in (None, _EXCEPTIONS):
        place = min(subject.exclusions.ids.values())
        yield Found(f"exclusion blocks need hitl-status {_EXCEPTIONS}, not {subject.hitl}", place)


@check("E-EX06")
def status_needs_block(subject: Subject) -> Iterator[Found]:
    """`hitl-status` is REVIEWED_WITH_EXCEPTIONS, but the body has no exclusion block outside fences."""
    if subject.hitl == _EXCEPTIONS and not subject.exclusions.has_markers:
        yield Found(
            f"hitl-status is {_EXCEPTIONS}, but the body has no exclusion block", subject.place("hitl-status")
        )


@check("E-EX07")
def reason(subject: Subject) -> Iterator[Found]:
    """Exclusions are declared, but `exceptions-reason` is missing, blank or no text."""
    if subject.hitl != _EXCEPTIONS or not subject.exclusions.has_markers:
        return
    node = subject.node("exceptions-reason")
    if is_unknown(node) or (isinstance(node, Scalar) and node.kind == "str" and node.text.strip()):
        return
    place = subject.place("exceptions-reason")
    yield Found(
        "exceptions-reason must say why parts are excluded",
        subject.place("hitl-status") if place is None else place,
    )


@check("E-EX08")
def listed_but_absent(subject: Subject) -> Iterator[Found]:
    """`exceptions-ids` lists an id that no exclusion block of the body has."""
    for item in _listed(subject):
        known = item.text in subject.exclusions.ids or item.text in subject.exclusions.malformed_ids
        if _is_id(item) and not known:
            yield Found(f"exceptions-ids lists {shown(item.text)}, which no block has", item.start)


@check("E-EX09")
def present_but_not_listed(subject: Subject) -> Iterator[Found]:
    """An exclusion block's id is missing from `exceptions-ids`."""
    node = subject.node("exceptions-ids")
    if (
        subject.hitl != _EXCEPTIONS
        or is_unknown(node)
        or (node is not None and not isinstance(node, Sequence))
    ):
        return
    listed = {item.text for item in _listed(subject)}
    for id_, place in subject.exclusions.ids.items():
        if id_ not in listed:
            yield Found(f"the block {shown(id_)} is not listed in exceptions-ids", place)


@check("E-EX10")
def ids_are_a_list(subject: Subject) -> Iterator[Found]:
    """`exceptions-ids` is not a list, or an entry is not a string of the form of an id (an unquoted 7 is a number)."""
    node = subject.node("exceptions-ids")
    if node is None or is_unknown(node):
        return
    if not isinstance(node, Sequence):
        words = "exceptions-ids is null" if is_null(node) else "exceptions-ids must be a list of ids"
        yield Found(words, subject.place("exceptions-ids"))
        return
    for item in node.items:
        if is_unknown(item) or (isinstance(item, Scalar) and _is_id(item)):
            continue
        text = shown(item.text) if isinstance(item, Scalar) else "a collection"
        yield Found(f"exceptions-ids: {text} is no id, or not a string", item.start)


def _listed(subject: Subject) -> list[Scalar]:
    node = subject.node("exceptions-ids")
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _is_id(item: Scalar) -> bool:
    return item.kind == "str" and EXCLUSION_ID.fullmatch(item.text) is not None
