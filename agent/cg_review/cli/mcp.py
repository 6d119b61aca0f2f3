"""`cg-review mcp`: the review as a server for agents."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from cg_review.cli.options import read_today
from cg_review.errors import InputError


@click.command("mcp", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    metavar="DIR",
    help="The documents that the agent may see (default: the current folder).",
)
@click.option("--today", callback=read_today, metavar="YYYY-MM-DD", help="The day to judge dates by.")
def command(root: Path, today: date | None) -> None:
    """Serve reviews to an agent over stdio (Model Context Protocol).

    The agent can review, validate, check and list claims below DIR. It cannot confirm a claim: for that it is told the
    command that its user runs.
    """
    try:
        from cg_review.integrations.mcp import server
    except ModuleNotFoundError as error:
        raise InputError(f"mcp: {error.name} is missing; pip install 'cg-review[mcp]'") from error
    from cg_review.integrations.tools import Workspace

    server(Workspace(root, today)).run("stdio")
