"""What a machine can check before a person looks (the seed's Tier 1): findings from sources and from an SOT's table.

They are raw findings like those of a pass, and join the passes' own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from cg_review.document import Document, Segment, SegmentKind, Table
from cg_review.findings import RawFinding
from cg_review.reviewers import Found, PassResult
from cg_review.sources import Connector, Source, find_contradiction

MAX_AGE = 180
"""Days after which a fact that ages has to be looked at again, unless the review is told another age."""

_STALENESS = re.compile(r"\[(STABLE|CHECK|VOLATILE|SNAPSHOT)\]")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_AGES = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:EUR|USD)\b|\b(?:price|prices|costs?|version|latest|current|currently)\b",
    re.IGNORECASE,
)
_AT_MOST = {"CHECK": "verify before citing", "VOLATILE": "changes frequently", "SNAPSHOT": "a point in time"}


def with_tier1(
    results: Sequence[PassResult],
    document: Document,
    sources: Sequence[Source | Connector],
    today: date,
    is_sot: bool,
    max_age: int = MAX_AGE,
) -> tuple[PassResult, ...]:
    """The results with what sources contradict (point 5) and what has aged in an SOT's table (point 8)."""
    more = [*contradictions(document, sources), *(aged(document, today, max_age) if is_sot else [])]
    return tuple(
        replace(result, findings=(*result.findings, *(raw for raw in more if raw.point == result.point)))
        if isinstance(result, Found) and any(raw.point == result.point for raw in more)
        else result
        for result in results
    )


def contradictions(document: Document, sources: Sequence[Source | Connector]) -> Iterable[RawFinding]:
    """Sentences and rows of which a source says otherwise."""
    if not sources:
        return
    for segment in document.segments:
        if segment.quoted or segment.kind in (SegmentKind.HEADING, SegmentKind.TABLE):
            continue
        found = find_contradiction(segment.plain, sources)
        if found is not None:
            yield RawFinding(
                point=5,
                segment=segment.number,
                reason=f"A source says otherwise. {found.quoted}",
                fix="Correct one of the two, or say why they differ.",
                detected_by=("sources",),
            )


def aged(document: Document, today: date, max_age: int) -> Iterable[RawFinding]:
    """Rows of Verified Claims that were verified too long ago for what they say of their own staleness."""
    for table in document.tables:
        column = _verified_column(document, table)
        if column is None:
            continue
        for index, number in enumerate(table.row_segments):
            row = document.segment(number)
            cells = table.rows[index]
            raw = _aged_row(row, cells[column].plain if column < len(cells) else "", today, max_age)
            if raw is not None:  # on the claim's cell: a mark in the last one would spoil its date
                yield raw.model_copy(update={"quote": cells[0].text})


def _verified_column(document: Document, table: Table) -> int | None:
    section = document.sections[document.segment(table.segment).section]
    names = [cell.plain.strip().casefold() for cell in table.header]
    is_claims = " ".join(section.title.split()).casefold() == "verified claims"
    return names.index("verified") if is_claims and "verified" in names else None


def _aged_row(row: Segment, verified: str, today: date, max_age: int) -> RawFinding | None:
    match = _DAY.search(verified)
    try:
        day = date.fromisoformat(match[0]) if match else None
    except ValueError:
        day = None
    if day is None or (today - day).days <= max_age:
        return None
    marker = _STALENESS.search(row.plain)
    if marker is not None and marker[1] == "STABLE":
        return None
    if marker is None and not _AGES.search(row.plain):
        return None
    what = (
        f"[{marker[1]}] ({_AT_MOST[marker[1]]})"
        if marker
        else "a fact that ages quickly, with no staleness marker,"
    )
    return RawFinding(
        point=8,
        segment=row.number,
        reason=f"{what} was verified on {day}, {(today - day).days} days before {today} (at most {max_age}).",
        fix="Verify it again and give the new date, or mark it [STABLE].",
        detected_by=("sources",),
    )
