"""The fields a machine computes and never believes: pending count, ingestability, coverage (FORMAT section 7)."""

from __future__ import annotations

import re
from typing import NamedTuple

from cg_review.cgd.exclusions import Exclusions, coverage, find_exclusions
from cg_review.cgd.frontmatter import Frontmatter
from cg_review.cgd.nodes import Mapping, Scalar, Sequence

VERSION = re.compile(r"(0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){0,2}", re.ASCII)
SUPPORTED_MAJOR = 2


class Computed(NamedTuple):
    """What a document's computed fields must be."""

    pending: int
    rag_ingestable: bool
    exclusions_coverage: float


def compute(frontmatter: Frontmatter, exclusions: Exclusions | None = None) -> Computed:
    """Compute the fields of a document from its other fields and its body."""
    found = find_exclusions(frontmatter.layout) if exclusions is None else exclusions
    clear = frontmatter.text("clarity-status") == "CLEAR" and frontmatter.text("hitl-status") == "REVIEWED"
    return Computed(
        pending=sum(is_pending(claim) for claim in claims(frontmatter)),
        rag_ingestable=clear and not found.has_markers and not from_the_future(frontmatter),
        exclusions_coverage=round(coverage(frontmatter.layout, found), 4) if found.blocks else 0.0,
    )


def claims(frontmatter: Frontmatter) -> list[Mapping]:
    """Return the entries of `hitl-claims` that are mappings."""
    listed = frontmatter.node("hitl-claims")
    return (
        [item for item in listed.items if isinstance(item, Mapping)] if isinstance(listed, Sequence) else []
    )


def is_present(claim: Mapping, name: str) -> bool:
    """Whether a claim's field holds something: null, empty and blank are absent (FORMAT 12.12)."""
    node = claim.get(name)
    if isinstance(node, Scalar):
        return node.kind != "null" and bool(node.text.strip() or node.kind == "unknown")
    return node is not None


def is_pending(claim: Mapping) -> bool:
    """Whether a claim waits for a person: `confirmed-by` alone decides (FORMAT 12.12)."""
    return not is_present(claim, "confirmed-by")


def from_the_future(frontmatter: Frontmatter) -> bool:
    """Whether the document declares a major version this package does not know (W-FC01)."""
    version = VERSION.fullmatch(frontmatter.text("clarity-gate-version") or "")
    return version is not None and (len(version[1]) > 4 or int(version[1]) > SUPPORTED_MAJOR)
