"""Sealing: compute `document-sha256` (and, when asked, the other computed fields) and write it losslessly."""

from __future__ import annotations

from cg_review.cgd.computed import compute
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.frontmatter import Frontmatter, Splice, read_frontmatter, splice
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.layout import take_apart
from cg_review.cgd.nodes import Node, Scalar
from cg_review.errors import DocumentRefused

_PLACEHOLDER = "PENDING"


def seal(text: str, *, computed: bool = False) -> str:
    """Return `text` with its hash written; with `computed`, pending count, ingestability and coverage first.

    Raises DocumentRefused where the frontmatter cannot be read, the end marker is missing, or the hash cannot be
    written so that it verifies.
    """
    if computed:
        text = splice(text, computed_splices(_readable(text)))
    frontmatter = _readable(text)
    if frontmatter.key("document-sha256") is None:
        text = splice(
            text, [frontmatter.insert("document-sha256", _PLACEHOLDER, after=_neighbour(frontmatter))]
        )
        frontmatter = _readable(text)
    digest = document_hash(frontmatter.layout)
    text = splice(text, [frontmatter.set(("document-sha256",), digest)])
    sealed = take_apart(text)
    if stored_hash(sealed) != digest or document_hash(sealed) != digest:
        raise DocumentRefused(
            "document-sha256 cannot be written so that it verifies; put it on one line of its own"
        )
    return text


def computed_splices(frontmatter: Frontmatter) -> list[Splice]:
    """Return the edits that bring the computed fields which the document has to their values."""
    exclusions = find_exclusions(frontmatter.layout)
    values = compute(frontmatter, exclusions)
    wanted: dict[str, object] = {
        "hitl-pending-count": values.pending,
        "rag-ingestable": values.rag_ingestable,
        "exclusions-coverage": values.exclusions_coverage,
    }
    return [
        frontmatter.set((key,), value)
        for key, value in wanted.items()
        if frontmatter.key(key) is not None and not _says(frontmatter.node(key), value)
    ]


def _says(node: Node | None, value: object) -> bool:
    """Whether a scalar already is this value, in whatever form YAML allows for its type."""
    if not isinstance(node, Scalar):
        return False
    if isinstance(value, bool):
        return node.kind == "bool" and node.text.lower() == str(value).lower()
    if isinstance(value, int):
        return node.kind == "int" and node.text == str(value)
    return node.kind in ("int", "float") and node.text[-1:].isdigit() and round(float(node.text), 4) == value


def _neighbour(frontmatter: Frontmatter) -> str | None:
    keys = ("rag-ingestable", "points-passed", "hitl-pending-count", "hitl-status")
    return next((key for key in keys if frontmatter.key(key) is not None), None)


def _readable(text: str) -> Frontmatter:
    frontmatter = read_frontmatter(text)
    if not frontmatter.readable or frontmatter.problems:
        problem = frontmatter.problems[0].message if frontmatter.problems else "there is no frontmatter"
        raise DocumentRefused(f"cannot be sealed: {problem}")
    return frontmatter
