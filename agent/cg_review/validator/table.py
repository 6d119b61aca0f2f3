"""TB: the claims table of a Source of Truth, a document with a `tier` block."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from cg_review.cgd.headings import Heading, section_end
from cg_review.cgd.nodes import Mapping
from cg_review.cgd.tables import Cell, Row, Table, find_tables
from cg_review.validator.checks import check, real_date
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

REQUIRED = ("claim", "value", "source", "verified")
_GRACE = timedelta(hours=24)


def _is_sot(subject: Subject) -> bool:
    """Whether there is a `tier` block; a `tier` that is no block is E-ST03."""
    return isinstance(subject.node("tier"), Mapping)


def _sections(subject: Subject) -> list[Heading]:
    """The `## Verified Claims` headings that count: outside fences, comments and exclusion blocks."""
    if not _is_sot(subject):
        return []
    return [
        heading
        for heading in subject.headings
        if heading.level == 2
        and " ".join(heading.title.split()).casefold() == "verified claims"
        and not subject.exclusions.holds(heading.start)
    ]


def claims_tables(subject: Subject) -> list[Table]:
    """Return the tables to judge: those with all required columns, else the first one that stands in a section."""
    found: list[Table] = []
    for heading in _sections(subject):
        end = section_end(subject.headings, heading, subject.layout.body.end)
        found += find_tables(
            subject.text,
            heading.end,
            end,
            lambda at: subject.layout.fences.holds(at) or subject.exclusions.holds(at),
        )
    complete = [table for table in found if not _missing(table)]
    return complete or found[:1]


def _columns(table: Table) -> list[str]:
    return [cell.text.casefold() for cell in table.header.cells]


def _missing(table: Table) -> list[str]:
    columns = _columns(table)
    return [name.capitalize() for name in REQUIRED if name not in columns]


@check("E-TB01")
def section(subject: Subject) -> Iterator[Found]:
    """A Source of Truth has no `## Verified Claims` heading outside fences, comments and exclusion blocks."""
    if _is_sot(subject) and not _sections(subject):
        yield Found("a document with a tier needs a section `## Verified Claims`")


@check("E-TB02")
def rows(subject: Subject) -> Iterator[Found]:
    """The section has no table, or its table has no data rows."""
    sections = _sections(subject)
    if sections and not any(table.rows for table in claims_tables(subject)):
        yield Found("the Verified Claims section has no table with rows", sections[0].start)


@check("E-TB03")
def columns(subject: Subject) -> Iterator[Found]:
    """The table lacks one of the columns Claim, Value, Source and Verified."""
    for table in claims_tables(subject):
        if missing := _missing(table):
            yield Found(f"the claims table has no column {', '.join(missing)}", table.header.start)


@check("E-TB04")
def column_order(subject: Subject) -> Iterator[Found]:
    """Claim is not the first column, or Verified not the last."""
    for table in claims_tables(subject):
        names = _columns(table)
        if "claim" in names and names[0] != "claim":
            yield Found("Claim must be the first column", table.header.start)
        elif "verified" in names and names[-1] != "verified":
            yield Found("Verified must be the last column", table.header.start)


@check("E-TB05")
def empty_cells(subject: Subject) -> Iterator[Found]:
    """A cell of a required column is empty, a single `-`, or missing from its row."""
    for number, row, name, cell in _required_cells(subject):
        if cell is None or cell.text in ("", "-"):
            yield Found(
                f"row {number}: {name.capitalize()} is empty", row.start + (cell.start if cell else 0)
            )


@check("E-TB06")
def verified_dates(subject: Subject) -> Iterator[Found]:
    """A cell of the column Verified is not a real day written YYYY-MM-DD, or holds more than that."""
    for number, row, name, cell in _required_cells(subject):
        if name == "verified" and cell and cell.text not in ("", "-") and real_date(cell.text) is None:
            yield Found(
                f"row {number}: Verified must be a real date YYYY-MM-DD, not {shown(cell.text)}",
                row.start + cell.start,
            )


@check("E-TB07")
def verified_not_ahead(subject: Subject) -> Iterator[Found]:
    """A Verified date begins more than 24 hours after now (UTC)."""
    for number, row, name, cell in _required_cells(subject):
        day = real_date(cell.text) if name == "verified" and cell else None
        if day and datetime(day.year, day.month, day.day, tzinfo=UTC) - subject.now > _GRACE:
            yield Found(
                f"row {number}: Verified {day} is in the future", row.start + (cell.start if cell else 0)
            )


def _required_cells(subject: Subject) -> Iterator[tuple[int, Row, str, Cell | None]]:
    """Yield (1-based row, row, column, cell or None) for the required columns of every row."""
    for table in claims_tables(subject):
        columns = [(index, name) for index, name in enumerate(_columns(table)) if name in REQUIRED]
        for number, row in enumerate(table.rows, 1):
            cells = row.cells
            for index, name in columns:
                yield number, row, name, cells[index] if index < len(cells) else None
