"""MCP: a client starts `cg-review mcp` and works with it as an agent would.

    pip install 'cg-review[mcp]'
    python examples/integrations/mcp_client.py

For a coding agent, the same server in its configuration: {"command": "cg-review", "args": ["mcp", "--root", "docs"]}
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client


async def main() -> None:
    """Review a document in a folder of its own, and ask how its claims are answered."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(__file__).parents[1] / "product-roadmap.md", folder)
        arguments = ["-m", "cg_review", "mcp", "--root", folder]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with Client(stdio_client(server)) as client:
            print([tool.name for tool in (await client.list_tools()).tools])
            review = await client.call_tool("review_document", {"path": "product-roadmap.md"})
            print(json.dumps(review.structured_content, indent=2)[:600], "…")
            how = await client.call_tool("how_to_answer", {"path": "product-roadmap.cgd.md"})
            print(how.structured_content)


asyncio.run(main())
