"""`cg-review demote FILE --reason …`: make a Source of Truth a plain document again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, file_argument, moment, now_option


@click.command("demote", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option("--reason", metavar="TEXT", default="", help="Why it is no Source of Truth any more.")
@by_option
@now_option
def command(path: Path, reason: str, by: str | None, now: datetime | None) -> int:
    """Take the tier away and archive the table; promoting again restores it."""
    from cg_review.hitl.commands import change
    from cg_review.tiers import demote

    when = moment(now)
    if not change(path, "demote", by or "", when, reason, lambda text: demote(text, reason, when.date())):
        click.echo(f"cg-review: {path}: W-DM01: no Source of Truth, nothing to demote", err=True)
        return 0
    click.echo(f"{path}: no Source of Truth any more; its table is archived")
    return 0
