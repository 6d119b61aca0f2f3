"""Against the real langchain-core (`make test-frameworks`)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from integrations.needs import need, output_of

need("langchain_core")

from cg_review.integrations.langchain import ClarityGateAnnotator, ClarityGateFilter, clarity_gate_tools
from cg_review.integrations.tools import TOOLS, Workspace
from integrations.cgds import SOURCE, TODAY, draft, reviewed, tampered, workspace
from langchain_core.documents import Document


def test_documents_are_annotated_and_keep_their_own_metadata() -> None:
    documents = [Document(id="1", page_content=SOURCE, metadata={"source": "plan.md", "page": 3})]
    (one,) = ClarityGateAnnotator(today=TODAY).transform_documents(documents)
    assert "**projected**" in one.page_content
    assert (one.id, one.metadata["page"], one.metadata["clarity_gate_ingestable"]) == ("1", 3, False)
    assert documents[0].page_content == SOURCE
    assert asyncio.run(ClarityGateAnnotator(today=TODAY).atransform_documents(documents)) == [one]


def test_only_ingestable_documents_get_through() -> None:
    texts = [SOURCE, draft(), reviewed(), tampered()]
    lying = {"clarity_gate_ingestable": True}
    through = ClarityGateFilter(TODAY).transform_documents([Document(text, metadata=lying) for text in texts])
    assert [one.page_content for one in through] == ["# Notes\n\nWe met on Monday. We plan to meet again.\n"]
    assert through[0].metadata["clarity_gate_points"] == "1-9"


def test_an_agent_can_call_the_tools(tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in clarity_gate_tools(Workspace(workspace(tmp_path), TODAY))}
    assert list(tools) == list(TOOLS)
    answer = json.loads(tools["review_document"].invoke({"path": "plan.md"}))
    assert answer["draft"] == "plan.cgd.md"
    assert tools["review_document"].tool_call_schema.model_json_schema()["required"] == ["path"]
    assert "error" in json.loads(tools["check_document"].invoke({"path": "../x.md"}))


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "let through: []" in output_of("langchain_ingestion.py", capsys)
