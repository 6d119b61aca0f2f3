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
from cg_review.guard import allows, inflections
from cg_review.markers import Markers, VerbRewrite

_WILL = re.compile(r"\bwill\b", re.IGNORECASE)
_WILL_VERB = re.compile(r"\bwill ([a-z]+)\b")
_NEXT_LINE = re.compile(r"(?>\r\n|\n|\r)([^\r\n]{0,400})")
_SUBJECT = re.compile(r"([^\W\d_]+)\s+\Z")
_WORD = re.compile(r"(?=\b([^\W\d_]+) ([a-z]+)\b(?: ([^\W\d_]*))?)")
_BEFORE_A_NOUN = {
    "the",
    "a",
    "an",
    "of",
    "and",
    "or",
    "our",
    "its",
    "their",
    "these",
    "those",
    "all",
    "to",
    "some",
    "many",
}
_AFTER_A_NOUN = {"is", "are", "was", "were", "will", "has", "have", "and", "or", "of", "can", "may", "must"}
_NOT_A_VERB = {
    "not",
    "also",
    "never",
    "always",
    "soon",
    "then",
    "now",
    "only",
    "likely",
    "probably",
    "have",
    "likewise",
}

Proposal = tuple[int, int, str]
"""Plain characters [start, end) of a segment, and what to put there."""


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
    proposal = _propose(finding.points[0], segment.plain, markers)
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


def _will(plain: str, markers: Markers) -> Proposal | None:
    """`will be` -> `is **projected** to be`; `will` + verb -> `is **expected** to` + verb."""
    found = list(_WILL.finditer(plain))
    match = _WILL_VERB.search(plain)
    if len(found) != 1 or match is None or match[1] in _NOT_A_VERB or plain.rstrip().endswith("?"):
        return None
    be = _be(plain[: match.start()], markers)
    if be is None:
        return None
    template = markers.rewrites.will.will_be if match[1] == "be" else markers.rewrites.will.will_verb
    return match.start(), match.end(), template.format(be=be, verb=match[1])


def _be(before: str, markers: Markers) -> str | None:
    """The form of "be" for the subject that ends `before`; None where its number is not plain."""
    match = _SUBJECT.search(before)
    if match is None:
        return None
    word, start = match[1], match.start(1)
    lower = word.lower()
    if lower == "i":
        return "am"
    if lower in markers.plural:
        return "are"
    clause = re.split(r"[,;:(]", before)[-1]
    if re.search(
        r"\b(?:and|or|who|which|what|that|of|in|for|with|from|by|on|at)\b", clause[: -len(match[0])] + " "
    ):
        return None  # the word next to "will" need not be the subject
    if lower in markers.singular or not lower.endswith("s") or lower.endswith("ss"):
        return "is"
    return None if start and word[0].isupper() else "are"


def _verb(rule: VerbRewrite, plain: str) -> Proposal | None:
    """A verb of the rule's list, where it is the only one and stands where a verb stands."""
    found = [match for match in _WORD.finditer(plain) if match[2] in rule.verbs]
    if len(found) != 1:
        return None
    before, verb, after = (group or "" for group in found[0].groups())
    base = rule.verbs[verb]
    if verb not in inflections(base) or before.lower() in _BEFORE_A_NOUN or after.lower() in _AFTER_A_NOUN:
        return None
    return found[0].start(2), found[0].end(2), rule.replace.format(verb=base)


def _propose(point: int, plain: str, markers: Markers) -> Proposal | None:
    rewrites = markers.rewrites
    if point == 2:
        return _will(plain, markers)
    if point in (6, 7):
        return _verb(rewrites.causes if point == 6 else rewrites.future, plain)
    return None
