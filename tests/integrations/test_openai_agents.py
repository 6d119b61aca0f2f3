"""Against the real OpenAI Agents SDK and Anthropic SDK, without a request to anyone (`make test-frameworks`)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from integrations.needs import need, output_of

need("agents")

from agents import Agent, RunConfig, Runner
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from anthropic.types import ToolParam
from cg_review.integrations.openai_agents import clarity_gate_tools
from cg_review.integrations.tools import Workspace, anthropic_tools
from integrations.cgds import TODAY, workspace
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic import TypeAdapter


class Scripted(Model):
    """A model that calls one tool, then says what it got."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    async def get_response(self, system_instructions, input, *rest, **named):  # type: ignore[no-untyped-def]
        self.seen.append(input)
        if len(self.seen) == 1:
            call = ResponseFunctionToolCall(
                arguments='{"path": "plan.md"}', call_id="c1", name="review_document", type="function_call"
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(text="done", type="output_text", annotations=[])
        message = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *rest, **named):  # type: ignore[no-untyped-def]
        raise NotImplementedError


def test_an_agent_reviews_a_document(tmp_path: Path) -> None:
    model = Scripted()
    agent = Agent(
        name="reviewer", tools=clarity_gate_tools(Workspace(workspace(tmp_path), TODAY)), model=model
    )
    result = asyncio.run(Runner.run(agent, "Review plan.md", run_config=RunConfig(tracing_disabled=True)))
    assert result.final_output == "done"
    outputs = [item["output"] for item in model.seen[1] if item.get("type") == "function_call_output"]  # type: ignore[attr-defined]
    assert json.loads(outputs[0])["draft"] == "plan.cgd.md"
    assert (tmp_path / "plan.cgd.md").exists()


def test_broken_arguments_come_back_as_words(tmp_path: Path) -> None:
    tool = clarity_gate_tools(Workspace(tmp_path, TODAY))[0]
    for arguments in ("{", "[]", '{"path": "gone.md"}'):
        assert "error" in json.loads(asyncio.run(tool.on_invoke_tool(None, arguments)))  # type: ignore[arg-type]


def test_anthropics_sdk_takes_the_tool_definitions() -> None:
    assert TypeAdapter(list[ToolParam]).validate_python(anthropic_tools())


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "findings" in output_of("openai_agents_tools.py", capsys)
