"""Findings -> edits of the text, and back (DESIGN, "Annotation and the edit guard"; POINTS, "Markers the annotation uses").

Every edit is recorded; everything outside the edits stays byte for byte. Undoing the edits gives the source back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from cg_review.cgd.record import inert
from cg_review.document import Document, Segment, SegmentKind, Span
from cg_review.findings import Edit, Finding
from cg_review.guard import allows
from cg_review.markers import Markers
from cg_review.rewrites import propose

_NEXT_LINE = re.compile(r"(?>\r\n|\n|\r)([^\r\n]{0,400})")


def annotate(
    document: Document,
    findings: Sequence[Finding],
    markers: Markers,
    newline: str = "\n",
    evidence: Mapping[Span, str] = MappingProxyType({}),
) -> tuple[Edit, ...]:
    """The edits that mark `findings` in `document`, in order of position.

    `evidence` gives, by place, what stands there in a marker's stead: what a person found, in brackets.
    """
    edits: list[Edit] = []
    marked: set[tuple[int, str]] = set()
    for finding in findings:
        segment = document.segment(finding.segment)
        rewrite = None if finding.span in evidence else _rewrite(document, segment, finding, markers)
        if rewrite:
            edits.append(rewrite)
        for text in (
            [evidence[finding.span]] if finding.span in evidence else _markers(document, finding, markers)
        ):
            edits += _insert(document, segment, finding.span, text, finding.id, marked, newline)
        for side in finding.related if 5 in finding.points else ():
            text, other = evidence.get(side.span, markers.marker(5)), document.segment(side.segment)
            edits += _insert(document, other, side.span, text, finding.id, marked, newline)
    return tuple(_one_blank_line(sorted(edits, key=lambda edit: edit.span)))


def _markers(document: Document, finding: Finding, markers: Markers) -> list[str]:
    """The marker of the leading point, and that of a conflict where point 5 is among the others."""
    segment = document.segment(finding.segment)
    is_table = segment.table is not None and document.tables[segment.table].span == finding.span
    lead = markers.marker(finding.points[0], finding.kind, is_table)
    return [lead, markers.marker(5)] if 5 in finding.points[1:] else [lead]


def _one_blank_line(edits: list[Edit]) -> list[Edit]:
    """Where several markers stand below one heading, only the last brings the blank line that parts it from the text."""
    for index, (edit, following) in enumerate(pairwise(edits)):
        if edit.span == following.span and edit.after.startswith(("\r", "\n")):
            edits[index] = edit.model_copy(update={"after": edit.after.rstrip("> \t\r\n")})
    return edits


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply `edits`, which are in order and do not overlap."""
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.span.start], edit.after]
        position = edit.span.end
    parts.append(text[position:])
    return "".join(parts)


def undo_edits(text: str, edits: Iterable[Edit]) -> str:
    """Take back `edits` from the text they were applied to."""
    parts, position, shift = [], 0, 0
    for edit in edits:
        start = edit.span.start + shift
        parts += [text[position:start], edit.before]
        position = start + len(edit.after)
        shift += len(edit.after) - len(edit.before)
    parts.append(text[position:])
    return "".join(parts)


def evidence_bracket(evidence: str) -> str:
    """What stands in the text in place of a marker once a person has confirmed a claim: the evidence in brackets."""
    return "[" + re.sub(r"([\\\[\]|`*_<~])", r"\\\1", inert(evidence)) + "]"


def _insert(
    document: Document,
    segment: Segment,
    unit: Span,
    marker: str,
    finding: str,
    marked: set[tuple[int, str]],
    newline: str,
) -> list[Edit]:
    """The insertion of `marker` for `unit`, unless the same marker goes to the same place already."""
    if segment.kind is SegmentKind.FRONTMATTER:
        return []
    place, before, after = _placement(document, segment, unit, newline)
    if (place, marker) in marked:
        return []
    marked.add((place, marker))
    return [
        Edit(
            span=Span(place, place),
            before="",
            after=before + marker + after,
            finding=finding,
            kind="insertion",
        )
    ]


def _placement(document: Document, segment: Segment, unit: Span, newline: str) -> tuple[int, str, str]:
    """Where a marker for `unit` goes, and what stands before and after it there."""
    blank = newline + segment.prefix.rstrip() + newline + segment.prefix
    if segment.table is not None:
        table = document.tables[segment.table]
        if unit == table.span:
            return table.span.start, "", blank
        place = next(
            (cell.insertion for cell in table.cells(segment.row) if cell.span == unit), segment.insertion
        )
        return place, " ", ""
    if segment.kind is SegmentKind.HEADING:
        # A heading's marker stands below it, so that slugs stay (FORMAT 12.13): in a paragraph of its own, and right
        # under the heading where text follows without a blank line, so that taking it out restores either.
        following = _NEXT_LINE.match(document.text, segment.insertion, document.body.end)
        if following and following[1].strip(" \t>"):
            return segment.insertion, newline + segment.prefix, newline + segment.prefix.rstrip()
        return segment.insertion, blank, ""
    return segment.insertion, " ", ""


# -- rewrites --------------------------------------------------------------------------------------------------------


def _rewrite(document: Document, segment: Segment, finding: Finding, markers: Markers) -> Edit | None:
    """The small rewrite of the lead point, where there is one and the guard allows it."""
    if segment.kind not in {SegmentKind.SENTENCE, SegmentKind.LIST_ITEM}:
        return None
    proposal = propose(finding.points[0], segment.plain, markers)
    if proposal is None:
        return None
    start, end, after = proposal
    span, before = segment.source_of(start, end), segment.plain[start:end]
    if (
        span.of(document.text) != before
        or any(segment.styled[start:end])
        or not allows(before, after, markers)
    ):
        return None
    return Edit(span=span, before=before, after=after, finding=finding.id, kind="rewrite")
