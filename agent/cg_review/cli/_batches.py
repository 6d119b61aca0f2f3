"""`--batch-api` of a review: the same command submits, waits, or finishes; `cg-review batch fetch` has it finish."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cg_review.batch.lock import only_run
from cg_review.config import load_config
from cg_review.errors import InputError
from cg_review.pipeline import Settings
from cg_review.project import state_folder
from cg_review.reviewers.settings import ModelSettings
from cg_review.run import Options, Plan

if TYPE_CHECKING:
    from cg_review.batch_api.flow import Ready
    from cg_review.batch_api.records import Run

_FETCHED = "cg_review.batch"  # where a context has the run that `batch fetch` goes on with
_NOT_AGAIN = {"paths", "today", "now", "batch_api", "wait", "dry_run"}


@contextmanager
def batches(
    planned: Plan,
    settings: Settings,
    options: Options,
    model: ModelSettings,
    batch_api: bool,
    wait: bool,
    quiet: bool,
) -> Iterator[tuple[Plan, Settings, int]]:
    """Take a run through its batches as far as it goes now.

    Gives what can be finished, how, and the exit code of what cannot; left without an error, that counts as done.
    """
    from cg_review.batch_api import WAITS
    from cg_review.batch_api.flow import BatchRun, check, short_id
    from cg_review.batch_api.records import Records, Run

    if not batch_api:
        raise InputError("--wait goes with --batch-api")
    context, tell = click.get_current_context(), teller(quiet)
    check(model, options, context.params["paths"])
    state = planned.state or state_folder(planned.jobs[0].source or Path())
    fetched: Run | None = context.meta.get(_FETCHED)
    arguments = arguments_of(context)
    run = fetched or Run(
        id=short_id(datetime.now(UTC), arguments),
        now=settings.now,
        folder=os.path.relpath(Path.cwd(), state.parent),
        arguments=tuple(arguments),
    )
    records = Records(state)
    with only_run(records.folder):
        batch = BatchRun(run, records, planned, settings, options, model)
        if wait:
            batch.wait(tell)
        elif fetched is None:
            batch.send(tell)
        ready = batch.ready()
        _tell_what_is_left(ready, batch.has_batches, state, tell)
        yield ready.planned, batch.settings, WAITS if ready.waiting else 3 if ready.left else 0
        batch.finished(ready)


def _tell_what_is_left(ready: Ready, own: bool, state: Path, tell: Callable[[str], None]) -> None:
    for reason in ready.left.values():
        click.echo(f"cg-review: {reason}", err=True)
    if ready.waiting:
        where = "" if state == state_folder(Path.cwd()) else f" --project {shlex.quote(str(state.parent))}"
        then = "" if own else "; an earlier run sent them, so then give this command again"
        tell(
            f"{len(ready.waiting)} document(s) wait: `cg-review batch fetch{where}` gets their answers{then}"
        )


def teller(quiet: bool = False) -> Callable[[str], None]:
    """Tells what goes on, on stderr, each line once in a row."""
    last: list[str] = []

    def tell(line: str) -> None:
        if not quiet and last != [line]:
            click.echo(f"cg-review: {line}", err=True)
        last[:] = [line]

    return tell


def arguments_of(context: click.Context) -> list[str]:
    """The command line that gives a review these values again, wherever they came from; without its clock."""
    words: list[str] = []
    for one in context.command.params:
        name = str(one.name)
        default = context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT
        if isinstance(one, click.Option) and not default and name not in _NOT_AGAIN:
            words += _words(one, context.params[name])
    return [*words, "--", *context.params["paths"]]


def _words(option: click.Option, value: object) -> list[str]:
    name = max(option.opts, key=len)
    if option.is_flag:
        return [name] if value else []
    if option.count:
        return [name] * int(str(value))
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    return [word for one in values for word in (name, str(one))]


def go_on(run: Run, project: Path, wait: bool) -> int:
    """Go on with a run that was submitted, where and as it was: finish what has its answers. Returns its exit code."""
    from cg_review.cli.review import command

    folder = project / run.folder
    if not folder.is_dir():
        raise InputError(f"{folder}: is no longer there; the batch was submitted from it")
    arguments = ["--batch-api", "--now", run.now.isoformat(), *(["--wait"] if wait else []), *run.arguments]
    with chdir(folder):
        context = command.make_context(
            "review",
            arguments,
            parent=click.get_current_context(),
            obj=load_config(Path.cwd()),
            default_map={},  # what held then stands in the arguments
            auto_envvar_prefix=None,
        )
        context.meta[_FETCHED] = run
        with context:
            return int(command.invoke(context) or 0)
