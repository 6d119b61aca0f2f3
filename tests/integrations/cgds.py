"""Documents on both sides of the ingestion gate."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from cg_review import review
from cg_review.cgd.frontmatter import read_frontmatter, splice
from cg_review.cgd.seal import seal

TODAY = date(2026, 11, 30)
SOURCE = "# Plan\n\nRevenue will be $9M by 2027. The office opened in 2019.\n"


def draft(text: str = SOURCE) -> str:
    """A draft that awaits a person."""
    cgd = review(text, name="plan.md", today=TODAY).cgd_text
    assert cgd is not None
    return cgd


def reviewed() -> str:
    """A document that a person has signed off: the one claim of a text without findings is confirmed."""
    cgd = draft("# Notes\n\nWe met on Monday. We plan to meet again.\n")
    frontmatter = read_frontmatter(cgd)
    changes = [
        frontmatter.set(("hitl-status",), "REVIEWED"),
        frontmatter.set(("hitl-pending-count",), 0),
        frontmatter.set(("rag-ingestable",), True),
        frontmatter.insert("confirmed-by", "Jo Doe", path=("hitl-claims", 0)),
    ]
    text = splice(cgd, changes)
    text = splice(
        text, [read_frontmatter(text).insert("confirmed-date", "2026-11-30", path=("hitl-claims", 0))]
    )
    text = text.replace("| ⏳ Pending | — | — |", "| ✓ Confirmed | Jo Doe | 2026-11-30 |")
    return seal(text.replace("CLEAR | PENDING", "CLEAR | REVIEWED"))


def tampered() -> str:
    """A reviewed document whose body was changed afterwards."""
    return reviewed().replace("on Monday", "on Friday")


def workspace(folder: Path) -> Path:
    """A folder with a source, a draft and a reviewed document."""
    (folder / "plan.md").write_text(SOURCE)
    (folder / "draft.cgd.md").write_text(draft())
    (folder / "reviewed.cgd.md").write_text(reviewed())
    return folder
