"""What a `false` does to the body: other words, no sentence, or an exclusion block around its block (FORMAT 12.9).

Works on the source (the text without marks), so that what is excluded is what its author wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from cg_review.annotate import evidence_bracket
from cg_review.cgd.exclusions import EXCLUSION_ID, find_exclusions
from cg_review.cgd.layout import take_apart
from cg_review.cgd.record import inert
from cg_review.cgd.tables import escape_cell
from cg_review.document import Document, Segment, SegmentKind, Span, Spans
from cg_review.errors import InputError
from cg_review.findings import Claim, Edit
from cg_review.hitl.answers import Answer
from cg_review.hitl.case import Case, Placed, read_case
from cg_review.hitl.writing import line_range, with_body, with_claims, with_exceptions, without_claims
from cg_review.inline import build_markdown
from cg_review.markers import Markers
from cg_review.parse import parse
from cg_review.state import sign_off_value


@dataclass(frozen=True, order=True)
class Change:
    """The characters `span` of the source become `text`; `unit` is the sentence or block whose marks go with it."""

    span: Span
    text: str
    claims: tuple[str, ...]
    unit: Span
    keeps: str | None = None  # an exclusion: what stood there stays, between marker lines of this id


def carry_out(text: str, rejections: Sequence[Answer], name: str, today: date, markers: Markers) -> str:
    """The document with the body edits of `rejections`, whose claims leave it. Not sealed.

    Raises InputError where one cannot be carried out as asked.
    """
    case = read_case(text, name, markers)
    changes = _merged([_change(case, case.by_id[one.claim], one) for one in rejections])
    reason = _reason(case, rejections) if any(change.keeps for change in changes) else None
    new = make_changes(case, changes, reason, markers)
    _refuse_replacements(read_case(new, name, markers), changes, today)
    return new


def make_changes(case: Case, changes: Sequence[Change], reason: str | None, markers: Markers) -> str:
    """The document with `changes` of its source, in order, and without the claims that stood there. Not sealed.

    `reason` is why there are exclusion blocks, where the changes make one. Raises InputError where more would change.
    """
    name = case.origin.name
    source, edits = _apply(case, changes)
    new = with_body(case.origin, source, edits, markers)
    gone = {placed.index for placed in case.claims if _is_gone(placed, changes)}
    left = [placed for placed in case.claims if placed.index not in gone]
    if gone:
        new = without_claims(new, gone, [placed.claim for placed in left])
    places = {p.claim.id: _moved(case, changes, p.span.start) for p in left if p.span is not None}
    new = _relocated(new, places, name, markers)
    return with_exceptions(new, reason) if reason is not None else new


def _is_gone(placed: Placed, changes: Sequence[Change]) -> bool:
    if any(placed.claim.id in change.claims for change in changes):
        return True
    return placed.span is not None and any(change.span.contains(placed.span) for change in changes)


def _reason(case: Case, rejections: Sequence[Answer]) -> str:
    """Why parts are excluded: what people noted, after what the document gives as a reason already."""
    assert case.origin.prior is not None
    excluded = [one for one in rejections if one.choice == "exclude"]
    told = [one.notes or f"{one.claim} was answered as not true" for one in excluded]
    who = ", ".join(sorted({one.by for one in excluded}))
    known = case.origin.prior.frontmatter.text("exceptions-reason")
    return "; ".join([*([known] if known else []), *dict.fromkeys(told)]) + (f" ({who})" if who else "")


# -- one change --------------------------------------------------------------------------------------------------------


def _change(case: Case, placed: Placed, answer: Answer) -> Change:
    if placed.span is None:
        raise InputError(
            f"{case.origin.name}: {answer.claim}: its sentence is not in the document any more; review it again"
        )
    if answer.choice == "exclude":
        return _exclusion(case, placed, placed.span, answer)
    segment = case.segment(placed)
    assert segment is not None
    if answer.choice == "replace":
        return Change(placed.span, _replacement(segment, answer), (answer.claim,), placed.span)
    return Change(_removed(case, segment, placed.span), "", (answer.claim,), placed.span)


def _replacement(segment: Segment, answer: Answer) -> str:
    words = inert(answer.replacement)
    if not words:
        raise InputError(f"{answer.claim}: a replacement without words; choose removal instead")
    if not _is_prose(words):
        raise InputError(f"{answer.claim}: a replacement has to be plain words of one paragraph")
    if answer.evidence:
        stop = re.search(r"[.!?]?\Z", words)
        assert stop is not None
        words = f"{words[: stop.start()]} {evidence_bracket(answer.evidence)}{stop[0]}"
    return escape_cell(words) if segment.table is not None else words


def _is_prose(words: str) -> bool:
    """Whether words are sentences of one paragraph: no heading, list, quote, table, code block or HTML."""
    alone = parse(words)
    kinds = {(segment.kind, segment.quoted, segment.block) for segment in alone.segments}
    return len(kinds) == 1 and not alone.code and kinds.pop()[:2] == (SegmentKind.SENTENCE, False)


def _removed(case: Case, segment: Segment, span: Span) -> Span:
    """What goes with a sentence: the blank beside it, or its whole lines where it is alone in its block."""
    text, document = case.origin.source, case.document
    whole = segment.kind in (SegmentKind.TABLE, SegmentKind.ROW)
    together = [segment] if whole else document.block_segments(segment)
    if len(together) == 1:
        start, end = line_range(text, span.start, span.end)
        ending = re.compile(r"\r\n|\r|\n").match(text, end)
        return Span(start, ending.end() if ending else end)
    at = together.index(segment)
    if at:
        return Span(together[at - 1].span.end, span.end)
    return Span(span.start, together[1].span.start)


def _exclusion(case: Case, placed: Placed, span: Span, answer: Answer) -> Change:
    block = block_around(case.document, span)
    id_ = answer.claim if EXCLUSION_ID.fullmatch(answer.claim) else f"excluded-{placed.index + 1}"
    return Change(block, "", (answer.claim,), block, keeps=id_)


def block_around(document: Document, span: Span) -> Span:
    """The whole lines of the outermost block that holds `span`: its paragraph, list, table, quote or heading."""
    body = document.body.of(document.text)
    number = document.position(span.start)[0] - document.position(document.body.start)[0]
    tokens = build_markdown().parse(re.sub(r"\r\n?", "\n", body))
    maps = [token.map for token in tokens if token.level == 0 and token.map and token.nesting >= 0]
    lines = next(((a, b) for a, b in maps if a <= number < b), (number, number + 1))
    first = document.position(document.body.start)[0] + lines[0]
    starts = document._line_starts
    last = first + lines[1] - lines[0] - 1
    while last > first and not document.text[starts[last - 1] : _end(document, last)].strip():
        last -= 1
    start, end = starts[first - 1], _end(document, last)
    return Span(max(start, document.body.start), min(end, document.body.end))


def _end(document: Document, line: int) -> int:
    """Where a line (1-based) ends, before its ending."""
    return line_range(document.text, document._line_starts[line - 1], document._line_starts[line - 1])[1]


def _merged(changes: Sequence[Change]) -> list[Change]:
    """One change a place: two in one block are one block, and a block holds what is changed inside it."""
    merged: list[Change] = []
    for change in sorted(changes, key=lambda one: (one.span.start, -one.span.end)):
        last = merged[-1] if merged else None
        if last is None or not last.span.overlaps(change.span):
            merged.append(change)
        elif last.span.contains(change.span):
            merged[-1] = replace(last, claims=last.claims + change.claims)
        else:
            raise InputError(f"{change.claims[0]} and {last.claims[0]} cannot both be changed as asked")
    return merged


# -- all changes -------------------------------------------------------------------------------------------------------


def _apply(case: Case, changes: Sequence[Change]) -> tuple[str, list[Edit]]:
    """The new source, and the marks that still stand in it."""
    source = case.origin.source
    parts, position, shift = [], 0, 0
    moves: list[tuple[int, int]] = []  # from here on, edits move by this much
    for change in changes:
        new = _new_text(case, change)
        parts += [source[position : change.span.start], new]
        position = change.span.end
        shift += len(new) - (change.span.end - change.span.start)
        moves.append((change.span.end, shift))
    gone = Spans([case.document.reach(change.unit) for change in changes])
    edits = []
    for edit in case.origin.edits:
        if gone.hold(edit.span):
            continue
        by = next((s for at, s in reversed(moves) if at <= edit.span.start), 0)
        moved = Span(edit.span.start + by, edit.span.end + by)
        edits.append(edit.model_copy(update={"span": moved}))
    new_source = "".join([*parts, source[position:]])
    _refuse_other_structure(case, new_source, changes)
    return new_source, edits


def _new_text(case: Case, change: Change) -> str:
    """What stands at a change's place afterwards."""
    if not change.keeps:
        return change.text
    inside = change.span.of(case.origin.source)
    return case.origin.newline.join([begin_marker(change.keeps), inside, end_marker(change.keeps)])


