"""Which findings become claims, and in which round a person answers them (DESIGN, "Findings, rounds, claims").

In doubt, Round B: A needs a source that was given for this review and a person who is present.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cg_review.cgd.ids import claim_id
from cg_review.document import Document, Segment, SegmentKind, Span
from cg_review.findings import Claim, Finding, Round
from cg_review.points import Point
from cg_review.sources import Connector, Source, find_contradiction, find_passage

_QUANTITY = re.compile(
    r"[~≈]?(?:(?:US|CA|AU)?[$€£¥]\s?\d[\d.,]*\d?(?:\s?(?:million|billion|thousand|[kKmMbB]n?)\b)?"
    r"|(?<![\w.])\d[\d.,]*\d?(?:\s?(?:%|percent\b|×|[kKmMgGtT]i?[bB]\b|ms\b|s\b|million\b|billion\b|€|EUR\b|USD\b|rps\b"
    r"|req/s\b|requests per second\b|users\b|hours\b|days\b|weeks\b|months\b|years\b|x\b))?)"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|H[12])"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}} {_MONTH}(?: \d{{4}})?|{_MONTH}(?: \d{{1,2}})?(?:,? \d{{4}})?)\b"
)
_OPEN_REFERENT = re.compile(r"(?:They|It|He|She|This|These|Those|That) (?!is to say\b)", re.UNICODE)
_NAME = re.compile(r"(?<=[\w,;:] )(?!I\b)[A-Z][\w’'-]+")
_COMPARE = "Compare with "


@dataclass(frozen=True, slots=True)
class Side:
    """One place that becomes a claim: a finding's own, or the other side of its conflict."""

    span: Span
    segment: int
    finding: Finding


def claims_of(
    document: Document,
    findings: Sequence[Finding],
    points: Mapping[int, Point],
    name: str,
    sources: Sequence[Source | Connector] = (),
    attended: bool = False,
) -> tuple[Claim, ...]:
    """The claims of `findings`, in document order. `name` is the document's, for "ask the author of"."""
    sides = _sides(document, findings, points)
    length = 12 if len(sides) > 1000 else 8
    ordinals: Counter[str] = Counter()
    claims = []
    for side in sides:
        segment = document.segment(side.segment)
        slug = document.sections[segment.section].slug
        ordinals[slug] += 1
        text, value = _wording(document, segment, side)
        location = f"{slug}/{ordinals[slug]}"
        round_, why, source = _route(document, side, text, value, name, points, sources, attended)
        claims.append(
            Claim(
                id=claim_id(text, location, length),
                text=text,
                value=value,
                source=source,
                location=location,
                round=round_,
                why=why,
                span=side.span,
                finding=side.finding.id,
                has_passage=source.startswith(_COMPARE) or round_ is Round.A,
            )
        )
    return _distinct(claims)


def needs_a_person(document: Document, finding: Finding, points: Mapping[int, Point]) -> bool:
    """Whether a finding becomes a claim (POINTS, "What becomes a claim")."""
    if finding.suppressed is not None:
        return False
    if any(points[point].claim == "always" for point in finding.points):
        return True
    plain = document.segment(finding.segment).plain
    return bool(re.search(r"\d", plain) or _DATE.search(plain) or _NAME.search(plain))


def _sides(document: Document, findings: Sequence[Finding], points: Mapping[int, Point]) -> list[Side]:
    own = [Side(f.span, f.segment, f) for f in findings if needs_a_person(document, f, points)]
    taken = {side.span for side in own}
    for finding in findings:
        if finding.suppressed is None and 5 in finding.points:
            for place in finding.related:
                if place.span not in taken:
                    taken.add(place.span)
                    own.append(Side(place.span, place.segment, finding))
    return sorted(own, key=lambda side: side.span)


def _wording(document: Document, segment: Segment, side: Side) -> tuple[str, str | None]:
    """The claim's text, in the source's words, and its value where it has exactly one quantity."""
    if segment.kind is SegmentKind.FRONTMATTER:
        return side.span.of(document.text), None
    if segment.table is None:
        return segment.text, single_quantity(segment.plain)
    table = document.tables[segment.table]
    if side.span == table.span:
        return " | ".join(cell.text for cell in table.header), None
    cell = next((cell for cell in table.cells(segment.row) if cell.span == side.span), None)
    return segment.text, single_quantity(cell.plain if cell else segment.plain)


def single_quantity(plain: str) -> str | None:
    """The one quantity of a text as written, or None where there is none or more than one."""
    without_dates = _DATE.sub(lambda match: "\0" * len(match[0]), plain)
    found = [match[0].strip().rstrip(".,") for match in _QUANTITY.finditer(without_dates)]
    return found[0] if len(found) == 1 else None


def _route(
    document: Document,
    side: Side,
    text: str,
    value: str | None,
    name: str,
    points: Mapping[int, Point],
    sources: Sequence[Source | Connector],
    attended: bool,
) -> tuple[Round, str, str]:
    """Round, reason, and where to verify."""
    finding = side.finding
    passage = find_passage(text, value, sources) if sources and 5 not in finding.points else None
    if passage and attended:
        return Round.A, f"stands in a source of this session: “{passage.text}”", passage.quoted
    ask = f"Ask the author of {name}"
    if passage:
        return (
            Round.B,
            "a source was given, but nobody was present to compare",
            f"{_COMPARE}{passage.quoted}",
        )
    segment = document.segment(side.segment)
    clash = find_contradiction(segment.plain, sources) if sources and 5 in finding.points else None
    if clash is not None:
        return Round.B, "conflict: a source says otherwise", f"{_COMPARE}{clash.quoted}"
    if 5 in finding.points:
        other = next((place for place in finding.related if place.span != side.span), None)
        where = f" (the other statement is in line {document.position(other.span.start)[0]})" if other else ""
        return Round.B, f"conflict inside the document{where}", ask
    if _has_open_referent(document, segment):
        return Round.B, "referent unclear: the sentence does not say who or what it is about", ask
    lead = finding.points[0]
    if 9 in finding.points:
        check = points[9].kinds.get(finding.kind, "")
        return (
            Round.B,
            _OUTSIDE,
            f"{check}; {ask[0].lower()}{ask[1:]}" if check else ask,
        )
    return Round.B, _WHY[lead], ask


_OUTSIDE = "a fact about the outside world with no source"
_WHY = {
    1: "no source: stated as settled",
    2: "extrapolation: about the future",
    3: "the conditions it holds under are not given",
    4: "no source: the data looks measured",
    6: "a cause is asserted, not shown",
    7: "told as present, but the document does not show that it is there",
    8: "the dates do not fit",
}


def why_of(point: int) -> str:
    """Why a claim under `point` needs a person."""
    return _WHY.get(point) or {5: "conflict inside the document", 9: _OUTSIDE}[point]


def _has_open_referent(document: Document, segment: Segment) -> bool:
    """A pronoun for a subject, and nothing before it in its block that it could stand for."""
    if (
        segment.kind is SegmentKind.HEADING
        or segment.table is not None
        or not _OPEN_REFERENT.match(segment.plain)
    ):
        return False
    return document.block_segments(segment)[0].number == segment.number


def _distinct(claims: list[Claim]) -> tuple[Claim, ...]:
    """Give longer ids to claims whose ids collide inside the document."""
    counts = Counter(claim.id for claim in claims)
    return tuple(
        claim
        if counts[claim.id] == 1
        else claim.model_copy(update={"id": claim_id(claim.text, claim.location, 16)})
        for claim in claims
    )
