"""What the commands on documents share: their path arguments, `--now`, and running over all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from io import TextIOWrapper
from typing import Any

import click

from cg_review.errors import CgReviewError
from cg_review.validator import ValidationReport, validate
from cg_review.validator.files import Input, collect


def _moment(_context: click.Context, _parameter: click.Parameter, value: str | None) -> datetime | None:
    """Read a date or a moment in ISO 8601; UTC where it names no zone."""
    try:
        moment = datetime.fromisoformat(value) if value is not None else None
        return moment and (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC))
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{value!r} is no date or moment such as 2026-06-15 or 2026-06-15T12:00:00Z"
        ) from None


def now_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--now`, whose default is the clock."""
    return click.option(
        "--now",
        callback=_moment,
        metavar="MOMENT",
        help="The moment to judge dates by (default: the clock, UTC).",
    )(function)


def paths_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the path arguments: files, folders (their *.cgd.md), `-` for stdin."""
    return click.argument("paths", nargs=-1, required=True, metavar="PATH...")(function)


def clock(now: datetime | None) -> datetime:
    """Return `now`, or the clock's moment."""
    return now or datetime.now(UTC)


class Run:
    """One run over many documents: what goes wrong with one is told on stderr, and the others still run."""

    def __init__(self) -> None:
        self.exit_code = 0
        for stream in (sys.stdout, sys.stderr):
            if isinstance(
                stream, TextIOWrapper
            ):  # a message may quote what the terminal's encoding cannot show
                stream.reconfigure(errors="backslashreplace")

    def documents(self, paths: Sequence[str]) -> Iterator[Input]:
        """Yield the documents; a path that cannot be used is told and sets the exit code."""
        for one in collect(paths, sys.stdin.buffer):
            if isinstance(one, CgReviewError):
                self.tell(one)
            else:
                yield one

    def tell(self, error: CgReviewError) -> None:
        """Print an error of ours and remember its exit code; the gravest wins."""
        click.echo(f"cg-review: {error}", err=True)
        self.fail(error.exit_code)

    def fail(self, code: int) -> None:
        """Remember an exit code; the highest wins."""
        self.exit_code = max(self.exit_code, code)

    def reports(
        self, paths: Sequence[str], now: datetime, profile: str = "base", enable: Sequence[str] = ()
    ) -> Iterator[ValidationReport]:
        """Validate the documents."""
        for given in self.documents(paths):
            try:
                yield validate(given.source, now=now, profile=profile, path=given.name, enable=enable)
            except CgReviewError as error:
                self.tell(error)