def begin_marker(id_: str) -> str:
    """The line that opens an exclusion block."""
    return f"<!-- CG-EXCLUSION:BEGIN id={id_} -->"


def end_marker(id_: str) -> str:
    """The line that closes an exclusion block."""
    return f"<!-- CG-EXCLUSION:END id={id_} -->"


def _refuse_other_structure(case: Case, source: str, changes: Sequence[Change]) -> None:
    """Whatever nobody asked to change has to read as before."""
    layout = take_apart(source)
    problems = find_exclusions(layout).problems
    if problems:
        raise InputError(f"{case.origin.name}: {problems[0].code}: {problems[0].message}")
    excluded = [Span(*block.span) for block in find_exclusions(layout).blocks]
    after = parse(source, Span(case.origin.body.start, len(source)), excluded)
    kept = [s for s in case.document.segments if not any(_touches(c, s) for c in changes)]
    if not _is_subsequence([s.plain for s in kept], [s.plain for s in after.segments]):
        raise InputError(
            f"{case.origin.name}: {_who(changes)}that would change more than its sentence; choose another way"
        )


def _who(changes: Sequence[Change]) -> str:
    named = [claim for change in changes for claim in change.claims]
    return f"{named[0]}: " if named else ""


def _touches(change: Change, segment: Segment) -> bool:
    """Whether a change is about a segment, or inside one (a cell in its row, a row in its table)."""
    return change.span.overlaps(segment.span) and (
        change.span.contains(segment.span) or segment.span.contains(change.span)
    )


