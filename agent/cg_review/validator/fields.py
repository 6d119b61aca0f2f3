"""RI, EC, FC: the fields that are computed, and the version that decides whether they can be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cg_review.cgd.computed import from_the_future
from cg_review.cgd.nodes import Scalar
from cg_review.validator.checks import check, is_unknown
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

_DECIMAL = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,4})?"


@check("E-RI01")
def ingestable_is_boolean(subject: Subject) -> Iterator[Found]:
    """`rag-ingestable` is not a YAML 1.2 boolean: `yes`, `"false"`, 0 and null are not what they look like."""
    node = subject.node("rag-ingestable")
    if node is None or is_unknown(node) or (isinstance(node, Scalar) and node.kind == "bool"):
        return
    text = f", not {shown(node.text)}" if isinstance(node, Scalar) else ""
    yield Found(f"rag-ingestable must be true or false, unquoted{text}", subject.place("rag-ingestable"))


@check("W-RI01")
def ingestable_is_computed(subject: Subject) -> Iterator[Found]:
    """`rag-ingestable` says something else than what is computed: CLEAR, REVIEWED, no exclusion block, known version."""
    node = subject.node("rag-ingestable")
    if not isinstance(node, Scalar) or node.kind != "bool" or subject.clarity is None or subject.hitl is None:
        return
    computed = subject.computed.rag_ingestable
    if (node.text.lower() == "true") != computed:
        yield Found(
            f"rag-ingestable is computed to be {str(computed).lower()}, but says {node.text}",
            subject.place("rag-ingestable"),
        )


@check("E-EC01")
def coverage_is_a_share(subject: Subject) -> Iterator[Found]:
    """`exclusions-coverage` is not an unquoted number from 0.0 to 1.0."""
    node = subject.node("exclusions-coverage")
    if node is None or is_unknown(node):
        return
    number = (
        float(node.text)
        if isinstance(node, Scalar) and node.kind in ("int", "float") and re.fullmatch(_DECIMAL, node.text)
        else -1.0
    )
    if not 0.0 <= number <= 1.0:
        text = f", not {shown(node.text)}" if isinstance(node, Scalar) else ""
        yield Found(
            f"exclusions-coverage must be a number from 0.0 to 1.0{text}",
            subject.place("exclusions-coverage"),
        )


@check("W-EC01")
def much_is_excluded(subject: Subject) -> Iterator[Found]:
    """Exclusion blocks cover half of the body's bytes or more, whatever `exclusions-coverage` says."""
    share = subject.computed.exclusions_coverage if subject.exclusions.blocks else 0.0
    if share >= 0.5:
        place = subject.place("exclusions-coverage")
        first = subject.exclusions.blocks[0].begin.start
        yield Found(f"{share:.0%} of the body are excluded", first if place is None else place)


@check("W-FC01")
def version_of_the_future(subject: Subject) -> Iterator[Found]:
    """The document declares a major version above 2, which may mean things this program does not know."""
    if from_the_future(subject.frontmatter):
        version = subject.frontmatter.text("clarity-gate-version") or ""
        yield Found(
            f"version {shown(version)} is newer than 2.x: not ingestable",
            subject.place("clarity-gate-version"),
        )
