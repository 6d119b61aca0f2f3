"""Exclusion blocks by hand: put around lines, and taken away again (FORMAT section 6)."""

from __future__ import annotations

from datetime import date

from cg_review.api import review
from cg_review.cgd.exclusions import EXCLUSION_ID, find_exclusions
from cg_review.cgd.frontmatter import Splice, read_frontmatter, splice
from cg_review.cgd.layout import take_apart
from cg_review.cgd.seal import seal
from cg_review.document import Span, line_starts
from cg_review.errors import DocumentRefused, InputError
from cg_review.hitl.answering import ended, refuse_invalid
from cg_review.hitl.answers import inert_line
from cg_review.hitl.case import Case, read_case
from cg_review.hitl.rejecting import Change, make_changes
from cg_review.hitl.writing import with_exceptions
from cg_review.markers import load_markers
from cg_review.origin import Origin


def exclude(
    text: str, lines: tuple[int, int], id_: str, reason: str, *, name: str, today: date, by: str
) -> str:
    """The document with an exclusion block around `lines` (1-based, both included), sealed.

    The claims that stand there leave it. Raises InputError for lines, an id or a reason that cannot be used,
    DocumentRefused where claims elsewhere are pending or the result would not be valid.
    """
    if not EXCLUSION_ID.fullmatch(id_):
        raise InputError(f"--id {id_}: letters, digits, dots, dashes and underscores only, at most 64")
    if not inert_line(reason):
        raise InputError("--reason TEXT: say why these lines are excluded")
    markers = load_markers()
    case = read_case(text, name, markers)
    _refuse_changed(case)
    layout = case.origin.layout
    if id_ in find_exclusions(layout).ids:
        raise InputError(f"--id {id_}: there is a block of that id already")
    span = _lines(case, lines)
    assert case.origin.prior is not None
    known = case.origin.prior.frontmatter.text("exceptions-reason")
    told = "; ".join([*([known] if known else []), inert_line(reason)])
    new = make_changes(case, [Change(span, "", (), span, keeps=id_)], told, markers)
    pending = read_case(new, name, markers).pending
    if pending:
        raise DocumentRefused(
            f"{name}: {len(pending)} claim(s) elsewhere wait for a person; nothing can be excluded before (E-EX05)"
        )
    new = seal(ended(new, name, markers, by), computed=True)
    refuse_invalid(new, name, today)
    return new


def _refuse_changed(case: Case) -> None:
    if case.is_changed:
        raise DocumentRefused(
            f"{case.origin.name}: W-HS01: changed since it was sealed; review it again first"
        )


def _lines(case: Case, lines: tuple[int, int]) -> Span:
    """The lines as characters of the source."""
    origin, (first, last) = case.origin, lines
    starts = line_starts(origin.text)
    end = len(origin.source)
    if not 1 <= first <= last <= len(starts):
        raise InputError(f"--lines {first}-{last}: the document has {len(starts)} lines")
    from_, to = starts[first - 1], starts[last] if last < len(starts) else len(origin.text)
    span = Span(_in_source(origin, from_), _in_source(origin, to))
    if from_ < origin.layout.body.start or span.end > end:
        raise InputError(f"--lines {first}-{last}: only lines of the body can be excluded")
    text = span.of(origin.source)
    if not text.strip():
        raise InputError(f"--lines {first}-{last}: there is nothing in these lines")
    return Span(span.start, span.start + len(text.rstrip("\r\n")))


def _in_source(origin: Origin, offset: int) -> int:
    """Where a place of the text as read is in the source."""
    position = offset
    shift = 0
    for edit in origin.edits:
        start = edit.span.start + shift
        if start >= offset:
            break
        position = max(edit.span.start, offset - shift - (len(edit.after) - len(edit.before)))
        shift += len(edit.after) - len(edit.before)
    return position


def unexclude(text: str, id_: str, *, name: str, today: date) -> str:
    """The document without the marker lines of a block, and its review up again: the embedded points read it, and a
    claim says that it changed.

    Raises InputError where there is no such block, DocumentRefused where another block remains (E-EX05).
    """
    case = read_case(text, name)
    _refuse_changed(case)
    blocks = find_exclusions(case.origin.layout).blocks
    block = next((block for block in blocks if block.id == id_), None)
    if block is None:
        there = ", ".join(block.id for block in blocks) or "none"
        raise InputError(f"--id {id_}: no such block (there are: {there})")
    if len(blocks) > 1:
        raise DocumentRefused(
            f"{name}: what is unexcluded has to be reviewed, and a document with blocks cannot be pending (E-EX05); "
            f"give all its blocks: {', '.join(block.id for block in blocks)}"
        )
    return unexclude_all(text, name=name, today=today)


def unexclude_all(text: str, *, name: str, today: date) -> str:
    """The document without any block, reviewed again. Raises DocumentRefused as a review does."""
    case = read_case(text, name)
    _refuse_changed(case)
    lines = [
        line
        for block in find_exclusions(take_apart(text)).blocks
        for line in (block.begin.line, block.end.line)
    ]
    bare = with_exceptions(splice(text, [Splice(*line, "") for line in lines]), "")
    frontmatter = read_frontmatter(bare)
    bare = splice(
        bare, [frontmatter.set(("hitl-status",), "REVIEWED")]
    )  # not sealed: the review sees the change
    again = review(bare.encode("utf-8", "surrogatepass"), name=name, today=today).cgd_text
    if again is None:
        raise DocumentRefused(f"{name}: no CGD can be written of it; review it again")
    return again
