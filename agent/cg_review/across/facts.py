"""The facts of a document that another one can contradict, from its sentences, list items and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cg_review.across.cells import cell_statements
from cg_review.across.counts import counts
from cg_review.across.frames import frames
from cg_review.across.scope import Scope, cases_of, page_of
from cg_review.across.statements import Statement, readable, statements
from cg_review.across.values import Value
from cg_review.across.versions import versions
from cg_review.across.words import Stems, stems_of
from cg_review.document import Document, Segment, SegmentKind
from cg_review.reviewers.embedded.quantities import writes_decimal_comma

Key = tuple[str, ...]
_PROSE = (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
_LONGEST = 240  # characters of a sentence that can be taken in as one statement


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement in its place: facts with one `key` whose values disagree contradict each other.

    `cases` is what headings bind it to; facts of different cases are never compared. `named`: it needs no document to say
    what it is about. `line` and `column` count from 1.
    """

    key: Key
    cases: Stems
    value: Value
    subject: str
    written: str
    quote: str
    line: int
    column: int
    named: bool
    filled_in: bool


def find_facts(document: Document, scope: Scope) -> Iterator[Fact]:
    """The facts of a document: those of its prose in order, then those of its tables."""
    told = [s for s in document.segments if s.kind in _PROSE and not s.quoted]
    comma = writes_decimal_comma(segment.plain for segment in told)
    for segment in told:
        plain = " ".join(readable(segment.plain, segment.text).split())
        if len(plain) > _LONGEST:
            continue
        stated_here = [*counts(plain, comma), *statements(plain, comma), *versions(plain)] or frames(
            plain, comma
        )
        for stated in stated_here:
            yield from _placed(document, scope, segment, stated, segment.span.of(document.text))
    for table in document.tables:
        heading = document.section_path(document.segments[table.segment - 1].section)
        title = stems_of(" ".join(section.title for section in heading))
        for stated, row, cell in cell_statements(table, comma, title):
            segment = document.segment(table.row_segments[row])
            first = table.rows[row][0].text.strip()
            header = next(h for h, c in zip(table.header, table.rows[row], strict=False) if c is cell)
            quote = f"{first} | {header.text.strip()}: {cell.text.strip()}"
            yield from _placed(document, scope, segment, stated, quote, cell.span.start)


def _placed(
    document: Document, scope: Scope, segment: Segment, stated: Statement, quote: str, at: int | None = None
) -> Iterator[Fact]:
    subject = stated.subject
    if stated.of_page:
        page = page_of(document, segment.section, scope)
        of_item = segment.list_depth > 1 or document.block_segments(segment)[0] is not segment
        if of_item or (not page and stated.aspect != "count"):
            return
        subject = (*page, *subject)
    cases = cases_of(document, segment.section, scope.path)
    if stated.value.kind == "date":
        cases = tuple(case for case in cases if not case.isdigit())
    line, column = document.position(segment.span.start if at is None else at)
    key = (stated.aspect, *subject, "|", *stated.scope)
    words = f"{stated.words} ({scope.name})" if stated.of_page else stated.words
    cases = tuple(case for case in cases if case not in subject)
    yield Fact(
        key, cases, stated.value, words, stated.written, quote, line, column, stated.named, stated.filled_in
    )
