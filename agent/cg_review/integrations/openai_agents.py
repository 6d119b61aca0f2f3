"""OpenAI Agents SDK: the tools as `FunctionTool`s for an `Agent`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from agents import FunctionTool

from cg_review.integrations.tools import TOOLS, Tool, Workspace


def clarity_gate_tools(workspace: Workspace) -> list[FunctionTool]:
    """The tools over the documents of `workspace`; what a call gave wrongly comes back for the model to read."""
    return [
        FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=tool.input_schema,
            on_invoke_tool=_invoke(tool, workspace),
            strict_json_schema=False,
        )
        for tool in TOOLS.values()
    ]


def _invoke(tool: Tool, workspace: Workspace) -> Callable[[Any, str], Awaitable[str]]:
    async def invoke(context: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
        except ValueError:
            return json.dumps({"error": "the arguments are not JSON"})
        if not isinstance(given, dict):
            return json.dumps({"error": "the arguments are not a JSON object"})
        return json.dumps(workspace.dispatch(tool.name, given), ensure_ascii=False)

    return invoke
