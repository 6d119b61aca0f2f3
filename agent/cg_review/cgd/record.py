"""The `## HITL Verification Record` of a document: found, and written (FORMAT section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from cg_review.cgd.headings import Heading, find_headings, normalised, section_end
from cg_review.cgd.layout import Layout, Span, line_end, take_apart
from cg_review.cgd.tables import Row, escape_cell, find_tables, iter_lines

TITLE = "HITL Verification Record"
ROUND_A = "Round A: Derived Data Confirmation"
ROUND_B = "Round B: True HITL Verification"
_BULLET = re.compile(r" {0,3}[-*+][ \t]+\S")


class RecordedClaim(Protocol):
    """What a record shows of a claim. A claim without `confirmed_by` is pending."""

    @property
    def text(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def round(self) -> str: ...
    @property
    def confirmed_by(self) -> str | None: ...
    @property
    def confirmed_date(self) -> str | None: ...


class Record(NamedTuple):
    """A record section: its span (heading line included), its rounds, Round A's bullets and Round B's table rows."""

    heading: Heading
    span: Span
    round_a: Heading | None
    round_b: Heading | None
    bullets: list[Span]
    rows: list[Row]


def find_record(layout: Layout, headings: Sequence[Heading] | None = None) -> Record | None:
    """Return the record of a document, the last one where there are several, or None."""
    every = list(find_headings(layout) if headings is None else headings)
    titled = [heading for heading in every if heading.level == 2 and normalised(heading.title) == TITLE]
    if not titled:
        return None
    heading = titled[-1]
    end = section_end(every, heading, layout.body.end)
    inside = [other for other in every if heading.start < other.start < end]
    round_a, round_b = _round(inside, "A"), _round(inside, "B")
    bullets = _bullets(layout, round_a, _end(inside, round_a, end)) if round_a else []
    rows: list[Row] = []
    if round_b:
        tables = find_tables(layout.text, round_b.end, _end(inside, round_b, end), layout.fences.holds)
        rows = [row for table in tables for row in table.rows]
    return Record(heading, Span(heading.start, end), round_a, round_b, bullets, rows)


def _round(headings: list[Heading], letter: str) -> Heading | None:
    title = re.compile(rf"Round {letter}\b")
    return next((one for one in headings if one.level == 3 and title.match(normalised(one.title))), None)


def _end(headings: list[Heading], heading: Heading | None, end: int) -> int:
    return section_end(headings, heading, end) if heading else end


def _bullets(layout: Layout, heading: Heading, end: int) -> list[Span]:
    lines = iter_lines(layout.text, heading.end, end)
    return [
        Span(offset, offset + len(line))
        for offset, line in lines
        if _BULLET.match(line) and not layout.fences.holds(offset)
    ]


def render_record(claims: Iterable[RecordedClaim], newline: str = "\n") -> str:
    """Return the record section for `claims`, from its heading to its last line's ending; "" where there are none."""
    every = list(claims)
    if not every:
        return ""
    lines = [f"## {TITLE}", ""]
    first = [claim for claim in every if claim.round == "A"]
    second = [claim for claim in every if claim.round != "A"]
    if first:
        lines += [f"### {ROUND_A}", *(bullet(claim) for claim in first), ""]
    if second:
        lines += [
            f"### {ROUND_B}",
            "| # | Claim | Status | Verified By | Date |",
            "|---|-------|--------|-------------|------|",
        ]
        lines += [row(number, claim) for number, claim in enumerate(second, 1)] + [""]
    return newline.join(lines)


def bullet(claim: RecordedClaim) -> str:
    """Return the line of a Round A claim."""
    return f"- {inert(claim.text)} ({inert(claim.source)}) {'✓' if claim.confirmed_by else '⏳ pending'}"


def row(number: int, claim: RecordedClaim) -> str:
    """Return the line of a Round B claim."""
    if claim.confirmed_by:
        cells = ["✓ Confirmed", _cell(claim.confirmed_by), _cell(claim.confirmed_date or "—")]
    else:
        cells = ["⏳ Pending", "—", "—"]
    return f"| {number} | {_cell(claim.text)} | {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return escape_cell(inert(text))


def inert(text: str) -> str:
    """Return `text` on one line, unable to open or close a comment, an end marker or an exclusion block."""
    flat = " ".join(text.split())
    return flat.replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def add_to_record(text: str, claim: RecordedClaim) -> str:
    """Return a document whose record also shows a pending Round B claim; a record is added where there is none."""
    layout = take_apart(text)
    record = find_record(layout)
    newline = layout.newline
    if record is None:
        place, before = layout.body.end, "" if _ends_blank(layout) else newline
        added = before + newline.join(["---", "", render_record([claim], newline), ""])
    elif record.rows:
        place = line_end(text, record.rows[-1].start)
        added = newline + row(len(record.rows) + 1, claim)
    else:
        place = _round_b_place(layout, record)
        section = render_record([claim], newline).split(newline, 2)[2]
        added = section if record.round_b is None else newline + section.split(newline, 1)[1].rstrip("\r\n")
    return text[:place] + added + text[place:]


def _ends_blank(layout: Layout) -> bool:
    body = layout.body_text.replace("\r\n", "\n").replace("\r", "\n")
    return body.endswith("\n\n") or not body


def _round_b_place(layout: Layout, record: Record) -> int:
    """Behind an empty Round B's heading, or where the record ends, without the blank lines before the end marker."""
    return record.round_b.end if record.round_b else record.span.end
