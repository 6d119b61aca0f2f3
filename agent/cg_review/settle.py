"""Anchored raw findings -> findings: one a place, with all its points (POINTS, "One sentence, several points")."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from cg_review.document import Document, Span
from cg_review.findings import Finding, Place, Severity
from cg_review.grounding import Anchored
from cg_review.points import Point

LEAD_ORDER = (8, 2, 7, 5, 4, 6, 3, 1, 9)
"""Which point leads where several meet: the one whose fix would settle most."""


def settle(
    document: Document,
    anchored: Sequence[Anchored],
    points: Mapping[int, Point],
    suppressed: Mapping[tuple[int, int], str],
) -> tuple[Finding, ...]:
    """Merge what was found at the same place; findings come in document order.

    `suppressed` gives, by (segment, point), the author's reason for silencing it. Where an author silenced some of a
    place's points, these become a finding of their own.
    """
    groups: dict[tuple[Span, bool], list[Anchored]] = defaultdict(list)
    for item in anchored:
        groups[item.unit, (item.raw.segment, item.raw.point) in suppressed].append(item)
    seen: Counter[tuple[str, int, bool]] = Counter()
    findings = []
    for unit, silenced in sorted(groups):
        group = sorted(groups[unit, silenced], key=_lead)
        segment = document.segment(group[0].raw.segment)
        quote = unit.of(document.text)
        seen[quote, segment.section, silenced] += 1
        place = seen[quote, segment.section, silenced]
        slug = document.sections[segment.section].slug
        reason = suppressed[group[0].raw.segment, group[0].raw.point] if silenced else None
        findings.append(_merge(group, unit, quote, points, _finding_id(quote, slug, place, silenced), reason))
    return tuple(findings)


def _lead(item: Anchored) -> tuple[int, float, str]:
    return LEAD_ORDER.index(item.raw.point), -item.raw.confidence, item.raw.reason


def _finding_id(quote: str, slug: str, place: int, silenced: bool) -> str:
    key = f"{quote}|{slug}|{place}" + ("|suppressed" if silenced else "")
    return "finding-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _merge(
    group: Sequence[Anchored],
    unit: Span,
    quote: str,
    points: Mapping[int, Point],
    identity: str,
    suppressed: str | None,
) -> Finding:
    by_point: dict[int, Anchored] = {}
    for item in group:
        by_point.setdefault(item.raw.point, item)
    lead = group[0].raw
    return Finding(
        id=identity,
        points=tuple(by_point),
        severity=min(
            (_severity(item, points) for item in by_point.values()), key=lambda severity: severity.rank
        ),
        span=unit,
        quote=quote,
        segment=lead.segment,
        related=_related(group, unit),
        reason=" ".join(
            [
                _stop(lead.reason),
                *(f"Point {p}: {_stop(i.raw.reason)}" for p, i in list(by_point.items())[1:]),
            ]
        ),
        fix=lead.fix or points[lead.point].fix,
        fix_place=lead.fix_place,
        kind=next((item.raw.kind for item in group if item.raw.kind), ""),
        confidence=max(item.raw.confidence for item in group),
        detected_by=tuple(sorted({name for item in group for name in item.raw.detected_by})),
        suppressed=suppressed,
    )


def _severity(item: Anchored, points: Mapping[int, Point]) -> Severity:
    return item.raw.severity or points[item.raw.point].severity


def _related(group: Sequence[Anchored], unit: Span) -> tuple[Place, ...]:
    places = {place.span: place for item in group for place in item.related if place.span != unit}
    return tuple(places[span] for span in sorted(places))


def _stop(reason: str) -> str:
    reason = reason.strip()
    return reason if reason.endswith((".", "!", "?")) else reason + "."
