"""The options of `review` that say what a document is compared with, and the question that stands for them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from cg_review.connectors import load_connectors
from cg_review.errors import InputError
from cg_review.sources import Connector, Source, read_sources
from cg_review.tier1 import MAX_AGE


class Compared(NamedTuple):
    """What documents are compared with, and whether a person is there to do it: fields of `Settings`."""

    sources: tuple[Source | Connector, ...]
    max_age: int
    attended: bool


_OPTIONS = (
    click.option(
        "--source",
        "sources",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="A source of truth: Markdown, text, CSV, JSON, or a folder of them; repeatable.",
    ),
    click.option("--no-source", is_flag=True, help="There is no source of truth; do not ask for one."),
    click.option(
        "--connector",
        "connectors",
        multiple=True,
        metavar="KIND:ARG",
        help="A structured source: git:REPOSITORY, table:FILE, or an installed kind; repeatable.",
    ),
    click.option(
        "--max-age",
        type=click.IntRange(1),
        default=MAX_AGE,
        show_default=True,
        metavar="DAYS",
        help="When a Source of Truth's facts that age have to be looked at again.",
    ),
    click.option(
        "--attended",
        is_flag=True,
        help="A person is present who can compare claims with the sources (Round A).",
    ),
)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command and hand on what they name, read, as `compared`."""

    @functools.wraps(command)
    def with_sources(*args: Any, **values: Any) -> Any:
        names = ("sources", "connectors", "no_source", "attended")
        given = {name: values.pop(name) for name in names}
        compared = Compared(_gather(**given), values.pop("max_age"), given["attended"])
        return command(*args, compared=compared, **values)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), with_sources)


def _gather(
    sources: tuple[Path, ...], connectors: tuple[str, ...], no_source: bool, attended: bool
) -> tuple[Source | Connector, ...]:
    """What was given; where a person is present at a terminal and nothing was, they are asked, once.

    Raises InputError for what cannot be read.
    """
    if no_source and (sources or connectors):
        raise InputError("--no-source and --source contradict each other")
    is_asked = attended and not (sources or connectors or no_source)
    if is_asked and sys.stdin.isatty() and sys.stderr.isatty():
        click.echo(
            "Is there a source of truth for this? (a file or folder; Enter for none) ", nl=False, err=True
        )
        given = sys.stdin.readline().strip()
        sources = (Path(given).expanduser(),) if given else ()
    return (*read_sources(sources), *load_connectors(connectors))
