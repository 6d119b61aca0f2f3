"""cg-review validate: check documents against the format."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import click

from cg_review.cli._documents import Run, clock, now_option, paths_argument
from cg_review.validator import PROFILES, ValidationReport
from cg_review.validator import formats as render


@click.command("validate")
@paths_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="base",
    show_default=True,
    help="rfc004 adds the limits of RFC-004, rfc002 advice for chunking.",
)
@click.option(
    "--enable",
    multiple=True,
    metavar="CODE",
    help="Also report a code that is off by default, such as W-HC04.",
)
@click.option("--strict", is_flag=True, help="Exit 1 on warnings as well.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about valid documents.")
@now_option
def command(
    paths: tuple[str, ...],
    format_: str,
    profile: str,
    enable: tuple[str, ...],
    strict: bool,
    quiet: bool,
    now: datetime | None,
) -> int:
    """Check documents against the Clarity Gate format 2.1, every fault at once.

    PATH is a file, a folder (every *.cgd.md below it) or - for stdin. Exit 0: valid; 1: an error (with --strict a
    warning too); 2: a path that cannot be read.
    """
    run = Run()
    reports = _watched(run, run.reports(paths, clock(now), profile, enable), strict)
    if format_ == "text":
        for report in reports:
            if report.faults or not quiet:
                click.echo(render.as_text(report), nl=False)
    elif format_ == "sarif":
        from cg_review.validator.sarif import as_sarif

        click.echo(as_sarif(reports), nl=False)
    else:
        click.echo(render.as_json(reports) if format_ == "json" else render.as_github(reports), nl=False)
    return run.exit_code


def _watched(run: Run, reports: Iterator[ValidationReport], strict: bool) -> Iterator[ValidationReport]:
    for report in reports:
        if not report.valid or (strict and report.faults):
            run.fail(1)
        yield report
