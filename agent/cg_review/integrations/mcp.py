"""An MCP server over stdio: the tools of `tools.py` with their output schemas. `cg-review mcp` starts it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from cg_review import __version__
from cg_review.errors import CgReviewError
from cg_review.integrations import tools
from cg_review.integrations.tools import TOOLS, Workspace

_PATH = Annotated[str, Field(description="A Markdown document or CGD, relative to the workspace.")]


def server(workspace: Workspace) -> MCPServer[Any]:
    """The server over the documents of `workspace`."""
    made: MCPServer[Any] = MCPServer(
        "cg-review", version=__version__, instructions=tools._ASK, log_level="WARNING"
    )

    def tool(function: Any) -> None:
        described = TOOLS[function.__name__]
        hints = ToolAnnotations(readOnlyHint=described.read_only, destructiveHint=False, openWorldHint=False)
        made.tool(described.name, description=described.description, annotations=hints)(_told(function))

    def review_document(path: _PATH, write: bool = True) -> tools.ReviewAnswer:
        return workspace.review_document(tools.ReviewArguments(path=path, write=write))

    def review_text(text: str) -> tools.ReviewAnswer:
        return workspace.review_text(tools.TextArguments(text=text))

    def validate_document(path: _PATH) -> tools.ValidateAnswer:
        return workspace.validate_document(tools.DocumentArguments(path=path))

    def check_document(path: _PATH) -> tools.CheckAnswer:
        return workspace.check_document(tools.DocumentArguments(path=path))

    def list_claims(path: _PATH) -> tools.ClaimsAnswer:
        return workspace.list_claims(tools.DocumentArguments(path=path))

    def how_to_answer(path: _PATH) -> tools.HowToAnswer:
        return workspace.how_to_answer(tools.DocumentArguments(path=path))

    for function in (
        review_document,
        review_text,
        validate_document,
        check_document,
        list_claims,
        how_to_answer,
    ):
        tool(function)
    return made


def _told(function: Callable[..., Any]) -> Callable[..., Any]:
    """What the caller gave wrongly is told to the model; the server logs it as no fault of its own."""

    @functools.wraps(function)
    def run(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except CgReviewError as error:
            raise ToolError(str(error)) from error

    return run
