"""Lossless edits of an answered CGD: its body, its claims, the record's rows, the statuses. The caller seals.

Each takes a text and gives a text; every byte it is not about stays (FORMAT section 2, case C01).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cg_review.annotate import apply_edits
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Frontmatter, Splice, read_frontmatter, splice
from cg_review.cgd.layout import Layout, Span, line_end, line_start, take_apart
from cg_review.cgd.record import Record, add_to_record, bullet, find_record, render_record, row
from cg_review.cgd.tables import split_row
from cg_review.cgd.writer import claim_fields
from cg_review.draft import annotations_of
from cg_review.findings import Claim, Edit
from cg_review.markers import Markers
from cg_review.origin import Origin
from cg_review.points import ALL_POINTS
from cg_review.state import parse_points

OUR_NAME = re.compile(r"cg-review \S+ \(.*\)")
"""`processed-by` as the tool itself writes it: the person who ends a review is added to that, and to nothing else."""


def with_body(origin: Origin, source: str, edits: Sequence[Edit], markers: Markers) -> str:
    """The document with the body that `edits` make of `source`, and its rewrites recorded."""
    annotated = apply_edits(source, edits)
    end = len(apply_edits(origin.source, origin.edits))
    body = Splice(origin.body.start, end, annotated[origin.body.start :])
    frontmatter = read_frontmatter(origin.layout)
    listed = annotations_of(source, origin.body.start, edits, annotated, markers)
    return splice(
        origin.text,
        [*_annotations(frontmatter, listed), body],
    )


def _annotations(frontmatter: Frontmatter, rewrites: list[dict[str, str]]) -> list[Splice]:
    """Where the recorded rewrites change: entries that went, with the ordinals that follow from that, else the list."""
    current = frontmatter.data.get("annotations")
    if current is None or current == rewrites:
        return [] if current is not None or not rewrites else [frontmatter.insert("annotations", rewrites)]
    if not rewrites:
        return [frontmatter.delete(("annotations",))]
    return [frontmatter.set(("annotations",), rewrites)]


# -- claims and the record -----------------------------------------------------------------------------------------


def with_claims(text: str, changed: Mapping[int, Claim]) -> str:
    """Write what changed of claims, given by their place in `hitl-claims`, there and in the record."""
    frontmatter = read_frontmatter(text)
    edits = [edit for index, claim in changed.items() for edit in _claim_edits(frontmatter, index, claim)]
    return _with_rows(splice(text, edits), changed)


def _claim_edits(frontmatter: Frontmatter, index: int, claim: Claim) -> list[Splice]:
    path = ("hitl-claims", index)
    fields = claim_fields(claim)
    edits = []
    for key in ("source", "confirmed-by", "confirmed-date", "location", "value"):
        present, value = frontmatter.node(*path, key) is not None, fields.get(key)
        if value is None:
            edits += [frontmatter.delete((*path, key))] if present and key.startswith("confirmed") else []
        elif not present:
            edits.append(frontmatter.insert(key, value, path=path))
        elif frontmatter.text(*path, key) != value:
            edits.append(frontmatter.set((*path, key), value))
    return edits


def _with_rows(text: str, changed: Mapping[int, Claim]) -> str:
    layout = take_apart(text)
    rounds = [item.get("round") for item in _listed(read_frontmatter(layout))]
    record = find_record(layout)
    if record is None or not _matches(record, rounds):
        return text
    edits = []
    for index, claim in changed.items():
        number = rounds[:index].count(rounds[index])
        if claim.round == "A":
            edits.append(_bullet_edit(layout, record.bullets[number], claim))
        else:
            edits.append(_row_edit(layout, record.rows[number].start, number, claim))
    return splice(text, edits)


def _matches(record: Record, rounds: Sequence[object]) -> bool:
    """Whether each claim has its own line in the record."""
    return len(record.bullets) == rounds.count("A") and len(record.rows) == rounds.count("B")


def _row_edit(layout: Layout, start: int, number: int, claim: Claim) -> Splice:
    """New Status, Verified By and Date in a row of Round B; its number and its words stay as they are."""
    end = line_end(layout.text, start)
    line = layout.text[start:end]
    old, new = split_row(line), split_row(row(number + 1, claim))
    if len(old) != len(new):
        return Splice(start, end, row(number + 1, claim))
    parts, position = [], 0
    for before, after in list(zip(old, new, strict=True))[2:]:
        parts += [line[position : before.start], after.text]
        position = before.start + len(before.text)
    return Splice(start, end, "".join(parts) + line[position:])


def _bullet_edit(layout: Layout, span: Span, claim: Claim) -> Splice:
    line = layout.text[slice(*span)]
    lead = re.match(r"\s*[-*+]\s+", line)
    assert lead is not None
    return Splice(*span, lead[0] + bullet(claim).removeprefix("- ") + line[len(line.rstrip()) :])


def with_claim_added(text: str, claim: Claim) -> str:
    """Add a pending Round B claim to the list and the record."""
    frontmatter = read_frontmatter(text)
    return add_to_record(splice(text, [frontmatter.append(("hitl-claims",), claim_fields(claim))]), claim)


def without_claims(text: str, gone: Iterable[int], left: Sequence[Claim]) -> str:
    """Take claims out of the list; the record is written again for those that are `left`, or goes with the last one."""
    for index in sorted(gone, reverse=True):
        frontmatter = read_frontmatter(text)
        text = splice(text, [frontmatter.delete(("hitl-claims", index))])
    layout = take_apart(text)
    record = find_record(layout)
    if record is None:
        return text
    newline = layout.newline
    rendered = render_record(left, newline)
    end = layout.body.end
    start = record.span.start
    if not rendered:  # with the record goes the rule above it
        rule = re.search(r"(?<![^\r\n])---[ \t]*(?:\r\n|\r|\n)\s*\Z", text[layout.body.start : start])
        start = layout.body.start + rule.start() if rule else start
    return text[:start] + (rendered + newline if rendered else "") + text[end:]


def _listed(frontmatter: Frontmatter) -> list[dict[str, object]]:
    listed = frontmatter.data.get("hitl-claims")
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


# -- statuses ----------------------------------------------------------------------------------------------------------


def declared_points(frontmatter: Frontmatter) -> tuple[int, ...]:
    """The points that a document says it passes; none where that cannot be read."""
    try:
        return parse_points(frontmatter.text("points-passed") or "")
    except ValueError:
        return ()


def with_status(text: str, clarity: str, hitl: str, points: str, by: str = "") -> str:
    """Write the statuses, in the frontmatter and behind the end marker. `by` is the person who ended the review."""
    frontmatter = read_frontmatter(text)
    values = {"clarity-status": clarity, "hitl-status": hitl}
    if parse_points(points) == ALL_POINTS and declared_points(frontmatter) != ALL_POINTS:
        values["points-passed"] = points
    author = frontmatter.text("processed-by") or ""
    if by and OUR_NAME.fullmatch(author):
        values["processed-by"] = f"{author} + {by}"
    edits = [
        frontmatter.set((key,), value) for key, value in values.items() if frontmatter.text(key) != value
    ]
    line = frontmatter.layout.status_line
    if line is not None:
        kept = text[line.end :]
        edits.append(Splice(line.start, len(text) - len(kept), f"Clarity Gate: {clarity} | {hitl}"))
    return splice(text, edits)


def with_exceptions(text: str, reason: str) -> str:
    """Write what exclusion blocks require: reason, ids, coverage; or take it away where no block is left."""
    found = find_exclusions(take_apart(text))
    ids = list(found.ids)
    if not ids or read_frontmatter(text).key("exclusions-coverage") is None:  # sealing computes it
        text = _set_or_insert(text, "exclusions-coverage", 0.0 if ids else None, after="document-sha256")
    text = _set_or_insert(text, "exceptions-reason", reason if ids else None, after="exclusions-coverage")
    return _set_or_insert(text, "exceptions-ids", ids or None, after="exceptions-reason")


def _set_or_insert(text: str, key: str, value: object, after: str) -> str:
    frontmatter = read_frontmatter(text)
    present = frontmatter.key(key) is not None
    if value is None:
        return splice(text, [frontmatter.delete((key,))]) if present else text
    if present and frontmatter.data[key] == value:
        return text
    if present:
        return splice(text, [frontmatter.set((key,), value)])
    anchor = after if frontmatter.key(after) is not None else None
    return splice(text, [frontmatter.insert(key, value, after=anchor)])


def line_range(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole lines, without the last one's ending, that hold the characters [start, end)."""
    return line_start(text, start), line_end(text, max(start, end - 1))
