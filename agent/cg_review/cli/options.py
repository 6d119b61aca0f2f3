"""Option values that several commands read the same way."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import click

from cg_review.batch.engines import ENGINES
from cg_review.pipeline import at_noon
from cg_review.run import Options


def read_today(ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
    """A real day as YYYY-MM-DD."""
    if value is None:
        return None
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date such as 2026-01-12") from None


def read_moment(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """A moment in ISO 8601; UTC where it has no offset."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a moment such as 2026-01-12T09:30:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def is_default(option: str) -> bool:
    """Whether nobody set the option: not on the command line, not in the environment."""
    given = click.get_current_context().get_parameter_source(option)
    return given is click.core.ParameterSource.DEFAULT


def moment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--today` and `--now`; the command gets the moment to judge dates by as `now`."""

    @click.option(
        "--today",
        callback=read_today,
        metavar="YYYY-MM-DD",
        help="The day to judge dates by (default: today, UTC).",
    )
    @click.option("--now", callback=read_moment, metavar="ISO8601", help="The moment to judge dates by.")
    @functools.wraps(command)
    def wrapped(*args: Any, today: date | None, now: datetime | None, **values: Any) -> Any:
        moment = now or (at_noon(today) if today else datetime.now(UTC))
        return command(*args, now=moment, **values)

    return wrapped


_RUN_OPTIONS = ("jobs", "engine", "exclude", "force", "resume", "convert", "across")


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of how a run is made; they reach the command as `options`."""

    @click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave out what matches, like a line of a .gitignore; repeatable.",
    )
    @click.option(
        "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Documents at once."
    )
    @click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="local",
        show_default=True,
        help="Where documents are reviewed.",
    )
    @click.option(
        "--across", is_flag=True, help="Also report what the documents tell differently from each other."
    )
    @click.option(
        "--convert", is_flag=True, help="In folders, take PDF, Word, PowerPoint and HTML files too."
    )
    @click.option("--force", is_flag=True, help="Review what has not changed since the last run too.")
    @click.option("--resume", is_flag=True, help="Go on with the run that was interrupted, by its clock.")
    @functools.wraps(function)
    def wrapped(*args: Any, **values: Any) -> Any:
        given = values.get("today") is not None or values.get("now") is not None
        ours = {name: values.pop(name) for name in _RUN_OPTIONS}
        return function(*args, options=Options(**ours, clock_given=given), **values)

    return wrapped
