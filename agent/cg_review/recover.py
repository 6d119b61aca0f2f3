"""The markers and rewrites that an earlier review put into a CGD, found again (FORMAT 12.13, 12.17)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from cg_review.annotate import apply_edits, evidence_bracket, undo_edits
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Frontmatter
from cg_review.cgd.layout import Layout
from cg_review.document import Document, Span
from cg_review.findings import Claim, Edit
from cg_review.markers import Markers
from cg_review.parse import parse

_HEADING = re.compile(r"[ \t>]*#{1,6}(?:[ \t]|$)|[ \t>]*(?:=+|-+)[ \t]*$")


def find_edits(
    layout: Layout, frontmatter: Frontmatter, claims: Sequence[Claim], markers: Markers, end: int
) -> tuple[Edit, ...]:
    """The insertions and rewrites of an earlier review, as edits of the source that they were made in."""
    text, body = layout.text, Span(layout.body.start, end)
    reading = parse(text, body, [Span(*block.span) for block in find_exclusions(layout).blocks])
    changes = _insertions(text, body, reading, claims, markers)
    changes += _rewrites(text, body, reading, frontmatter)
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
    text: str, body: Span, reading: Document, claims: Sequence[Claim], markers: Markers
) -> list[tuple[Span, str]]:
    """Markers and evidence in brackets, each with the white space that came with it."""
    brackets = {evidence_bracket(claim.source) for claim in claims if claim.confirmed_by}
    pattern = re.compile(
        "|".join([markers.pattern.pattern, *map(re.escape, sorted(brackets, key=len, reverse=True))])
    )
    found = []
    for match in pattern.finditer(text, body.start, body.end):
        if not _is_prose(reading, match.start(), match[0]):
            continue
        found.append((_with_blanks(text, body, Span(*match.span())), ""))
    return found


def _is_prose(reading: Document, offset: int, marker: str) -> bool:
    """Whether a marker at `offset` is read as one: not inside code, a comment or an exclusion block."""
    if any(span.start <= offset < span.end for span in reading.code):
        return False
    segments = reading.segments
    low = bisect_right(segments, offset, key=lambda segment: segment.span.start)
    words = marker.strip("*").replace("\\", "")
    return any(
        segment.span.start <= offset <= segment.span.end and words in segment.plain.replace("\\", "")
        for segment in segments[max(0, low - 3) : low]
    )


def _with_blanks(text: str, body: Span, marker: Span) -> Span:
    """Widen a marker to what the annotation put in with it (annotate, `_placement`)."""
    line_start = max(text.rfind("\n", 0, marker.start), text.rfind("\r", 0, marker.start)) + 1
    lead = text[line_start : marker.start]
    line_end = next((i for i in range(marker.end, body.end) if text[i] in "\r\n"), body.end)
    if lead.strip(" \t>") or text[marker.end : line_end].strip():
        return Span(marker.start - text[: marker.start].endswith(" "), marker.end)
    blank = re.compile(r"[ \t]*(\r\n|\n|\r)([ \t>]*)(\r\n|\n|\r)([ \t>]*)\Z")
    before = blank.search(text, max(body.start, line_start - 400), marker.start)
    if before:
        heading_start = max(text.rfind("\n", 0, before.start()), text.rfind("\r", 0, before.start())) + 1
        if _HEADING.match(text[heading_start : before.start()]):
            return Span(before.start(1), marker.end)
    after = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)[ \t>]*").match(text, marker.end)
    return Span(marker.start, after.end() if after else marker.end)


def _rewrites(text: str, body: Span, reading: Document, frontmatter: Frontmatter) -> list[tuple[Span, str]]:
    """The rewrites that the `annotations` list records, found by section and wording."""
    listed = frontmatter.data.get("annotations")
    starts = section_starts(reading)
    ends = dict(zip(starts, [*list(starts.values())[1:], body.end], strict=True))
    found: list[tuple[Span, str]] = []
    reached: dict[tuple[str, str], tuple[int, int]] = {}  # how often the words were met, and up to where
    for entry in listed if isinstance(listed, list) else []:
        if not isinstance(entry, dict):
            continue
        slug, _, ordinal = str(entry.get("location") or "").rpartition("/")
        before, after = entry.get("before"), entry.get("after")
        if not (
            isinstance(before, str)
            and isinstance(after, str)
            and after
            and ordinal.isdigit()
            and slug in starts
        ):
            continue
        count, at = reached.get((slug, after), (0, starts[slug]))
        start = at
        while count < int(ordinal) and (start := text.find(after, at, ends[slug])) >= 0:
            count, at = count + 1, start + len(after)
        reached[slug, after] = count, at
        if start >= 0 and count == int(ordinal):
            found.append((Span(start, start + len(after)), before))
    return found


def section_starts(document: Document) -> dict[str, int]:
    """Where the first segment of each section starts, by slug, in document order; a section without one is left out."""
    starts: dict[str, int] = {}
    for segment in document.segments:
        starts.setdefault(document.sections[segment.section].slug, segment.span.start)
    return starts
