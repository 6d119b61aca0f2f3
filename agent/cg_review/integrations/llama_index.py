"""LlamaIndex: transformations for the ingestion pipeline that annotate, or let only ingestable documents through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, TransformComponent

from cg_review.integrations.retrieval import Annotator, Gated, admitted, day
from cg_review.points import ALL_POINTS


class ClarityGateAnnotator(TransformComponent):
    """Gives documents back with their markers and the gate's metadata; put it before the node parser.

    `today` (YYYY-MM-DD) is the day to judge dates by (default: the current day, UTC).
    """

    points: tuple[int, ...] = ALL_POINTS
    today: str | None = None

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Annotate all documents. Raises CgReviewError for one that cannot be."""
        annotate = Annotator(self.points, today=day(self.today))
        return [_with(node, annotate(node.get_content(MetadataMode.NONE), _name(node))) for node in nodes]


class ClarityGateFilter(TransformComponent):
    """Lets through only CGDs that the ingestion gate admits, without frontmatter and record; put it before the parser."""

    today: str | None = None

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """The documents that may be ingested, by their text alone: metadata can say anything."""
        gated = ((node, admitted(node.get_content(MetadataMode.NONE), day(self.today))) for node in nodes)
        return [_with(node, through) for node, through in gated if through is not None]


def _name(node: BaseNode) -> str:
    return str(node.metadata.get("file_name") or node.metadata.get("file_path") or f"{node.node_id}.md")


def _with(node: BaseNode, gated: Gated) -> BaseNode:
    """A copy with the text and metadata; the metadata is for filters, not for the embedding or the model's prompt."""
    copy: BaseNode = node.model_copy(deep=True)
    copy.set_content(gated.body)
    copy.metadata.update(gated.metadata)
    keys = list(gated.metadata)
    copy.excluded_embed_metadata_keys = [*copy.excluded_embed_metadata_keys, *keys]
    copy.excluded_llm_metadata_keys = [*copy.excluded_llm_metadata_keys, *keys]
    return copy
