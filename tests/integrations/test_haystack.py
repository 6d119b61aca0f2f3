"""Against the real haystack-ai (`make test-frameworks`)."""

from __future__ import annotations

import pytest
from integrations.needs import need, output_of

need("haystack")

from cg_review.integrations.haystack import ClarityGateAnnotator, ClarityGateFilter
from haystack import Document, Pipeline
from haystack.components.preprocessors import DocumentSplitter
from integrations.cgds import SOURCE, TODAY, draft, reviewed, tampered


def test_a_pipeline_annotates_and_the_metadata_travels_on_the_chunks() -> None:
    pipeline = Pipeline()
    pipeline.add_component("gate", ClarityGateAnnotator(today=str(TODAY)))
    pipeline.add_component("split", DocumentSplitter(split_by="passage", split_length=1))
    pipeline.connect("gate.documents", "split.documents")
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["cg_review.integrations.haystack"])
    for one in (pipeline, again):
        chunks = one.run({"gate": {"documents": [Document(content=SOURCE, meta={"file_path": "plan.md"})]}})
        texts = [chunk.content for chunk in chunks["split"]["documents"]]
        assert "**projected**" in texts[1]
        assert {chunk.meta["clarity_gate_ingestable"] for chunk in chunks["split"]["documents"]} == {False}


def test_the_filter_says_why_it_refuses() -> None:
    documents = [Document(content=text) for text in (SOURCE, draft(), reviewed(), tampered())]
    answer = ClarityGateFilter(today=str(TODAY)).run(documents)
    assert [one.content for one in answer["documents"]] == [
        "# Notes\n\nWe met on Monday. We plan to meet again.\n"
    ]
    reasons = [one.meta["clarity_gate_refused"] for one in answer["refused"]]
    assert [reason.split()[0] for reason in reasons] == ["E-ST02", "not", "W-HS01"]
    assert [one.content for one in answer["refused"]] == [SOURCE, draft(), tampered()]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "refused: [" in output_of("haystack_pipeline.py", capsys)
