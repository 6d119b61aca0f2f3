"""`cg-review exclude FILE --lines 12-18 --id ID --reason TEXT`: an exclusion block by hand."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, file_argument, moment, now_option


@click.command("exclude", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option("--lines", required=True, metavar="FROM-TO", help="The lines of the file, both included.")
@click.option("--id", "id_", required=True, metavar="ID", help="The block's id.")
@click.option("--reason", required=True, metavar="TEXT", help="Why it is excluded.")
@by_option
@now_option
def command(path: Path, lines: str, id_: str, reason: str, by: str | None, now: datetime | None) -> int:
    """Put an exclusion block around lines of a reviewed document, which is then quarantined.

    The claims that stand there leave the document. It becomes REVIEWED_WITH_EXCEPTIONS and is not ingestable.
    """
    from cg_review.hitl.answers import person
    from cg_review.hitl.commands import change
    from cg_review.hitl.excluding import exclude

    match = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", lines)
    if match is None:
        raise click.BadParameter(f"{lines!r} is no range such as 12-18", param_hint="--lines")
    span = (int(match[1]), int(match[2] or match[1]))
    when, who = moment(now), person(by)

    def edit(text: str) -> str:
        return exclude(text, span, id_, reason, name=path.name, today=when.date(), by=who)

    change(path, "exclude", who, when, f"{id_}, lines {span[0]}-{span[1]}: {reason}", edit)
    click.echo(
        f"{path}: lines {span[0]}-{span[1]} excluded as {id_}; REVIEWED_WITH_EXCEPTIONS, not ingestable"
    )
    return 0
