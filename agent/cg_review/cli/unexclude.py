"""`cg-review unexclude FILE --id ID`: take an exclusion block away."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, file_argument, moment, now_option


@click.command("unexclude", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option("--id", "id_", metavar="ID", help="The block's id.")
@click.option("--all", "all_", is_flag=True, help="All blocks of the document.")
@by_option
@now_option
def command(path: Path, id_: str | None, all_: bool, by: str | None, now: datetime | None) -> int:
    """Take an exclusion block away; what stood in it is reviewed, and the document is pending again."""
    from cg_review.hitl.answers import person
    from cg_review.hitl.commands import change
    from cg_review.hitl.excluding import unexclude, unexclude_all

    if (id_ is None) is not all_:
        raise click.UsageError("give either --id ID or --all")
    when, who = moment(now), person(by)

    def edit(text: str) -> str:
        if id_ is None:
            return unexclude_all(text, name=path.name, today=when.date())
        return unexclude(text, id_, name=path.name, today=when.date())

    change(path, "unexclude", who, when, id_ or "all", edit)
    click.echo(f"{path}: reviewed again; PENDING, see `cg-review confirm {path}`")
    return 0
