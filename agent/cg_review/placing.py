"""Which edits go into the draft, with proof that they change no structure: code, links, tables and headings stay."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from cg_review.annotate import annotate, evidence_bracket
from cg_review.document import Document, Spans
from cg_review.findings import AS_ESTIMATE, Claim, Edit, Finding
from cg_review.markers import Markers
from cg_review.origin import Origin
from cg_review.structure import keep_shape

_GAP = 400


def place(
    origin: Origin, document: Document, findings: Sequence[Finding], claims: Sequence[Claim], markers: Markers
) -> tuple[tuple[Edit, ...], frozenset[str]]:
    """The edits of the draft, and the ids of findings that cannot be marked (a frontmatter's need none: a claim stands).

    Where a person has confirmed a claim, its sentence keeps what stands there, or gets the evidence where the draft is
    made anew from a changed source; elsewhere the findings' markers go in, and whatever else an earlier review or its
    author put in stays.
    """
    answered = {claim.span: claim for claim in claims if claim.confirmed_by and claim.span}
    evidence = {span: evidence_bracket(c.source) for span, c in answered.items() if c.source != AS_ESTIMATE}
    confirmed = Spans([document.reach(span) for span in answered] if origin.prior else ())
    wanted = [finding for finding in findings if finding.suppressed is None]
    proposed = annotate(document, wanted, markers, origin.newline, {} if origin.prior else evidence)
    new = applicable(document, [edit for edit in proposed if not confirmed.hold(edit.span)])
    units = Spans([document.reach(f.span) for f in wanted])
    kept = [
        edit.model_copy(update={"kind": "kept"})
        for edit in origin.edits
        if confirmed.hold(edit.span) or not (units.hold(edit.span) or _is_among(edit, new, document.text))
    ]
    marked = sorted(edit.span.start for edit in new if not edit.before)
    unmarked = frozenset(
        finding.id
        for finding in wanted
        if finding.segment and not confirmed.hold(finding.span) and not _has_mark(document, finding, marked)
    )
    return tuple(sorted([*kept, *new], key=lambda edit: edit.span)), unmarked


def _has_mark(document: Document, finding: Finding, marked: Sequence[int]) -> bool:
    """Whether a marker goes in where the finding is, its own or another finding's that says the same."""
    reach = document.reach(finding.span)
    return bisect_left(marked, reach.start) < bisect_right(marked, reach.end)


def _is_among(edit: Edit, new: Sequence[Edit], text: str) -> bool:
    """Whether a new edit puts the same words at the same place; blank lines between do not matter."""
    first = bisect_left(new, edit.span.start - _GAP, key=lambda other: other.span.start)
    for other in new[first:]:
        low, high = sorted((edit.span.start, other.span.start))
        if high - low > _GAP and other.span.start > edit.span.start:
            return False
        if other.after.strip("> \t\r\n") == edit.after.strip("> \t\r\n") and not text[low:high].strip(
            "> \t\r\n"
        ):
            return True
    return False


def applicable(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that leave the structure as it is; a finding's edits go in together or not at all."""
    if not edits:
        return []
    groups: dict[str, list[Edit]] = {}
    for edit in edits:
        groups.setdefault(edit.finding, []).append(edit)
    kept = _keep(document, list(groups.values()))
    return sorted((edit for group in kept for edit in group), key=lambda edit: edit.span)


def _keep(document: Document, groups: list[list[Edit]]) -> list[list[Edit]]:
    """Halve until what breaks the structure is found."""
    edits = sorted((edit for group in groups for edit in group), key=lambda edit: edit.span)
    if keep_shape(document, edits):
        return groups
    if len(groups) == 1:
        return []
    half = len(groups) // 2
    return _keep(document, groups[:half]) + _keep(document, groups[half:])
