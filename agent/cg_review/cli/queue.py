"""`cg-review queue PATH… -o queue.yaml`: write the claims that await answers into a file made for people."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import moment, now_option, paths_argument
from cg_review.errors import InputError


@click.command("queue", context_settings={"help_option_names": ["-h", "--help"]})
@paths_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("queue.yaml"),
    show_default=True,
    help="Where to write the queue.",
)
@click.option(
    "--force", is_flag=True, help="Overwrite a queue that is there already, with the answers in it."
)
@now_option
def command(paths: tuple[Path, ...], output: Path, force: bool, now: datetime | None) -> int:
    """Write a review queue: every claim that waits for a person, with its context, to be filled in with an editor.

    PATH is a Clarity-Gated Document, a source that has one, or a folder. `cg-review apply` takes the answers.
    """
    from cg_review.files import check_writable, write_text
    from cg_review.hitl.desk import find_desks
    from cg_review.hitl.queue import render_queue

    check_writable(output)
    if output.exists() and not force:
        raise InputError(
            f"{output}: is there already, perhaps with answers in it; choose another -o, or --force"
        )
    text, count = render_queue(find_desks(paths, "queue"), output, moment(now))
    if not count:
        click.echo("no claim awaits an answer; no queue written", err=True)
        return 0
    write_text(output, text)
    click.echo(f"{output}: {count} claim(s). Fill in the responses, then: cg-review apply {output} --by NAME")
    return 0
