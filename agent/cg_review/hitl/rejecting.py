"""What a `false` does to the body: other words, no sentence, or an exclusion block around its block (FORMAT 12.9).

Works on the source (the text without marks), so that what is excluded is what its author wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
    """Characters [start, end) of the source become `text`; `drops` says that claims in there are gone."""

    span: Span
    text: str
    claims: tuple[str, ...]
    keeps: str | None = None  # an exclusion: what stood there stays, between marker lines of this id


def carry_out(
    text: str, rejections: Sequence[Answer], name: str, today: date, markers: Markers
) -> str:
    """The document with the body edits of `rejections`, whose claims leave it. Not sealed.

    Raises InputError where one cannot be carried out as asked.
    """
    case = read_case(text, name, markers)
    changes = _merged([_change(case, case.by_id[one.claim], one) for one in rejections])
    source, edits = _apply(case, changes)
    new = with_body(case.origin, source, edits)
    gone = {placed.index for placed in case.claims if _is_gone(placed, changes)}
    left = [placed for placed in case.claims if placed.index not in gone]
    new = without_claims(new, gone, [placed.claim for placed in left])
    new = _relocated(new, [placed.claim for placed in left], name, markers)
    if any(change.keeps for change in changes):
        new = with_exceptions(new, _reason(case, rejections))
    _refuse_replacements(read_case(new, name, markers), changes, today)
    return new


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
        return Change(placed.span, _replacement(segment, answer), (answer.claim,))
    return Change(_removed(case, segment, placed.span), "", (answer.claim,))


def _replacement(segment: Segment, answer: Answer) -> str:
    words = inert(answer.replacement)
    if not words:
        raise InputError(f"{answer.claim}: a replacement without words; choose removal instead")
    if answer.evidence:
        stop = re.search(r"[.!?]?\Z", words)
        assert stop is not None
        words = f"{words[: stop.start()]} {evidence_bracket(answer.evidence)}{stop[0]}"
    return escape_cell(words) if segment.table is not None else words


def _removed(case: Case, segment: Segment, span: Span) -> Span:
    """What goes with a sentence: the blank beside it, or its whole lines where it is alone in its block."""
    text, document = case.origin.source, case.document
    whole = segment.kind in (SegmentKind.TABLE, SegmentKind.ROW)
    together = [segment] if whole else document.block_segments(segment)
    if len(together) == 1:
        start, end = line_range(text, span.start, span.end)
        ending = re.compile(r"\r\n|\r|\n").match(text, end)
        return Span(start, ending.end() if ending else end)
    if segment is together[-1]:
        return Span(together[-2].span.end, span.end)
    return Span(span.start, together[together.index(segment) + 1].span.start)


def _exclusion(case: Case, placed: Placed, span: Span, answer: Answer) -> Change:
    block = block_around(case.document, span)
    newline = case.origin.newline
    id_ = answer.claim if EXCLUSION_ID.fullmatch(answer.claim) else f"excluded-{placed.index + 1}"
    return Change(block, newline, (answer.claim,), keeps=id_)


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
            merged[-1] = Change(last.span, last.text, last.claims + change.claims, last.keeps)
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
        new = change.text
        if change.keeps:
            newline = change.text
            marker = "<!-- CG-EXCLUSION:{} id=" + change.keeps + " -->"
            inside = change.span.of(source)
            new = newline.join([marker.format("BEGIN"), inside, marker.format("END")])
        parts += [source[position : change.span.start], new]
        position = change.span.end
        shift += len(new) - (change.span.end - change.span.start)
        moves.append((change.span.end, shift))
    gone = Spans([case.document.reach(change.span) for change in changes])
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
            f"{case.origin.name}: {changes[0].claims[0]}: that would change more than its sentence; choose another way"
        )
    more = [span for span in after.code if not any(block.overlaps(span) for block in excluded)]
    before = [span for span in case.document.code if not any(c.span.contains(span) for c in changes)]
    if len(more) > len(before) or len(after.sections) > len(case.document.sections):
        raise InputError(
            f"{case.origin.name}: {changes[0].claims[0]}: a replacement has to be plain words of one paragraph"
        )


def _touches(change: Change, segment: Segment) -> bool:
    """Whether a change is about a segment, or inside one (a cell in its row, a row in its table)."""
    return change.span.overlaps(segment.span) and (
        change.span.contains(segment.span) or segment.span.contains(change.span)
    )


def _is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(item in rest for item in part)


def _relocated(text: str, claims: Sequence[Claim], name: str, markers: Markers) -> str:
    """Claims below a heading that changed get its new slug, and a sign-off the new body's hash."""
    case = read_case(text, name, markers)
    slugs = {section.slug for section in case.document.sections}
    taken = {claim.location for claim in claims}
    changed: dict[int, Claim] = {}
    for placed in case.claims:
        if placed.is_sign_off:
            value = sign_off_value(case.origin.body.of(case.origin.source))
            changed[placed.index] = placed.claim.model_copy(update={"value": value})
        elif placed.span is None and placed.claim.location.rpartition("/")[0] not in slugs:
            slug = _slug_of(case.document, placed.claim.text)
            number = next(n for n in range(1, len(claims) + 2) if f"{slug}/{n}" not in taken)
            if slug:
                taken.add(f"{slug}/{number}")
                changed[placed.index] = placed.claim.model_copy(update={"location": f"{slug}/{number}"})
    return with_claims(text, changed) if changed else text


def _slug_of(document: Document, wording: str) -> str | None:
    found = {document.sections[s.section].slug for s in document.segments if s.text == wording}
    return found.pop() if len(found) == 1 else None


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
