"""What the commands for people share: who answers, which documents, what time it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from cg_review.cli.options import read_moment


def by_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--by`: a machine never finishes a review, so there is no default."""
    return click.option(
        "--by",
        envvar="CG_REVIEW_BY",
        metavar="NAME",
        help="The person who answers for this (or CG_REVIEW_BY).",
    )(function)


def now_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--now`, whose default is the clock."""
    return click.option(
        "--now", callback=read_moment, metavar="ISO8601", help="The moment to write down (default: now, UTC)."
    )(function)


def paths_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the path arguments: documents and folders."""
    return click.argument(
        "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path)
    )(function)


def file_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument of a command on one document."""
    return click.argument("path", metavar="FILE", type=click.Path(path_type=Path))(function)


def moment(now: datetime | None) -> datetime:
    """`now`, or the clock's moment, in UTC and without microseconds."""
    return (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
