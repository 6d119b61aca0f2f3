"""`cg-review apply queue.yaml --by NAME`: write the answers of a filled-in queue into their documents."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cg_review.cli._people import by_option, moment, now_option

if TYPE_CHECKING:
    from cg_review.hitl.apply import Outcome


@click.command("apply", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", metavar="QUEUE", type=click.Path(path_type=Path))
@by_option
@click.option("--force", is_flag=True, help="Apply a queue that has expired (W-QU02).")
@now_option
def command(path: Path, by: str | None, force: bool, now: datetime | None) -> int:
    """Write the answers of a review queue into their documents.

    Each document is written at once or not at all; after a kill, run the same command again. Applying twice changes
    nothing. Exit codes: 0 done; 1 an answer could not be applied; 2 wrong usage or an unreadable queue.
    """
    from cg_review.hitl.answers import person
    from cg_review.hitl.apply import apply_queue

    outcomes = apply_queue(path, person(by), moment(now), force)
    for outcome in outcomes:
        _tell(outcome)
    return 1 if any(outcome.failed or outcome.skipped for outcome in outcomes) else 0


def _tell(outcome: Outcome) -> None:
    for message in outcome.messages:
        click.echo(f"cg-review: {outcome.file}: {message}", err=True)
    if outcome.failed:
        click.echo(f"{outcome.file}: nothing applied")
        return
    parts = [f"{outcome.applied} answer(s) applied"] if outcome.applied else []
    parts += [f"{outcome.held} held until the last is given"] if outcome.held else []
    parts += [f"{outcome.already} already applied"] if outcome.already else []
    parts += [f"{outcome.unanswered} not answered"] if outcome.unanswered else []
    click.echo(f"{outcome.file}: {', '.join(parts) or 'no answers in the queue'}; {outcome.status}")
