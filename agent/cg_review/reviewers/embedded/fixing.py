"""A finding's fix: a text that the author can paste as it is, and that says no more than the document does.

A pattern has a text of its own (`fix`) or its point has some (`paste`); the first is given that can be made for the place
and by which the point falls silent there. The last resort is the marker that the annotation would write.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cg_review.document import Segment, SegmentKind, Span
from cg_review.findings import RawFinding
from cg_review.grounding import Anchored, ground
from cg_review.keys import keys_of
from cg_review.markers import Markers
from cg_review.points import Point, names_in
from cg_review.reviewers.embedded.analysis import LONGEST, Analysis, Reading
from cg_review.reviewers.embedded.matching import PatternTimeout, lower
from cg_review.reviewers.embedded.swapping import folded, within_fences
from cg_review.rewrites import propose

LONGEST_FIX = 1000
"""Characters of a fix; nobody pastes a longer one, and reports show no more."""

_TASK = re.compile(r"\[[ xX]\]\s")
_MARKED = "{body} {marker}{stop}"
_PAST = {"is": "was", "are": "were", "am": "was"}
_ELSEWHERE = frozenset({5, 8})
"""Points that a sentence does not show by itself, so that no other wording of it can be tried alone."""


@dataclass(frozen=True, slots=True)
class _Wording:
    """What a text can name, as Markdown and as a reader sees it."""

    written: Mapping[str, str]
    plain: Mapping[str, str]


class Fixer:
    """Writes the fixes of findings. `points` and `markers` are those in force."""

    def __init__(self, points: Mapping[int, Point], markers: Markers) -> None:
        self.points, self.markers = points, markers

    def fixed(self, finding: RawFinding, analysis: Analysis) -> RawFinding:
        """The finding with a fix to paste; as it is where it has one, where it gives advice, or where none can be made."""
        if finding.fix_place == "instead" and len(finding.fix) <= LONGEST_FIX:
            return finding  # it was made where the right figure was known
        advice = finding.fix and not names_in(finding.fix)
        anchored = None if advice or not finding.segment else ground(analysis.document, finding)
        if not isinstance(anchored, Anchored):
            return finding
        segment, point = analysis.document.segment(finding.segment), self.points[finding.point]
        is_table = segment.table is not None and analysis.document.tables[segment.table].span == anchored.unit
        if is_table or finding.fix_place == "above":
            caption = point.caption or self.markers.marker(point.id, finding.kind, table=True)
            return finding.model_copy(update=_above(caption, segment, analysis))
        text = self._instead(finding, segment, anchored.unit, analysis)
        if text is None:
            marker = self.markers.marker(point.id, finding.kind)
            return finding.model_copy(update={"fix": f'Mark it with "{marker}", or say it in fewer words.'})
        return finding.model_copy(update={"fix": text, "fix_place": "instead"})

    def is_passed_over(self, finding: RawFinding, analysis: Analysis) -> bool:
        """Whether the text that a finding's pattern brings could be pasted here, but the point would speak again: another is
        given then."""
        anchored = ground(analysis.document, finding) if names_in(finding.fix) else None
        if not isinstance(anchored, Anchored):
            return False
        segment = analysis.document.segment(finding.segment)
        unit = within_fences(analysis.document.text, anchored.unit)
        wording = self._wording(finding, segment, unit, analysis)
        own = next(self._templates(finding.fix, (), segment, wording))
        return own == finding.fix and not self._settles(own, wording, finding.point, segment, analysis)

    def _instead(self, finding: RawFinding, segment: Segment, unit: Span, analysis: Analysis) -> str | None:
        point = self.points[finding.point]
        text, inner = analysis.document.text, within_fences(analysis.document.text, unit)
        before, after = text[unit.start : inner.start], text[inner.end : unit.end]
        wording = self._wording(finding, segment, inner, analysis)
        for template in self._templates(finding.fix, point.paste, segment, wording):
            fix = before + template.format(**wording.written) + after
            if len(fix) <= LONGEST_FIX and self._settles(template, wording, point.id, segment, analysis):
                return fix
        return None

    def _settles(
        self, template: str, wording: _Wording, point: int, segment: Segment, analysis: Analysis
    ) -> bool:
        """Whether the point falls silent on a sentence worded by `template`, as far as the sentence alone can tell."""
        if point in _ELSEWHERE or segment.table is not None or template == _MARKED:
            return True
        return _is_silent(template, wording.plain, segment, analysis, self.points[point].silent_on)

    def _templates(
        self, own: str, paste: Sequence[str], segment: Segment, wording: _Wording
    ) -> Iterator[str]:
        """The texts that can be made here. In a table nothing can stand before the cell's or the row's own, nor before the box
        of a task, and no sentence goes on behind a stop in its emphasis."""
        is_task = bool(_TASK.match(wording.written["sentence"]))
        is_over = wording.plain["body"].rstrip().endswith((".", "!", "?"))
        for template in (*([own] if own else []), *paste, _MARKED):
            in_place = template.startswith("{body}") or (segment.table is None and not is_task)
            goes_on = is_over and template.startswith("{body},")
            if in_place and not goes_on and names_in(template) <= wording.written.keys():
                yield template

    def _wording(self, finding: RawFinding, segment: Segment, unit: Span, analysis: Analysis) -> _Wording:
        text = analysis.document.text
        at = min(max(_insertion(segment, unit, analysis), unit.start), unit.end)
        cut = bisect_left(segment.plain_offsets, at)
        marker = self.markers.marker(finding.point, finding.kind)
        written = {
            "sentence": folded(unit.of(text)),
            "body": folded(text[unit.start : at]),
            "stop": folded(text[at : unit.end]),
            "marker": marker,
        }
        plain = {
            "sentence": segment.plain,
            "body": segment.plain[:cut],
            "stop": segment.plain[cut:],
            "marker": marker,
        }
        if analysis.own_date is not None:
            written["own_date"] = plain["own_date"] = analysis.own_date.isoformat()
        proposal = self._rewrite(finding.point, segment, text)
        if proposal:
            start, end, words = proposal
            span = segment.source_of(start, end)
            written["rewritten"] = folded(text[unit.start : span.start] + words + text[span.end : unit.end])
            plain["rewritten"] = segment.plain[:start] + words + segment.plain[end:]
        return _Wording(written, plain)

    def _rewrite(self, point: int, segment: Segment, text: str) -> tuple[int, int, str] | None:
        """The small rewrite of the annotation; for a day that has passed, in the past."""
        if segment.kind not in {SegmentKind.SENTENCE, SegmentKind.LIST_ITEM}:
            return None
        proposal = propose(2 if point == 8 else point, segment.plain, self.markers)
        if proposal is None:
            return None
        start, end, words = proposal
        if segment.source_of(start, end).of(text) != segment.plain[start:end] or any(
            segment.styled[start:end]
        ):
            return None
        be, _, rest = words.partition(" ")
        return (start, end, f"{_PAST[be]} {rest}") if point == 8 else proposal

    def is_marked(self, finding: RawFinding, analysis: Analysis) -> bool:
        """Whether a marker stands on the sentence, the cell or the row, or this point's above the table: its author's."""
        if not finding.segment:
            return False
        reading = analysis.readings[finding.segment - 1]
        table = reading.segment.table
        if table is None:
            return analysis.has("marked", reading)
        first = analysis.document.tables[table].segment
        above = analysis.readings[first - 2] if first > 1 else None
        marker = self.markers.marker(finding.point, finding.kind, table=True).strip("*")
        if above is not None and above.segment.section == reading.segment.section and marker in above.lower:
            return True
        return reading.segment.number != first and analysis.has("marked", reading)


def _above(caption: str, segment: Segment, analysis: Analysis) -> dict[str, str]:
    """The fix of a table: its caption behind the marks of the list or the quote that the table stands in.

    In a quote, which an empty line would end, the line between is part of it.
    A table that opens a list's item has no line above it in the item, so that it gets advice.
    """
    text, start = analysis.document.text, analysis.document.tables[segment.table or 0].span.start
    container = text[max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1 : start]
    if container.strip(" \t>"):
        return {"fix": f'Begin the item with "{caption}" and set the table below it, a blank line between.'}
    blank = "\n" + container.rstrip() if ">" in container else ""
    return {"fix": container + caption + blank, "fix_place": "above"}


def _insertion(segment: Segment, unit: Span, analysis: Analysis) -> int:
    """Where a marker stands in `unit`: before the sentence's stop, at the end of a cell."""
    if segment.table is not None:
        for cell in analysis.document.tables[segment.table].cells(segment.row):
            if cell.span == unit:
                return cell.insertion
    return segment.insertion


def _is_silent(
    template: str, plain: Mapping[str, str], segment: Segment, analysis: Analysis, silent_on: Sequence[str]
) -> bool:
    """Whether each clause of the sentence, worded by `template`, has a trait that silences the point."""
    text = lower(template.format(**plain).replace("*", "")[:LONGEST])
    reading = Reading(segment, text, keys_of(text))
    try:
        return all(analysis.silenced(reading, clause, silent_on) for clause in reading.clauses)
    except PatternTimeout:  # of a user's own trait; the marker needs no proof
        return False
