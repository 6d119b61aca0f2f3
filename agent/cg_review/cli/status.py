"""cg-review status: the state of documents in a table."""

from __future__ import annotations

import json
from datetime import datetime

import click

from cg_review.cli._documents import Run, clock, now_option, paths_argument
from cg_review.errors import CgReviewError
from cg_review.validator.files import read_document
from cg_review.validator.status import as_table, status_of


@click.command("status")
@paths_argument
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@now_option
def command(paths: tuple[str, ...], format_: str, now: datetime | None) -> int:
    """Show the state of documents: statuses, pending claims, ingestable or not, tier, claims by round."""
    run = Run()
    rows = []
    for given in run.documents(paths):
        try:
            rows.append(status_of(read_document(given), given.name, clock(now)))
        except CgReviewError as error:
            run.tell(error)
    if format_ == "json":
        click.echo(
            json.dumps(
                {"schema_version": 1, "documents": [row.to_dict() for row in rows]},
                ensure_ascii=False,
                indent=1,
            )
        )
    elif rows:
        click.echo(as_table(rows), nl=False)
    return run.exit_code
