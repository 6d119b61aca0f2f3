"""LangChain: a transformer that annotates, a filter that lets only ingestable documents through, tools for an agent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.tools import StructuredTool

from cg_review.integrations.retrieval import Annotator, Gated, admitted
from cg_review.integrations.tools import TOOLS, Tool, Workspace
from cg_review.points import ALL_POINTS
from cg_review.reviewers import Reviewer


class ClarityGateAnnotator(BaseDocumentTransformer):
    """Gives documents back with their epistemic markers and the gate's metadata; put it before the splitter.

    What it gives back is a draft: a person has not confirmed it, and `clarity_gate_ingestable` is false.
    """

    def __init__(
        self, points: Sequence[int] = ALL_POINTS, reviewer: Reviewer | None = None, today: date | None = None
    ) -> None:
        self._annotate = Annotator(points, reviewer, today)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Annotate all documents. Raises CgReviewError for one that cannot be."""
        return [
            _with(one, self._annotate(one.page_content, _name(one, number)))
            for number, one in enumerate(documents)
        ]


class ClarityGateFilter(BaseDocumentTransformer):
    """Lets through only CGDs that the ingestion gate admits, without frontmatter and record; put it before the splitter.

    It goes by the document's text alone: metadata can say anything.
    """

    def __init__(self, today: date | None = None) -> None:
        self._today = today

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """The documents that may be ingested."""
        gated = ((one, admitted(one.page_content, self._today)) for one in documents)
        return [_with(one, through) for one, through in gated if through is not None]


def clarity_gate_tools(workspace: Workspace) -> list[StructuredTool]:
    """The tools for an agent over the documents of `workspace`."""
    return [_tool(tool, workspace) for tool in TOOLS.values()]


def _tool(tool: Tool, workspace: Workspace) -> StructuredTool:
    def run(**arguments: Any) -> str:
        return json.dumps(workspace.dispatch(tool.name, arguments), ensure_ascii=False)

    return StructuredTool.from_function(
        run, name=tool.name, description=tool.description, args_schema=tool.arguments, infer_schema=False
    )


def _name(document: Document, number: int) -> str:
    return str(document.metadata.get("source") or document.id or f"document-{number + 1}.md")


def _with(document: Document, gated: Gated) -> Document:
    metadata = {**document.metadata, **gated.metadata}
    return Document(id=document.id, page_content=gated.body, metadata=metadata)
