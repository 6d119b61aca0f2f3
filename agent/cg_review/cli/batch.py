"""`cg-review batch list|fetch`: the batches that `--batch-api` submitted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cg_review.errors import CgReviewError, InputError

if TYPE_CHECKING:
    from cg_review.batch_api.records import Record, Records

_project = click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    metavar="DIR",
    help="A folder of the project (default: this one).",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Look at the batches that `--batch-api` submitted, or get their answers and finish the reviews.

    `batch list [--format text|json]` asks the provider how far each is. `batch fetch [ID] [--wait]` takes the batch's id
    or the provider's; without one, all that are not finished. Both take `--project DIR`. Fetching twice changes nothing.
    """


@command.command("list")
@_project
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
def list_(project: Path, format_: str) -> int:
    """Show the batches of the project and how far they are."""
    rows = [_row(record) for record in _records(project).all()]
    if format_ == "json":
        click.echo(json.dumps({"batches": rows}, indent=2))
        return 0
    for row in rows:
        counts = f"{row['documents']} documents, {row['requests']} requests"
        click.echo(f"{row['id']}  {row['submitted'][:19]}Z  {row['model']}  {counts}  {row['state']}")
    return 0


@command.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_project
@click.option(
    "--wait", is_flag=True, help="Wait until they have ended; ask what answers lead to, in a batch too."
)
def fetch(ids: tuple[str, ...], project: Path, wait: bool) -> int:
    """Get the answers of batches that have ended, and finish the reviews of their documents.

    Exit codes are those of a review; 4 while answers are still to come.
    """
    from cg_review.batch.lock import only_run
    from cg_review.cli._batches import go_on, teller

    records, tell = _records(project), teller()
    if not records.folder.is_dir():
        tell("no batches here")
        return 0
    with only_run(records.folder):
        code = _settle(records, tell)
        chosen = _chosen(records, ids)
        got = [_fetched(records, record, tell) for record in chosen]
    code = max([code, *(failed for _, failed in got)])
    runs = {record.run.id: record.run for record, _ in got if wait or record.ended is not None}
    for run in runs.values():
        code = max(code, go_on(run, records.folder.parent.parent, wait))
    if not chosen:
        tell("no batch waits to be fetched")
    return code


def _records(project: Path) -> Records:
    from cg_review.batch_api.records import Records
    from cg_review.project import state_folder

    return Records(state_folder(project))


def _chosen(records: Records, ids: tuple[str, ...]) -> list[Record]:
    known = records.all()
    missing = set(ids) - {name for record in known for name in (record.id, record.remote)}
    if missing:
        raise InputError(
            f"{sorted(missing)[0]}: no such batch in {records.folder}; see `cg-review batch list`"
        )
    if ids:
        return [record for record in known if {record.id, record.remote} & set(ids)]
    return [record for record in known if not record.finished and (record.remote or record.ended)]


def _settle(records: Records, tell: Callable[[str], None]) -> int:
    """Find out what became of submissions that were cut off."""
    from cg_review.api import run_sync
    from cg_review.batch_api.flow import settle

    code = 0
    for settings in {record.settings for record in records.open() if record.remote is None}:
        try:
            run_sync(settle(records, settings, tell))
        except CgReviewError as error:
            code = max(code, _tell_error(error))
    return code


def _fetched(records: Records, record: Record, tell: Callable[[str], None]) -> tuple[Record, int]:
    """The batch with its answers where it has ended, and the exit code."""
    from cg_review.api import run_sync
    from cg_review.batch_api import WAITS
    from cg_review.batch_api.flow import fetch as get

    try:
        found = run_sync(get(records, record, tell))
    except CgReviewError as error:
        return record, _tell_error(error)
    return found, 0 if found.ended is not None else WAITS


def _tell_error(error: CgReviewError) -> int:
    click.echo(f"cg-review: {error}", err=True)
    return error.exit_code


def _row(record: Record) -> dict[str, Any]:
    usage = record.usage
    return {
        "id": record.id,
        "provider": record.settings.provider,
        "model": record.model,
        "remote": record.remote,
        "submitted": record.submitted.isoformat(),
        "documents": len(record.documents),
        "requests": len(record.requests),
        "state": _state(record),
        "cost": usage.cost if usage else None,
    }


def _state(record: Record) -> str:
    """The provider's word, asked for where it may have changed; "unknown" where it cannot be asked."""
    from cg_review.api import run_sync
    from cg_review.batch_api.flow import look
    from cg_review.batch_api.post import Gone

    if record.ended is not None:
        return f"{record.ended}, {'finished' if record.finished else 'answers are here'}"
    if record.remote is None:
        return "submission was cut off"
    try:
        return run_sync(look(record)).state
    except Gone as error:
        click.echo(f"cg-review: {error}", err=True)
        return "gone"
    except CgReviewError as error:
        click.echo(f"cg-review: {error}", err=True)
        return "unknown"
