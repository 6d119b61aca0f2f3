"""A draft as text: the annotated body, its record, its frontmatter, sealed (FORMAT sections 1, 2, 5; 12.14, 12.15)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cg_review.annotate import apply_edits
from cg_review.cgd.chunk_context import ChunkAdvice
from cg_review.cgd.frontmatter import Frontmatter, Splice, read_frontmatter, splice
from cg_review.cgd.hashing import HASH_LINE
from cg_review.cgd.layout import BOM, END_MARKER
from cg_review.cgd.nodes import Scalar
from cg_review.cgd.record import render_record
from cg_review.cgd.seal import seal
from cg_review.cgd.writer import claim_fields, quote_scalar, render_frontmatter
from cg_review.document import Document, Span
from cg_review.findings import Claim, Edit
from cg_review.markers import Markers
from cg_review.origin import CHUNK_KEYS, OWN_KEYS, Origin
from cg_review.parse import parse
from cg_review.recover import Annotation, list_annotations, matched, own_markers
from cg_review.state import State, format_points

FORMAT_VERSION = "2.1"
_UNPRINTABLE = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]"
)


@dataclass(frozen=True)
class Draft:
    """Everything a CGD is made of."""

    origin: Origin
    markers: Markers
    edits: tuple[Edit, ...]
    claims: tuple[Claim, ...]
    state: State
    processed_by: str
    processed_date: str
    advice: ChunkAdvice | None = None  # for chunking, where it is to be written


def write(draft: Draft) -> str:
    """The sealed document. A CGD is edited losslessly, any other source gets a new frontmatter.

    Raises DocumentRefused where it cannot be sealed.
    """
    origin, newline = draft.origin, draft.origin.newline
    annotated = apply_edits(origin.source, draft.edits)
    body = annotated[origin.body.start :]
    reading = None if origin.excluded else origin.document()
    listed = annotations_of(origin.source, origin.body.start, draft.edits, annotated, draft.markers, reading)
    fields = _fields(draft, listed)
    end = _ending(body, draft, newline)
    if origin.prior is None:
        head = render_frontmatter(fields, _kept(origin)).replace("\n", newline)
        lead = "" if body.startswith(("\n", "\r")) else newline
        text = (BOM if origin.layout.bom else "") + head + lead + body + end
    else:
        changes = _changes(origin.prior.frontmatter, fields)
        text = splice(origin.text, [*changes, Splice(origin.body.start, len(origin.text), body + end)])
    return seal(text)


def is_same_but_for_date(draft: Draft, text: str) -> bool:
    """Whether the draft, with the date and processor that `text` has, is `text`."""
    prior = draft.origin.prior
    if prior is None:
        return False
    date, by = prior.frontmatter.text("processed-date"), prior.frontmatter.text("processed-by")
    if date is None or by is None:
        return False
    return write(replace(draft, processed_by=by, processed_date=date)) == text


def _fields(draft: Draft, annotations: list[dict[str, str]]) -> dict[str, Any]:
    state = draft.state
    fields: dict[str, Any] = {
        "clarity-gate-version": FORMAT_VERSION,
        "processed-date": draft.processed_date,
        "processed-by": draft.processed_by,
        "clarity-status": state.clarity_status,
        "hitl-status": state.hitl_status,
        "hitl-pending-count": sum(not claim.confirmed_by for claim in draft.claims),
        "points-passed": format_points(state.points_passed),
        "rag-ingestable": state.clarity_status == "CLEAR" and state.hitl_status == "REVIEWED",
        "document-sha256": "PENDING",
        "hitl-claims": [claim_fields(claim) for claim in draft.claims],
    }
    if annotations:
        fields["annotations"] = annotations
    if draft.advice is not None:
        fields["chunk-context"] = draft.advice.advice
        if draft.advice.sections:
            fields["chunk-context-sections"] = list(draft.advice.sections)
    return fields


def _ending(body: str, draft: Draft, newline: str) -> str:
    """What follows the body: a blank line, the record, the end marker, the status line."""
    if re.search(r"(?>\r\n|\n|\r)(?>\r\n|\n|\r)\Z", body[-4:]) or not body.strip():
        lead = ""
    else:
        lead = newline if body.endswith(("\n", "\r")) else newline * 2
    record = render_record(draft.claims, newline)
    status = f"Clarity Gate: {draft.state.clarity_status} | {draft.state.hitl_status}"
    return lead + (record + newline if record else "") + END_MARKER + newline + status + newline


def annotations_of(
    source: str,
    start: int,
    edits: Sequence[Edit],
    annotated: str,
    markers: Markers,
    reading: Document | None = None,
) -> list[dict[str, str]]:
    """What cannot be recognised by the marker vocabulary alone: rewrites, and markers that the author wrote.

    `annotated` is `source` with `edits`; in both the body starts at `start`. `reading` is the parsed source, where that
    is at hand.
    """
    shift = 0
    changes: list[Annotation] = []
    has_markers = markers.pattern.search(source, start)
    if has_markers and reading is None:
        reading = parse(source, Span(start, len(source)))
    own = own_markers(reading, markers) if has_markers and reading else []
    for edit in edits:
        while own and own[0] < edit.span.start:
            changes.append(_own(markers, source, own.pop(0), shift))
        if edit.before:
            changes.append((edit.span.start + shift, edit.before, edit.after))
        shift += len(edit.after) - len(edit.before)
    changes += [_own(markers, source, offset, shift) for offset in own]
    if not changes:
        return []
    body = Span(start, len(annotated))
    return list_annotations(annotated, parse(annotated, body, split=False, like=reading), changes)


def _own(markers: Markers, source: str, offset: int, shift: int) -> Annotation:
    words = matched(markers, source, offset)
    return offset + shift, words, words


def _changes(frontmatter: Frontmatter, fields: dict[str, Any]) -> list[Splice]:
    """The edits of an existing frontmatter: only what is not as `fields` say."""
    changes: list[Splice] = []
    previous: str | None = None
    for key, value in fields.items():
        current = frontmatter.data.get(key)
        if frontmatter.key(key) is None:
            changes.append(frontmatter.insert(key, value, after=previous))
        elif key == "hitl-claims":
            changes += _claim_changes(frontmatter, value)
        elif key != "document-sha256" and not _same(current, value):
            changes.append(frontmatter.set((key,), value))
        previous = key if frontmatter.key(key) is not None else previous
    for key in ("annotations", *CHUNK_KEYS):
        if key not in fields and frontmatter.key(key) is not None:
            changes.append(frontmatter.delete((key,)))
    return changes


def _claim_changes(frontmatter: Frontmatter, claims: Sequence[dict[str, str]]) -> list[Splice]:
    """Only the claims that changed, where the same ids stand in the same order; else the list."""
    current = frontmatter.data.get("hitl-claims")
    listed = current if isinstance(current, list) else []
    if [entry.get("id") if isinstance(entry, dict) else None for entry in listed] != [
        c["id"] for c in claims
    ]:
        return [frontmatter.set(("hitl-claims",), list(claims))]
    changes = []
    for index, (entry, claim) in enumerate(zip(listed, claims, strict=True)):
        path = ("hitl-claims", index)
        for key, value in claim.items():
            if key not in entry:
                changes.append(frontmatter.insert(key, value, path=path))
            elif entry[key] != value:
                changes.append(frontmatter.set((*path, key), value))
    return changes


def _same(current: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return bool(current == str(value).lower())
    if isinstance(value, list):
        return bool(current == value)
    return bool(current == (str(value) if isinstance(value, int) else value))


def _kept(origin: Origin) -> str:
    """The source's own frontmatter as YAML for the CGD, LF (FORMAT 12.14)."""
    layout = origin.layout
    if layout.frontmatter is None:
        return ""
    yaml = layout.text[slice(*layout.frontmatter)].replace("\r\n", "\n").replace("\r", "\n")
    if not yaml.strip():
        return yaml
    frontmatter = read_frontmatter(layout)
    names = {entry.key.text for entry in frontmatter.root.entries if isinstance(entry.key, Scalar)}
    usable = frontmatter.readable and not frontmatter.problems and not frontmatter.root.flow
    indented = bool(re.match(r"[ \t]", next((line for line in yaml.split("\n") if line.strip()), "")))
    smuggles = any(HASH_LINE.match(line) for line in yaml.split("\n"))
    if usable and not indented and not names & OWN_KEYS and not smuggles:
        return yaml
    if smuggles or _UNPRINTABLE.search(yaml) or yaml.startswith(("\n", "\t")):
        return f"source-frontmatter: {quote_scalar(yaml)}\n"
    lines = yaml.removesuffix("\n").split("\n")
    return "source-frontmatter: |2-\n" + "".join(f"  {line}\n" if line else "\n" for line in lines)
