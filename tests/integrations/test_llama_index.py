"""Against the real llama-index-core (`make test-frameworks`)."""

from __future__ import annotations

import pytest
from integrations.needs import need, output_of

need("llama_index.core")

from cg_review.integrations.llama_index import ClarityGateAnnotator, ClarityGateFilter
from integrations.cgds import SOURCE, TODAY, draft, reviewed, tampered
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, TextNode, TransformComponent


class Lines(TransformComponent):
    """A splitter that needs no download: a node a paragraph."""

    def __call__(self, nodes, **kwargs):  # type: ignore[no-untyped-def]
        return [
            TextNode(
                text=part,
                metadata=dict(node.metadata),
                excluded_embed_metadata_keys=node.excluded_embed_metadata_keys,
                excluded_llm_metadata_keys=node.excluded_llm_metadata_keys,
            )
            for node in nodes
            for part in node.get_content(MetadataMode.NONE).strip().split("\n\n")
        ]


def test_a_pipeline_annotates_and_the_metadata_travels_on_the_chunks() -> None:
    pipeline = IngestionPipeline(transformations=[ClarityGateAnnotator(today=str(TODAY)), Lines()])
    document = Document(text=SOURCE, metadata={"file_name": "plan.md"})
    heading, text = pipeline.run(documents=[document])
    assert heading.get_content(MetadataMode.NONE) == "# Plan"
    assert "**projected**" in text.get_content(MetadataMode.NONE)
    assert text.metadata["clarity_gate_ingestable"] is False
    assert text.metadata["file_name"] == "plan.md"
    assert "clarity_gate" not in text.get_content(MetadataMode.EMBED)
    assert document.text == SOURCE


def test_a_pipeline_lets_only_ingestable_documents_through() -> None:
    pipeline = IngestionPipeline(transformations=[ClarityGateFilter(today=str(TODAY)), Lines()])
    nodes = pipeline.run(
        documents=[Document(text=text) for text in (SOURCE, draft(), reviewed(), tampered())]
    )
    assert [node.get_content(MetadataMode.NONE) for node in nodes] == [
        "# Notes", "We met on Monday. We plan to meet again."
    ]  # fmt: skip
    assert {node.metadata["clarity_gate_hitl"] for node in nodes} == {"REVIEWED"}


def test_settings_survive_serialisation() -> None:
    one = ClarityGateAnnotator(points=(1, 2), today=str(TODAY))
    assert ClarityGateAnnotator.from_json(one.to_json()) == one


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "let through: []" in output_of("llama_index_pipeline.py", capsys)
