"""The report of `review`: its options, and a run printed document by document as it goes."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from cg_review import reports
from cg_review.batch.progress import watched
from cg_review.batch.summary import Summary
from cg_review.cli.options import is_default
from cg_review.cli.outcome import FAIL_ON, Worst
from cg_review.compare import keyed, read_report
from cg_review.results import Tool
from cg_review.run import Done


@dataclass(frozen=True)
class Reporting:
    """How a run is reported: `format_` of `reports.FORMATS`, `color` "auto", "always" or "never"."""

    format_: str
    fail_on: str
    baseline: Path | None
    color: str
    quiet: bool
    verbose: int

    @property
    def needs_texts(self) -> bool:
        """Whether the report shows the documents themselves."""
        return self.format_ in reports.WITH_TEXT

    def worst(self) -> Worst:
        """What the exit code is counted with. Raises InputError where the baseline is no report."""
        known = keyed(read_report(self.baseline)) if self.baseline else {}
        return Worst("any" if self.baseline and is_default("fail_on") else self.fail_on, known)

    def tell_of_another_baseline(self, tool: Tool) -> None:
        """Say on stderr where the baseline was made otherwise: findings may be new though no document changed."""
        earlier = read_report(self.baseline) if self.baseline and not self.quiet else []
        if any(_judges(review.tool) != _judges(tool) for review in earlier):
            told = (
                "made with other rules, another model or --min-confidence; findings may be new for that alone"
            )
            click.echo(f"cg-review: {self.baseline}: {told}", err=True)


_OPTIONS = (
    click.option(
        "--format",
        "format_",
        type=click.Choice(reports.FORMATS),
        default="text",
        show_default=True,
        help="The report's format.",
    ),
    click.option(
        "--fail-on",
        type=click.Choice(FAIL_ON),
        default="never",
        show_default=True,
        help="Exit 1 on findings this grave.",
    ),
    click.option(
        "--baseline",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A report of --format json: its findings do not count for --fail-on, which is `any` then.",
    ),
    click.option(
        "--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
    click.option("-v", "--verbose", count=True, help="Say more on stderr."),
)
_NAMES = tuple(Reporting.__dataclass_fields__)


def _judges(tool: Tool) -> tuple[str, str, float]:
    """What decides what a tool finds."""
    return tool.rules, tool.model, tool.min_confidence


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command and hand their values on as `reporting`."""

    @functools.wraps(command)
    def with_reporting(*args: Any, **values: Any) -> Any:
        reporting = Reporting(**{name: values.pop(name) for name in _NAMES})
        return command(*args, reporting=reporting, **values)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), with_reporting)


def report(
    done: Iterator[Done], total: int, tool: Tool, reporting: Reporting, worst: Worst, across: bool
) -> None:
    """Print what is done; results go to stdout, the table over them all behind them or, for programs, to stderr."""
    readable = reporting.format_ in reports.READABLE
    summary, conflicts = Summary(), None
    reviews = worst.watch(watched(done, total, summary, reporting.quiet))
    if across:
        from cg_review.across import Across

        comparison = Across()
        reviews, conflicts = comparison.watch(reviews), functools.cache(comparison.conflicts)
    for part in reports.stream(reporting.format_, reviews, tool, _use_color(reporting.color), conflicts):
        if not reporting.quiet or not readable:
            click.echo(part, nl=False, color=True if reporting.color == "always" else None)
    if conflicts:
        worst.note(conflicts())
    if total > 1 and not reporting.quiet:
        click.echo("\n" + summary.table(), nl=False, err=not readable)


def _use_color(choice: str) -> bool:
    if choice == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return choice == "always"
