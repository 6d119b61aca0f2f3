"""What every retrieval framework needs of a CGD: its text without the record, and flat metadata that travels on chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from cg_review.api import review
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.layout import take_apart
from cg_review.cgd.record import find_record
from cg_review.errors import DocumentRefused, InputError, ReviewIncomplete
from cg_review.pipeline import at_noon
from cg_review.points import ALL_POINTS
from cg_review.reviewers import Reviewer
from cg_review.validator import refusal, validate

PREFIX = "clarity_gate_"


@dataclass(frozen=True, slots=True)
class Gated:
    """A document fit for a splitter: `body` without frontmatter and record, and `metadata` of plain values.

    Values are text and booleans, for not every vector store takes lists; names start with `PREFIX`.
    """

    body: str
    metadata: dict[str, str | bool]


@dataclass(frozen=True)
class Annotator:
    """Reviews texts and gives them back with their markers. `today` defaults to the current day (UTC)."""

    points: Sequence[int] = ALL_POINTS
    reviewer: Reviewer | None = None
    today: date | None = None

    def __call__(self, text: str, name: str) -> Gated:
        """Annotate one text. Raises ReviewIncomplete where a pass failed, DocumentRefused where no CGD can be made."""
        result = review(text, name=name, today=self.today, points=self.points, reviewer=self.reviewer)
        if result.status != "complete":
            raise ReviewIncomplete(f"{name}: {'; '.join(result.notes) or 'the review is incomplete'}")
        if result.cgd_text is None:
            raise DocumentRefused(f"{name}: {'; '.join(result.notes) or 'no CGD can be made of it'}")
        return describe(result.cgd_text, self.today)


def admitted(text: str, today: date | None = None) -> Gated | None:
    """The document where the ingestion gate lets it through, else None. Text that is no CGD never gets through."""
    return describe(text, today) if refusal(validate(text, now=_now(today))) is None else None


def describe(cgd: str, today: date | None = None) -> Gated:
    """Take a CGD apart for retrieval; whether it may be ingested is computed, not read."""
    layout, data = take_apart(cgd), read_frontmatter(cgd).data
    record = find_record(layout)
    body = cgd[layout.body.start : record.span.start if record else layout.body.end]
    claims = data.get("hitl-claims")
    ids = (
        [str(claim.get("id", "")) for claim in claims if isinstance(claim, dict)]
        if isinstance(claims, list)
        else []
    )
    reason = refusal(validate(cgd, now=_now(today)))
    values: dict[str, Any] = {
        "status": data.get("clarity-status", ""),
        "hitl": data.get("hitl-status", ""),
        "ingestable": reason is None,
        "refused": reason or "",
        "points": data.get("points-passed", ""),
        "claims": ",".join(ids),
        "sha256": data.get("document-sha256", ""),
    }
    metadata = {
        PREFIX + key: value if isinstance(value, bool) else str(value) for key, value in values.items()
    }
    return Gated(body.strip("\r\n") + "\n", metadata)


def day(today: str | None) -> date | None:
    """A day given as YYYY-MM-DD, for frameworks whose settings have to be JSON. Raises InputError for anything else."""
    try:
        return date.fromisoformat(today) if today else None
    except ValueError:
        raise InputError(f"today: {today!r} is not a date such as 2026-01-12") from None


def _now(today: date | None) -> datetime:
    return at_noon(today) if today else datetime.now(UTC)
