"""The state of a document in one row: what `cg-review status` shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from cg_review.cgd.computed import is_pending
from cg_review.cgd.nodes import Scalar
from cg_review.validator.engine import report
from cg_review.validator.gate import may_ingest
from cg_review.validator.report import printable
from cg_review.validator.subject import Subject

HEADER = ("FILE", "CLARITY", "HITL", "PENDING", "INGESTABLE", "TIER", "ROUND A", "ROUND B", "FAULTS")


@dataclass(frozen=True, slots=True)
class Status:
    """One row. Words are as declared ("-" where missing), `ingestable` and `pending` are computed."""

    path: str
    clarity: str
    hitl: str
    pending: int
    ingestable: bool
    tier: str
    round_a: int
    round_b: int
    errors: int
    warnings: int

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return asdict(self)

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, in the order of HEADER."""
        faults = f"{self.errors} errors, {self.warnings} warnings" if self.errors or self.warnings else "none"
        numbers = (
            str(self.pending),
            "yes" if self.ingestable else "no",
            self.tier,
            str(self.round_a),
            str(self.round_b),
        )
        return (self.path, self.clarity, self.hitl, *numbers, faults)


def status_of(text: str, path: str, now: datetime) -> Status:
    """Return the state of a document."""
    subject = Subject(text, now)
    checked = report(subject, path)
    rounds = [
        node.text for node in (claim.get("round") for claim in subject.claims) if isinstance(node, Scalar)
    ]
    errors = sum(fault.severity == "error" for fault in checked.faults)
    return Status(
        path=path,
        clarity=_word(subject, "clarity-status"),
        hitl=_word(subject, "hitl-status"),
        pending=sum(is_pending(claim) for claim in subject.claims),
        ingestable=may_ingest(checked),
        tier=_word(subject, "tier", "level"),
        round_a=rounds.count("A"),
        round_b=rounds.count("B"),
        errors=errors,
        warnings=len(checked.faults) - errors,
    )


def _word(subject: Subject, *path: str) -> str:
    return printable((subject.frontmatter.text(*path) or "-")[:40])


def as_table(rows: list[Status]) -> str:
    """Return the rows as an aligned table."""
    lines = [HEADER, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n"
        for line in lines
    )
