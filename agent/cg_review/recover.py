"""The markers and rewrites that an earlier review put into a CGD, found again (FORMAT 12.13, 12.17)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from cg_review.annotate import apply_edits, evidence_bracket, undo_edits
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Frontmatter
from cg_review.cgd.layout import Layout
from cg_review.document import Document, Span, Spans
from cg_review.findings import Claim, Edit
from cg_review.markers import Markers
from cg_review.parse import parse

_HEADING = re.compile(r"[ \t>]*#{1,6}(?:[ \t]|$)|[ \t>]*(?:=+|-+)[ \t]*$")
_CONTAINERS = re.compile(r"[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t>]+)*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_LINE_BEFORE = re.compile(r"(\r\n|\n|\r)[ \t>]*\Z")
_LINE_BEHIND = re.compile(r"(?>\r\n|\n|\r)[ \t>]*(?=\r|\n|\Z)")
_BLANK_BEFORE = re.compile(r"(?<![ \t])[ \t]*((?>\r\n|\n|\r))[ \t>]*(?>\r\n|\n|\r)[ \t>]*\Z")
_BLANK_AFTER = re.compile(r"(?>\r\n|\n|\r)([ \t>]*)(?>\r\n|\n|\r)([ \t>]*)")


def find_edits(
    layout: Layout, frontmatter: Frontmatter, claims: Sequence[Claim], markers: Markers, end: int
) -> tuple[Edit, ...]:
    """The insertions and rewrites of an earlier review, as edits of the source that they were made in."""
    text, body = layout.text, Span(layout.body.start, end)
    reading = parse(text, body, [Span(*block.span) for block in find_exclusions(layout).blocks])
    annotations = _annotations(text, body, reading, frontmatter)
    authors = {start for start, before, after in annotations if before == after}
    changes = _insertions(text, body, reading, claims, markers, authors)
    changes += [
        (Span(start, start + len(after)), before) for start, before, after in annotations if before != after
    ]
    edits, shift, reached = [], 0, 0
    for span, before in sorted(changes):
        if span.start < reached:
            continue
        reached = span.end
        start = span.start + shift
        kind = "rewrite" if before else "insertion"
        edits.append(
            Edit(
                span=Span(start, start + len(before)),
                before=before,
                after=span.of(text),
                finding="",
                kind=kind,
            )
        )
        shift += len(before) - (span.end - span.start)
    return tuple(edits)


def take_back(text: str, edits: Sequence[Edit]) -> str:
    source = undo_edits(text, edits)
    assert apply_edits(source, edits) == text
    return source


def _insertions(
    text: str,
    body: Span,
    reading: Document,
    claims: Sequence[Claim],
    markers: Markers,
    authors: Collection[int],
) -> list[tuple[Span, str]]:
    """Markers and evidence in brackets, each with the white space that came with it; not those of the author."""
    brackets = {evidence_bracket(claim.source) for claim in claims if claim.confirmed_by}
    pattern = re.compile(
        "|".join([markers.pattern.pattern, *map(re.escape, sorted(brackets, key=len, reverse=True))])
    )
    code = Spans(reading.code)
    spans = [
        Span(*match.span())
        for match in pattern.finditer(text, body.start, body.end)
        if match.start() not in authors
        and not code.hold(Span(*match.span()))
        and _is_prose(reading, match.start(), match[0])
    ]
    before_tables = _before_tables(text, reading, spans)
    found: list[tuple[Span, str]] = []
    below_heading = (
        -1,
        0,
    )  # where the last marker of a heading ends, and how deeply it is quoted: the next may follow
    for marker in spans:
        span = before_tables.get(marker) or _with_blanks(text, body, marker, below_heading)
        if text[span.start] in "\r\n":
            below_heading = marker.end, text[_line_start(text, marker.start) : marker.start].count(">")
        found.append((span, ""))
    return found


def _before_tables(text: str, reading: Document, markers: Sequence[Span]) -> dict[Span, Span]:
    """The markers that stand in a paragraph of their own before a table or before another such, with that paragraph."""
    starts = {table.span.start for table in reading.tables}
    found: dict[Span, Span] = {}
    for marker in reversed(markers):
        lead = text[_line_start(text, marker.start) : marker.start]
        after = _BLANK_AFTER.match(text, marker.end)
        if not after or not _CONTAINERS.fullmatch(lead):
            continue
        depth = lead.count(">")
        quoted = after[1] == after[2].rstrip() and after[2].count(">") == depth
        if quoted and after.end() in starts:
            starts.add(marker.start)
            found[marker] = Span(marker.start, after.end())
        elif (
            not after[1] and not depth and after.start(2) in starts
        ):  # a table whose first cell begins with ">"
            starts.add(marker.start)
            found[marker] = Span(marker.start, after.start(2))
    return found


def _is_prose(reading: Document, offset: int, marker: str) -> bool:
    """Whether the marker or bracket at `offset` is read as one: not inline code, and not in a comment."""
    segments = reading.segments
    low = bisect_right(segments, offset, key=lambda segment: segment.span.start)
    for segment in segments[max(0, low - 3) : low]:
        if not segment.span.start <= offset < segment.span.end:
            continue
        if segment.table is not None:
            row = reading.tables[segment.table].cells(segment.row)
            cell = next((cell for cell in row if cell.span.start <= offset < cell.span.end), None)
            if cell is not None:
                every = cell.plain.count(marker.strip("*")) == cell.text.count(marker)
                return every or reading.text.count("`", cell.span.start, offset) % 2 == 0
            continue
        # the first character of a marker is markup, that of a bracket is text
        at = bisect_left(segment.plain_offsets, offset)
        if at < len(segment.plain) and segment.plain_offsets[at] - offset in (0, 1):
            return segment.plain[at] in "(["
    return False


def _with_blanks(text: str, body: Span, marker: Span, below_heading: tuple[int, int]) -> Span:
    """Widen a marker to what the annotation put in with it (annotate, `_placement`)."""
    line_start = _line_start(text, marker.start)
    line_end = _LINE_END.search(text, marker.end, body.end)
    lead, rest = (
        text[line_start : marker.start],
        text[marker.end : line_end.start() if line_end else body.end],
    )
    if lead.strip(" \t>") or rest.strip():
        return Span(marker.start - text.startswith(" ", marker.start - 1), marker.end)
    depth = lead.count(">")
    window = max(body.start, line_start - 400)
    above = _LINE_BEFORE.search(text, window, marker.start)
    if above and _is_heading_end(text, above.start(1), below_heading, depth):
        behind = _LINE_BEHIND.match(text, marker.end)
        return Span(above.start(1), behind.end() if behind else marker.end)
    above = _BLANK_BEFORE.search(text, window, marker.start)
    if above and _is_heading_end(text, above.start(1), below_heading, depth):
        return Span(above.start(1), marker.end)
    after = _BLANK_AFTER.match(text, marker.end)
    return Span(marker.start, after.start(2) if after else marker.end)


def _is_heading_end(text: str, offset: int, below_heading: tuple[int, int], depth: int) -> bool:
    """Whether a heading, or the last marker below one, ends at `offset`, quoted as deeply as the marker."""
    if offset == below_heading[0]:
        return depth == below_heading[1]
    heading = _HEADING.match(text[_line_start(text, offset) : offset])
    return heading is not None and heading[0].count(">") == depth


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


# -- the `annotations` list: what the vocabulary alone does not tell ---------------------------------------------------

Annotation = tuple[int, str, str]
"""Where words start in the annotated text, what stood there before, and the words. Equal words: the author's own."""


