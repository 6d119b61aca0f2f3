"""A model's quote -> a span of the document, or rejected. Exact after Unicode NFC and white-space folding; never fuzzy.

Both kinds of reviewer answer with a segment and a quote; an empty quote is the whole segment.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from cg_review.document import Document, Segment, SegmentKind, Span
from cg_review.findings import Place, RawFinding, Unanchored

_LINE_PREFIX = re.compile(r"[ \t>]*")


@dataclass(frozen=True, slots=True)
class Anchored:
    """A raw finding with its place: `quote` is what was quoted, `unit` what the finding is about.

    The unit is the whole sentence, heading, cell, row or table that holds the quote.
    """

    raw: RawFinding
    quote: Span
    unit: Span
    related: tuple[Place, ...] = ()


def ground(document: Document, raw: RawFinding) -> Anchored | Unanchored:
    """Find a raw finding in the document."""
    try:
        segment = document.segment(raw.segment)
    except IndexError:
        return _unanchored(raw, f"there is no segment s{raw.segment}")
    spans = find_quotes(document, segment, raw.quote)
    if not spans:
        return _unanchored(raw, "the quote is not in its segment")
    unit = _unit(document, segment, spans[0])
    if raw.point == 4 and segment.table is not None:
        unit = document.tables[segment.table].span  # one finding a table, on the table (POINTS, 4)
    elif any(_unit(document, segment, span) != unit for span in spans[1:]):
        return _unanchored(raw, "the quote fits more than one place of its segment")
    return Anchored(raw, spans[0], unit, _related(document, raw))


def find_quotes(document: Document, segment: Segment, quote: str) -> list[Span]:
    """Every place of `quote` in `segment`: in its Markdown, else in its plain reading."""
    wanted = fold(quote)
    if segment.kind is SegmentKind.FRONTMATTER:
        return [span for _, _, span in document.dates if fold(span.of(document.text)) == wanted]
    if not wanted:
        return [segment.span]
    for text, offsets in (_markdown_reading(document, segment), _plain_reading(segment)):
        found = []
        at = text.find(wanted)
        while at >= 0:
            found.append(Span(offsets[at][0], offsets[at + len(wanted) - 1][1]))
            at = text.find(wanted, at + 1)
        if found:
            return found
    return []


def fold(text: str) -> str:
    """NFC, with every run of white space one blank and none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _markdown_reading(document: Document, segment: Segment) -> tuple[str, list[tuple[int, int]]]:
    """The segment's Markdown without the container prefixes of its lines, folded, with offsets."""
    source, start = segment.span.of(document.text), segment.span.start
    characters: list[tuple[str, int]] = []
    at = 0
    while at < len(source):
        characters.append((source[at], start + at))
        at += 1
        if source[at - 1] in "\r\n" and segment.kind is not SegmentKind.TABLE:
            prefix = _LINE_PREFIX.match(source, at)
            at = prefix.end() if prefix else at
    return _folded(characters)


def _plain_reading(segment: Segment) -> tuple[str, list[tuple[int, int]]]:
    return _folded(list(zip(segment.plain, segment.plain_offsets, strict=True)))


def _folded(characters: list[tuple[str, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Fold white space and compose; for each character of the result, the span of the source it came from."""
    text: list[str] = []
    offsets: list[tuple[int, int]] = []
    at = 0
    while at < len(characters):
        character, offset = characters[at]
        end = at + 1
        if character.isspace():
            while end < len(characters) and characters[end][0].isspace():
                end += 1
            composed = " " if text and end < len(characters) else ""
        else:
            while end < len(characters) and _continues(characters[end][0]):
                end += 1
            composed = unicodedata.normalize("NFC", "".join(c for c, _ in characters[at:end]))
        text.append(composed)
        offsets += [(offset, characters[end - 1][1] + 1)] * len(composed)
        at = end
    return "".join(text), offsets


def _continues(character: str) -> bool:
    """Whether a character can compose with what is before it: combining marks and conjoining jamo."""
    return unicodedata.combining(character) != 0 or "ᅠ" <= character <= "ᇿ"


def _unit(document: Document, segment: Segment, span: Span) -> Span:
    """What a finding quoted at `span` is about."""
    if segment.kind is SegmentKind.FRONTMATTER:
        return span
    if segment.table is None:
        return segment.span
    table = document.tables[segment.table]
    for cell in table.cells(segment.row):
        if cell.span.start < cell.span.end and cell.span.contains(span):
            return cell.span
    return segment.span


def _related(document: Document, raw: RawFinding) -> tuple[Place, ...]:
    """The other sides of a finding that are found; one that is not found is left out."""
    places = []
    for quote in raw.related:
        if not 0 <= quote.segment <= len(document.segments) or (quote.segment == 0 and not document.dates):
            continue
        segment = document.segment(quote.segment)
        spans = find_quotes(document, segment, quote.quote)
        if spans:
            unit = _unit(document, segment, spans[0])
            places.append(Place(span=unit, quote=unit.of(document.text), segment=quote.segment))
    return tuple(places)


def _unanchored(raw: RawFinding, why: str) -> Unanchored:
    return Unanchored(point=raw.point, segment=raw.segment, quote=raw.quote, reason=raw.reason, why=why)
