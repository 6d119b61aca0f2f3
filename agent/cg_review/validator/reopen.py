"""Nothing launders a changed document: sealing one again opens its review (FORMAT 12.10)."""

from __future__ import annotations

from dataclasses import dataclass

from cg_review.cgd.computed import claims
from cg_review.cgd.frontmatter import Frontmatter, read_frontmatter, splice
from cg_review.cgd.hashing import stored_hash
from cg_review.cgd.ids import claim_id
from cg_review.cgd.layout import take_apart
from cg_review.cgd.nodes import Scalar
from cg_review.cgd.record import add_to_record
from cg_review.cgd.writer import claim_fields
from cg_review.errors import DocumentRefused

TEXT = "This document was changed after it was reviewed"


@dataclass(frozen=True, slots=True)
class _Claim:
    id: str
    text: str
    source: str
    location: str
    round: str = "B"
    confirmed_by: str | None = None
    confirmed_date: str | None = None


def reopen(text: str, today: str) -> str:
    """Return a reviewed document as PENDING, with a Round B claim that says why. The caller seals it.

    Raises DocumentRefused for a document with exclusion blocks, which a pending document may not have.
    """
    frontmatter = read_frontmatter(text)
    if frontmatter.text("hitl-status") == "REVIEWED_WITH_EXCEPTIONS":
        raise DocumentRefused(
            "a document with exclusion blocks cannot become pending; remove them, then settle what changed"
        )
    claim = _claim(frontmatter, today)
    edits = [
        frontmatter.set(("hitl-status",), "PENDING"),
        frontmatter.append(("hitl-claims",), claim_fields(claim)),
    ]
    return add_to_record(splice(text, edits), claim)


def _claim(frontmatter: Frontmatter, today: str) -> _Claim:
    nodes = [claim.get("location") for claim in claims(frontmatter)]
    taken = {node.text for node in nodes if isinstance(node, Scalar)}
    location = next(
        place for place in (f"root/{number}" for number in range(1, len(taken) + 2)) if place not in taken
    )
    sealed = (stored_hash(take_apart(frontmatter.layout.text)) or "")[:12]
    people = [
        node.text
        for node in (claim.get("confirmed-by") for claim in claims(frontmatter))
        if isinstance(node, Scalar)
    ]
    asked = f"ask {people[-1]} or " if people else ""
    source = f"{asked}check the Git history for the version sealed as {sealed}"
    text = f"{TEXT} (seen {today})"
    return _Claim(claim_id(text, location), text, source[0].upper() + source[1:], location)
