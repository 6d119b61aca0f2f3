"""Copies of a document for others: with excluded parts redacted, or as plain text (FORMAT section 6)."""

from __future__ import annotations

from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Splice, splice
from cg_review.cgd.layout import Layout, take_apart
from cg_review.cgd.record import find_record
from cg_review.cgd.seal import seal
from cg_review.errors import DocumentRefused

REDACTED = "[REDACTED]"


def redact(text: str) -> str:
    """The document with one line `[REDACTED]` in each exclusion block, sealed again.

    Raises DocumentRefused where its blocks are malformed: something would stay readable.
    """
    layout = take_apart(text)
    _refuse_malformed(layout)
    blocks = find_exclusions(layout).blocks
    return seal(
        splice(text, [Splice(*block.content, REDACTED + layout.newline) for block in blocks]), computed=True
    )


def plain(text: str, redacted: bool = False) -> str:
    """The body alone: no frontmatter, no HITL record, no end marker; with `redacted`, blocks without their content."""
    layout = take_apart(redact(text) if redacted else text)
    _refuse_malformed(layout)
    record = find_record(layout)
    end = record.span.start if record else layout.body.end
    body = layout.text[layout.body.start : end].strip("\r\n")
    lines = body.split(layout.newline)
    while record and lines and lines[-1].strip() in ("---", ""):  # the rule above the record goes with it
        lines.pop()
    return layout.newline.join(lines).rstrip("\r\n") + layout.newline


def _refuse_malformed(layout: Layout) -> None:
    problems = find_exclusions(layout).problems
    if problems:
        raise DocumentRefused(f"{problems[0].code}: {problems[0].message}")
    if layout.end_marker is None:
        raise DocumentRefused("E-ST06: no end marker; run `cg-review validate` on it")
