"""Haystack: components that annotate documents, or let only ingestable ones through and say why the others stay out."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

from haystack import Document, component

from cg_review.integrations.retrieval import Annotator, Gated, admitted, day
from cg_review.pipeline import at_noon
from cg_review.points import ALL_POINTS
from cg_review.validator import refusal, validate


@component
class ClarityGateAnnotator:
    """Gives documents back with their markers and the gate's metadata; put it before the splitter.

    `today` (YYYY-MM-DD) is the day to judge dates by; it defaults to the current day (UTC).
    """

    def __init__(self, points: list[int] | None = None, today: str | None = None) -> None:
        self.points = points
        self.today = today

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Annotate all documents. Raises CgReviewError for one that cannot be."""
        annotate = Annotator(self.points or ALL_POINTS, today=day(self.today))
        return {"documents": [_with(one, annotate(one.content or "", _name(one))) for one in documents]}


@component
class ClarityGateFilter:
    """Lets through only CGDs that the ingestion gate admits; put it before the splitter."""

    def __init__(self, today: str | None = None) -> None:
        self.today = today

    @component.output_types(documents=list[Document], refused=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """`documents` may be ingested, without frontmatter and record; `refused` are as they came, with the reason."""
        today = day(self.today)
        through: list[Document] = []
        refused: list[Document] = []
        for one in documents:
            text = one.content or ""
            gated = admitted(text, today)
            if gated is not None:
                through.append(_with(one, gated))
            else:
                now = at_noon(today) if today else datetime.now(UTC)
                reason = refusal(validate(text, now=now)) or ""
                refused.append(dataclasses.replace(one, meta={**one.meta, "clarity_gate_refused": reason}))
        return {"documents": through, "refused": refused}


def _name(document: Document) -> str:
    return str(document.meta.get("file_path") or document.meta.get("name") or f"{document.id[:12]}.md")


def _with(document: Document, gated: Gated) -> Document:
    return dataclasses.replace(document, content=gated.body, meta={**document.meta, **gated.metadata})
