"""Claims of an earlier review and the claims found now: the same text in the same section keeps its id and confirmation.

Never by ordinal alone: a changed sentence is a new claim (DESIGN, "Findings, rounds, claims"; FORMAT 12.13).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from cg_review.cgd.ids import claim_id
from cg_review.document import Document, Span
from cg_review.findings import Claim
from cg_review.grounding import fold


def reconcile(document: Document, prior: Sequence[Claim], found: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims of the new draft, in document order.

    A prior claim that nothing objects to now is kept while its text still stands in its section; the others are gone.
    """
    waiting: dict[_Key, list[Claim]] = defaultdict(list)
    for claim in prior:
        waiting[_key(claim)].append(claim)
    wanted = Counter(_key(claim) for claim in found)
    for key, claims in waiting.items():
        if wanted[key] < len(claims):
            # one of several equal sentences went away, and nothing says which: no confirmation may move
            claims.sort(key=lambda claim: claim.confirmed_by is not None)
    carried: dict[int, Claim] = {}
    for index, claim in enumerate(found):
        if waiting[_key(claim)]:
            carried[index] = _carried(waiting[_key(claim)].pop(0), claim)
    standing = _standing(document)
    left = [
        claim.model_copy(update={"span": standing[key]})
        for key, claims in waiting.items()
        for claim in (claims if key in standing and not wanted[key] else [])
    ]
    new = [claim for index, claim in enumerate(found) if index not in carried]
    kept = [*carried.values(), *left]
    claims = [*kept, *_relocated(new, {claim.location for claim in kept})]
    return tuple(sorted(claims, key=lambda claim: claim.span or Span(0, 0)))


_Key = tuple[str, str]


def _key(claim: Claim) -> _Key:
    return claim.location.rpartition("/")[0], fold(claim.text)


def _carried(old: Claim, new: Claim) -> Claim:
    """The old claim's identity, place to look and confirmation; a passage found now goes before an old place."""
    update: dict[str, str | None] = {"id": old.id, "location": old.location, "text": old.text}
    if not new.has_passage:
        update["source"] = old.source
    if old.confirmed_by or old.confirmed_date:
        confirmation = {"confirmed_by": old.confirmed_by, "confirmed_date": old.confirmed_date}
        update |= {"value": old.value, "source": old.source, "round": old.round, **confirmation}
    return new.model_copy(update=update)


def _standing(document: Document) -> dict[_Key, Span]:
    """Every text that can be a claim, with its section's slug -> its span."""
    found: dict[_Key, Span] = {}
    for segment in document.segments:
        slug = document.sections[segment.section].slug
        found.setdefault((slug, fold(segment.text)), segment.span)
    for _, _, span in document.dates:
        found.setdefault(("root", fold(span.of(document.text))), span)
    for table in document.tables:
        slug = document.sections[document.segment(table.segment).section].slug
        found.setdefault((slug, fold(" | ".join(cell.text for cell in table.header))), table.span)
    return found


def _relocated(claims: Sequence[Claim], taken: set[str]) -> list[Claim]:
    """Give a new claim whose location an earlier one has the section's next free ordinal, and the id of that place."""
    moved = []
    for claim in claims:
        location = claim.location
        if location in taken:
            slug, _, ordinal = location.rpartition("/")
            number = int(ordinal)
            while location in taken:
                number += 1
                location = f"{slug}/{number}"
            claim = claim.model_copy(
                update={
                    "location": location,
                    "id": claim_id(claim.text, location, len(claim.id) - len("claim-")),
                }
            )
        taken.add(location)
        moved.append(claim)
    return moved
