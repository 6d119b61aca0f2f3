"""PL, FM: limits. Three keep the program safe and are always on; the others are RFC-004's, a profile."""

from __future__ import annotations

from collections.abc import Iterator

from cg_review.cgd.layout import line_end, next_line
from cg_review.cgd.nodes import Scalar
from cg_review.cgd.tables import Table, find_tables
from cg_review.cgd.writer import KEY_ORDER
from cg_review.validator.checks import check, is_null, is_unknown
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

MAX_BYTES = 10 * 1024 * 1024
MAX_FENCE = 1_000
MAX_ESCAPES = 100
MAX_CELLS = 1_000
MAX_CLAIMS = 500
KNOWN_KEYS = frozenset(
    (*KEY_ORDER, "tier", "annotations", "source-frontmatter", "chunk-context", "chunk-context-sections")
)


@check("E-PL06")
def too_large(subject: Subject) -> Iterator[Found]:
    """The document has more than 10 × 1024 × 1024 bytes. It is not read, so this is all that is said about it."""
    return iter(())  # told by the engine, before there is a subject


@check("E-PL07")
def too_deep(subject: Subject) -> Iterator[Found]:
    """The frontmatter nests collections deeper than 20 levels."""
    yield from (Found(one.message, one.offset) for one in subject.frontmatter.problems if one.kind == "depth")


@check("E-PL08")
def anchors(subject: Subject) -> Iterator[Found]:
    """The frontmatter uses YAML anchors or aliases, which can make a short text expand without end."""
    yield from (
        Found(one.message, one.offset) for one in subject.frontmatter.problems if one.kind == "anchor"
    )


@check("E-PL01")
def unclosed_fence(subject: Subject) -> Iterator[Found]:
    """A code fence is never closed, so the rest of the document is code."""
    if subject.layout.fences.unclosed is not None:
        yield Found("this fence is never closed", subject.layout.fences.unclosed)


@check("W-PL02")
def long_fence(subject: Subject) -> Iterator[Found]:
    """A code fence holds more than 1,000 characters. Nothing is cut."""
    for start, end in subject.layout.fences.spans:
        inside = end - next_line(subject.text, start)
        inside -= 0 if end == len(subject.text) else end - _last_line(subject.text, start, end)
        if inside > MAX_FENCE:
            yield Found(f"this fence holds {inside} characters, RFC-004 allows {MAX_FENCE}", start)


def _last_line(text: str, start: int, end: int) -> int:
    return max(text.rfind("\n", start, end), text.rfind("\r", start, end)) + 1


@check("W-PL03")
def many_escapes(subject: Subject) -> Iterator[Found]:
    """A table cell holds more than 100 backslash escapes."""
    for table in _tables(subject):
        for row in (table.header, *table.rows):
            for cell in row.cells:
                if cell.text.count("\\") > MAX_ESCAPES:
                    yield Found(f"this cell holds more than {MAX_ESCAPES} escapes", row.start + cell.start)


@check("E-PL04")
def large_table(subject: Subject) -> Iterator[Found]:
    """A table has more than 1,000 cells, its header counted. The record's table, which the format asks for, may."""
    record = subject.record.span if subject.record else (0, 0)
    for table in _tables(subject):
        cells = sum(len(row.cells) for row in (table.header, *table.rows))
        if cells > MAX_CELLS and not record[0] <= table.header.start < record[1]:
            yield Found(f"this table has {cells} cells, RFC-004 allows {MAX_CELLS}", table.header.start)


def _tables(subject: Subject) -> list[Table]:
    return find_tables(subject.text, *subject.layout.body, subject.layout.fences.holds)


@check("W-PL09")
def many_claims(subject: Subject) -> Iterator[Found]:
    """The document lists more than 500 claims."""
    if len(subject.claims) > MAX_CLAIMS:
        yield Found(
            f"{len(subject.claims)} claims, RFC-004 expects at most {MAX_CLAIMS}",
            subject.place("hitl-claims"),
        )


@check("E-FM10")
def hash_on_one_line(subject: Subject) -> Iterator[Found]:
    """The value of `document-sha256` does not stand on the line of its key."""
    key, node = subject.frontmatter.key("document-sha256"), subject.node("document-sha256")
    if key is None or is_null(node) or is_unknown(node) or node is None:
        return
    block = isinstance(node, Scalar) and node.style in ("|", ">")
    if block or node.end > line_end(subject.text, key.start):
        yield Found("document-sha256 must stand on one line", key.start)


@check("W-FM11")
def unknown_key(subject: Subject) -> Iterator[Found]:
    """The frontmatter has a key that neither the format nor this program defines."""
    if any(one.kind == "anchor" for one in subject.frontmatter.problems):
        return  # helper keys of anchors go with them
    for entry in subject.frontmatter.root.entries:
        name = entry.key.text if isinstance(entry.key, Scalar) else "(no name)"
        if name not in KNOWN_KEYS:
            yield Found(f"unknown key {shown(name)}", entry.key.start)
