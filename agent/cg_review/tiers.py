"""Promote a reviewed document to a Source of Truth, and demote it again (FORMAT sections 8 and 9)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Frontmatter, Splice, read_frontmatter, splice
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.headings import Heading, find_headings, normalised, section_end
from cg_review.cgd.layout import Layout, take_apart
from cg_review.cgd.record import find_record, inert
from cg_review.cgd.seal import seal
from cg_review.cgd.tables import escape_cell, find_tables
from cg_review.errors import DocumentRefused, InputError
from cg_review.findings import AS_ESTIMATE
from cg_review.validator import reopen, validate

SECTION = "Verified Claims"
ARCHIVED = "Claims (Archived from SOT)"

_COMMENT = re.compile(r"<!-- CLARITY_GATE_ARCHIVED: id=arch-[0-9a-f]{8}, [^\r\n]*-->[ \t]*(?:\r\n|\r|\n)")
_BODY_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Tier:
    """What a Source of Truth says of itself."""

    owner: str
    version: str
    promoted_by: str


def promote(text: str, tier: Tier | None, today: date, values: Mapping[str, str] | None = None) -> str:
    """The document as a Source of Truth, sealed. `values` gives claims (by id) the value that they lack.

    Raises DocumentRefused (E-PM02 a tier already, E-PM01 nothing verified, E-TB05 a claim without a value, or whatever
    the validator says of the result), InputError where `tier` is missing.
    """
    _refuse_unfit(text)
    frontmatter = read_frontmatter(text)
    if frontmatter.key("tier") is not None:
        raise DocumentRefused("E-PM02: this document has a tier already; demote it first")
    claims = _verified(frontmatter)
    _refuse_unknown(frontmatter, values or {})
    layout = frontmatter.layout
    if _heading(layout, SECTION) is None:
        archived = _heading(layout, ARCHIVED)
        if archived is not None:
            text = _renamed(layout, archived, SECTION)
        elif claims:
            text = _with_table(text, claims, values or {})
        else:
            raise DocumentRefused("E-PM01: no verified claims and no Verified Claims table to promote")
    _refuse_pending(frontmatter)
    if tier is None:
        raise InputError("promote needs --owner and --version")
    return _finished(_with_tier(text, tier, today), today)


def demote(text: str, reason: str, today: date) -> str | None:
    """The document without its tier, its table archived, sealed; None where it has no tier (W-DM01).

    Raises DocumentRefused where the result would not be valid, InputError without a reason.
    """
    frontmatter = read_frontmatter(text)
    if frontmatter.key("tier") is None:
        return None
    _refuse_unfit(text)
    if not reason.strip():
        raise InputError("demote needs --reason TEXT: why this is no Source of Truth any more")
    layout = frontmatter.layout
    heading = _heading(layout, SECTION)
    edits = [frontmatter.delete(("tier",)), frontmatter.set(("processed-date",), today.isoformat())]
    if heading is not None:
        end = section_end(find_headings(layout), heading, layout.body.end)
        digest = hashlib.sha256(f"{today}|{reason}|{text[heading.start : end]}".encode()).hexdigest()[:8]
        comment = (
            f'<!-- CLARITY_GATE_ARCHIVED: id=arch-{digest}, date={today}, reason="{_attribute(reason)}" -->'
        )
        edits.append(Splice(heading.start, heading.end, f"{comment}{layout.newline}## {ARCHIVED}"))
    return _finished(splice(text, edits), today)


# -- what stands in the way --------------------------------------------------------------------------------------------


def _refuse_unfit(text: str) -> None:
    layout = take_apart(text)
    frontmatter = read_frontmatter(layout)
    if not frontmatter.readable or layout.end_marker is None:
        raise DocumentRefused("not a Clarity-Gated Document; run `cg-review validate` on it")
    if stored_hash(layout) != document_hash(layout):
        raise DocumentRefused("W-HS01: changed since it was sealed; review it again first")


def _refuse_pending(frontmatter: Frontmatter) -> None:
    if frontmatter.text("hitl-status") == "PENDING":
        raise DocumentRefused("its review has not ended; a Source of Truth holds what people have confirmed")


def _refuse_unknown(frontmatter: Frontmatter, values: Mapping[str, str]) -> None:
    known = {claim.get("id") for claim in _claims(frontmatter)}
    unknown = next((id_ for id_ in values if id_ not in known), None)
    if unknown:
        raise InputError(f"--value {unknown}: the document has no such claim")


def _finished(text: str, today: date) -> str:
    text = seal(text, computed=True)
    now = datetime.combine(today, time(23, 59), UTC)
    faults = [fault for fault in validate(text, now=now).faults if fault.severity == "error"]
    if faults:
        listed = "; ".join(f"{fault.code} line {fault.line}: {fault.message}" for fault in faults[:3])
        raise DocumentRefused(f"would not be valid and is not written: {listed}")
    return text


# -- the table ---------------------------------------------------------------------------------------------------------


def _claims(frontmatter: Frontmatter) -> list[dict[str, Any]]:
    listed = frontmatter.data.get("hitl-claims")
    return [claim for claim in listed if isinstance(claim, dict)] if isinstance(listed, list) else []


def _verified(frontmatter: Frontmatter) -> list[dict[str, Any]]:
    """The claims that a table can be made of: confirmed, no estimate, no sign-off."""
    return [
        claim
        for claim in _claims(frontmatter)
        if claim.get("confirmed-by")
        and claim.get("confirmed-date")
        and claim.get("source") != AS_ESTIMATE
        and not _is_sign_off(claim)
    ]


def _is_sign_off(claim: Mapping[str, Any]) -> bool:
    at_root = str(claim.get("location") or "").startswith("root/")
    is_hash = bool(_BODY_HASH.fullmatch(str(claim.get("value") or "")))
    return at_root and (is_hash or str(claim.get("text")).startswith(reopen.TEXT))


def _with_table(text: str, claims: Sequence[Mapping[str, Any]], values: Mapping[str, str]) -> str:
    rows, missing = [], []
    for claim in claims:
        value = values.get(str(claim["id"])) or claim.get("value")
        if not value or value.strip() in ("", "-"):
            missing.append(claim)
            continue
        cells = [claim["text"], value, claim.get("source") or "", claim["confirmed-date"]]
        rows.append("| " + " | ".join(escape_cell(inert(str(cell))) for cell in cells) + " |")
    if missing:
        ids = ", ".join(f"{claim['id']} (“{claim['text']}”)" for claim in missing[:5])
        raise DocumentRefused(f"E-TB05: no value for {ids}; give one with --value ID=TEXT")
    lines = [
        f"## {SECTION}",
        "",
        "| Claim | Value | Source | Verified |",
        "|-------|-------|--------|----------|",
        *rows,
        "",
        "",
    ]
    layout = take_apart(text)
    place = _before_record(layout)
    before = text[layout.body.start : place]
    lead = "" if re.search(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\Z", before) else layout.newline
    return text[:place] + lead + layout.newline.join(lines) + text[place:]


def _before_record(layout: Layout) -> int:
    """Where the table goes: before the record and the rule above it, or before the end marker."""
    record = find_record(layout)
    if record is None:
        return layout.body.end
    rule = re.search(
        r"(?<![^\r\n])---[ \t]*(?:\r\n|\r|\n)\s*\Z", layout.text[layout.body.start : record.span.start]
    )
    return layout.body.start + rule.start() if rule else record.span.start


def _heading(layout: Layout, title: str) -> Heading | None:
    """The section of that title, where it holds a table; outside code, comments and exclusion blocks."""
    exclusions = find_exclusions(layout)
    headings = find_headings(layout)
    for heading in headings:
        if heading.level != 2 or normalised(heading.title).casefold() != title.casefold():
            continue
        end = section_end(headings, heading, layout.body.end)
        holds = find_tables(layout.text, heading.end, end, layout.fences.holds)
        if holds and not exclusions.holds(heading.start):
            return heading
    return None


def _renamed(layout: Layout, heading: Heading, title: str) -> str:
    """An archived section as it was: its heading, without the comment above it."""
    comments = list(_COMMENT.finditer(layout.text, layout.body.start, heading.start))
    start = comments[-1].start() if comments and comments[-1].end() == heading.start else heading.start
    return layout.text[:start] + f"## {title}" + layout.text[heading.end :]


def _with_tier(text: str, tier: Tier, today: date) -> str:
    frontmatter = read_frontmatter(text)
    block = {
        "level": "SOT",
        "owner": inert(tier.owner),
        "version": inert(tier.version),
        "promoted-date": today.isoformat(),
        "promoted-by": inert(tier.promoted_by),
    }
    dated = frontmatter.set(("processed-date",), today.isoformat())
    return splice(text, [frontmatter.append_block("tier", block), dated])


def _attribute(text: str) -> str:
    flat = " ".join(text.split())
    return flat.replace('"', "&quot;").replace(">", "&gt;").replace("<!--", "&lt;!--")