def _is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(item in rest for item in part)


def _moved(case: Case, changes: Sequence[Change], offset: int) -> int:
    """Where a place of the old source is in the new one, counted from the body's start."""
    shift = sum(
        len(_new_text(case, c)) - len(c.span.of(case.origin.source)) for c in changes if c.span.end <= offset
    )
    return offset - case.origin.body.start + shift


def _relocated(text: str, places: Mapping[str, int], name: str, markers: Markers) -> str:
    """Claims below a heading that changed get its new slug, and a sign-off the new body's hash.

    `places` tells where the claims' sentences are, counted from the body's start.
    """
    case = read_case(text, name, markers)
    taken = {placed.claim.location for placed in case.claims}
    changed: dict[int, Claim] = {}
    for placed in case.claims:
        claim = placed.claim
        if placed.is_sign_off:
            value = sign_off_value(case.origin.body.of(case.origin.source))
            changed[placed.index] = claim.model_copy(update={"value": value})
        elif claim.id in places:
            slug = _slug_at(case.document, case.origin.body.start + places[claim.id])
            if slug != claim.location.rpartition("/")[0]:
                location = next(f"{slug}/{n}" for n in range(1, len(taken) + 2) if f"{slug}/{n}" not in taken)
                taken.add(location)
                changed[placed.index] = claim.model_copy(update={"location": location})
    return with_claims(text, changed) if changed else text


def _slug_at(document: Document, offset: int) -> str:
    index = bisect_right(document.segments, offset, key=lambda segment: segment.span.start) - 1
    return document.sections[document.segments[max(index, 0)].section].slug


def _refuse_replacements(case: Case, changes: Sequence[Change], today: date) -> None:
    """A replacement goes in only when the embedded points have nothing to say about it."""
    from cg_review.hitl.checking import objections

    for change in changes:
        if change.keeps or not change.text.strip():
            continue
        found = objections(case, change.text, today)
        if found:
            raise InputError(
                f"{case.origin.name}: {change.claims[0]}: the replacement would need a review itself: {found}"
            )
