"""The server as a real client sees it, over stdio (`make test-frameworks`)."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from integrations.needs import need, output_of

need("mcp")

import jsonschema
from cg_review.integrations.tools import TOOLS
from integrations.cgds import TODAY, draft, workspace
from mcp import Client, StdioServerParameters, stdio_client


def talk(folder: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[Any, list[Any]]:
    """Start the server, list its tools and make the calls."""

    async def conversation() -> tuple[Any, list[Any]]:
        arguments = ["-m", "cg_review", "mcp", "--root", str(folder), "--today", str(TODAY)]
        parameters = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with Client(stdio_client(parameters)) as client:
            listed = await client.list_tools()
            return listed.tools, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(conversation())


def test_tools_have_schemas_and_answers_that_fit_them(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("review_document", {"path": "plan.md"}),
        ("check_document", {"path": "reviewed.cgd.md"}),
        ("list_claims", {"path": "plan.cgd.md"}),
        ("how_to_answer", {"path": "plan.cgd.md"}),
    ]
    tools, answers = talk(workspace(tmp_path), *calls)
    described = {tool.name: tool for tool in tools}
    assert list(described) == list(TOOLS)
    for (name, _), answer in zip(calls, answers, strict=True):
        assert not answer.is_error
        jsonschema.validate(answer.structured_content, described[name].output_schema)
        assert described[name].description == TOOLS[name].description
        assert described[name].input_schema["required"] == ["path"]
    review, check, claims, how = (answer.structured_content for answer in answers)
    assert review["draft"] == "plan.cgd.md"
    assert (tmp_path / "plan.cgd.md").read_text() == draft()
    assert check["ingestable"] is True
    assert {claim["status"] for claim in claims["claims"]} == {"pending"}
    assert how["command"].startswith("cg-review confirm ")


def test_what_is_wrong_is_told_and_nothing_can_confirm(tmp_path: Path) -> None:
    tools, (outside, unknown) = talk(
        workspace(tmp_path), ("check_document", {"path": "../x.md"}), ("review_document", {"path": "gone.md"})
    )
    assert outside.is_error
    assert "outside the workspace" in outside.content[0].text
    assert unknown.is_error
    assert "no such file" in unknown.content[0].text
    assert not [tool.name for tool in tools if "confirm" in tool.name or "apply" in tool.name]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "cg-review confirm" in output_of("mcp_client.py", capsys)