def list_annotations(text: str, reading: Document, changes: Sequence[Annotation]) -> list[dict[str, str]]:
    """The entries of `annotations`: section and place among equal words there, before, after (FORMAT 12.17)."""
    starts = section_starts(reading)
    counted: dict[tuple[str, str], tuple[int, int]] = {}  # how often the words were met, and up to where
    listed = []
    for start, before, after in changes:
        index = bisect_right(reading.segments, start, key=lambda segment: segment.span.start) - 1
        slug = reading.sections[reading.segments[max(index, 0)].section].slug
        ordinal, reached = counted.get((slug, after), (0, starts[slug]))
        ordinal += text.count(after, reached, start) + 1
        counted[slug, after] = ordinal, start + len(after)
        listed.append({"location": f"{slug}/{ordinal}", "before": before, "after": after})
    return listed


def _annotations(text: str, body: Span, reading: Document, frontmatter: Frontmatter) -> list[Annotation]:
    """Find the entries of `annotations` in the text; one whose words are gone is left out."""
    listed = frontmatter.data.get("annotations")
    starts = section_starts(reading)
    ends = dict(zip(starts, [*list(starts.values())[1:], body.end], strict=False))
    found: list[Annotation] = []
    reached: dict[tuple[str, str], tuple[int, int]] = {}
    for entry in listed if isinstance(listed, list) else []:
        fields = entry if isinstance(entry, dict) else {}
        slug, _, ordinal = str(fields.get("location") or "").rpartition("/")
        before, after = fields.get("before"), fields.get("after")
        if not (isinstance(before, str) and isinstance(after, str)) or not after:
            continue
        if slug not in starts or not ordinal.isdigit():
            continue
        count, at = reached.get((slug, after), (0, starts[slug]))
        start = -1
        while count < int(ordinal) and (start := text.find(after, at, ends[slug])) >= 0:
            count, at = count + 1, start + len(after)
        reached[slug, after] = count, at
        if start >= 0:
            found.append((start, before, after))
    return found


def own_markers(reading: Document, markers: Markers) -> list[int]:
    """Where the author of a source wrote a marker of our vocabulary: it is theirs, and stays."""
    text, body, code = reading.text, reading.body, Spans(reading.code)
    return [
        match.start()
        for match in markers.pattern.finditer(text, body.start, body.end)
        if not code.hold(Span(*match.span())) and _is_prose(reading, match.start(), match[0])
    ]


def matched(markers: Markers, text: str, offset: int) -> str:
    """The marker that stands at `offset`, or nothing."""
    match = markers.pattern.match(text, offset)
    return match[0] if match else ""


def section_starts(document: Document) -> dict[str, int]:
    """Where the first segment of each section starts, by slug, in document order; a section without one is left out."""
    starts: dict[str, int] = {}
    for segment in document.segments:
        starts.setdefault(document.sections[segment.section].slug, segment.span.start)
    return starts
