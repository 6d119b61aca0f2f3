"""CC: advice for chunking (the format's RFC-002), a profile of warnings."""

from __future__ import annotations

from collections.abc import Iterator

from cg_review.validator.checks import check
from cg_review.validator.report import Found
from cg_review.validator.subject import Subject


@check("W-CC01")
def no_sections(subject: Subject) -> Iterator[Found]:
    """`chunk-context` is `advisable`, but `chunk-context-sections` names no section to carry along."""
    frontmatter = subject.frontmatter
    if frontmatter.text("chunk-context") == "advisable" and not frontmatter.data.get(
        "chunk-context-sections"
    ):
        entry = frontmatter.key("chunk-context")
        yield Found("advisable, but no section is named", entry.start if entry else None)


@check("W-CC02")
def orphans(subject: Subject) -> Iterator[Found]:
    """More than 30% of the references to other sections say "see there" and give no value."""
    # here: only its profile needs these expressions
    from cg_review.cgd.chunk_context import WARN_ABOVE, chunk_advice

    advice = chunk_advice(subject.layout)
    if advice.orphan_share > WARN_ABOVE:
        yield Found(
            f"{advice.orphans} of {advice.references} references give no value", subject.layout.body.start
        )
