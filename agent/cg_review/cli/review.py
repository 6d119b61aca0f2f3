"""`cg-review [review] PATH…`: review documents, write their CGDs, print a report."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import click

from cg_review import reports
from cg_review.batch.progress import watched
from cg_review.batch.summary import Summary
from cg_review.cli._batches import batches
from cg_review.cli._sources import gather, source_options
from cg_review.cli.model_options import model_options
from cg_review.cli.options import is_default, read_moment, read_today, run_options
from cg_review.cli.outcome import FAIL_ON, Worst
from cg_review.compare import keyed, read_report
from cg_review.config import Config, check_options
from cg_review.dry_run import dry_run_of
from cg_review.errors import InputError
from cg_review.pipeline import Settings, at_noon
from cg_review.points import ALL_POINTS
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.factory import build
from cg_review.reviewers.settings import EMBEDDED, ModelSettings
from cg_review.run import Options, Plan, plan, run
from cg_review.state import parse_points

_OF_OTHER_COMMANDS = {"by", "profile", "strict"}
_HOW_TO_CHOOSE = (
    "cg-review: read by the embedded rules; to have a model read: --model anthropic:NAME or openai:NAME "
    "(docs/models.md); --model embedded says so and silences this"
)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "CG_REVIEW"})
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o", "--output", metavar="DIR|FILE", help="Write the CGDs into this folder (or one CGD to this file)."
)
@click.option("--no-write", is_flag=True, help="Only report; write no CGD.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(reports.FORMATS),
    default="text",
    show_default=True,
    help="The report's format.",
)
@click.option(
    "--points", metavar="LIST", default="1-9", show_default=True, help="Which points to read, such as 1-4,7."
)
@source_options
@click.option(
    "--attended", is_flag=True, help="A person is present who can compare claims with the sources (Round A)."
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="never",
    show_default=True,
    help="Exit 1 on findings this grave.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A report of --format json: its findings do not count for --fail-on, which is `any` then.",
)
@click.option(
    "--chunk-context",
    is_flag=True,
    help="Write advice for chunking into the CGD (RFC-002); the JSON always has it.",
)
@click.option(
    "--stdin-filename", default="stdin.md", show_default=True, help="The name of the document given as `-`."
)
@click.option(
    "--rules",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder laid over the shipped rules.",
)
@click.option(
    "--today",
    callback=read_today,
    metavar="YYYY-MM-DD",
    help="The day to judge dates by (default: today, UTC).",
)
@click.option("--now", callback=read_moment, metavar="ISO8601", help="The moment to judge dates by.")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.option("-v", "--verbose", count=True, help="Say more on stderr.")
@click.option(
    "--dry-run", is_flag=True, help="Say what a model's passes would ask and cost; send and write nothing."
)
@click.option(
    "--batch-api",
    is_flag=True,
    help="Send the passes through the vendor's batch endpoint, at half the price; `cg-review batch fetch` finishes.",
)
@click.option("--wait", is_flag=True, help="With --batch-api: wait for the answers, and finish.")
@run_options
@model_options
def command(
    paths: tuple[str, ...],
    output: str | None,
    no_write: bool,
    format_: str,
    points: str,
    sources: tuple[Path, ...],
    no_source: bool,
    connectors: tuple[str, ...],
    max_age: int,
    attended: bool,
    fail_on: str,
    baseline: Path | None,
    chunk_context: bool,
    stdin_filename: str,
    rules: tuple[Path, ...],
    today: date | None,
    now: datetime | None,
    color: str,
    quiet: bool,
    verbose: int,
    dry_run: bool,
    batch_api: bool,
    wait: bool,
    options: Options,
    model_settings: ModelSettings,
) -> int:
    """Review documents and write a Clarity-Gated Document beside each.

    PATH is a Markdown file, a folder, or - for standard input (its CGD is written with -o only). A CGD is reviewed
    again in place; a source whose CGD exists already is merged with it.

    Exit codes: 0 done; 1 findings as grave as --fail-on, or a document that cannot be drafted as it is; 2 wrong usage
    or unreadable input; 3 the reviewer could not finish; 4 the answers of a batch are still to come.
    """
    config = _config()
    settings = Settings(
        now=now or (at_noon(today) if today else datetime.now(UTC)),
        points=_points(points),
        reviewer=EmbeddedReviewer(rules) if dry_run or batch_api else build(model_settings),
        sources=gather(sources, connectors, no_source, attended),
        max_age=max_age,
        attended=attended,
        rules=rules,
        chunk_context=chunk_context,
        ignore=config.ignore,
        root=config.root,
    )
    if dry_run:
        click.echo(dry_run_of(paths, settings, model_settings, stdin_filename, batch_api))
        return 0
    if not quiet and _nobody_chose(model_settings):
        click.echo(_HOW_TO_CHOOSE, err=True)
    planned = plan(paths, output, not no_write, stdin_filename, options)
    known = keyed(read_report(baseline)) if baseline else {}
    worst = Worst("any" if baseline and is_default("fail_on") else fail_on, known)
    with ExitStack() as stack:
        if batch_api or wait:
            through = batches(planned, settings, options, model_settings, batch_api, wait, quiet)
            planned, settings, code = stack.enter_context(through)
            worst.exit_code = max(worst.exit_code, code)
        _report(planned, settings, options, worst, format_, color, quiet)
    if verbose:
        click.echo(
            f"{len(planned.jobs)} document(s), rules {settings.tool.rules[:12]}, reviewer {settings.reviewer.name}",
            err=True,
        )
    return worst.exit_code


def _report(
    planned: Plan, settings: Settings, options: Options, worst: Worst, format_: str, color: str, quiet: bool
) -> None:
    """Review the documents; results go to stdout, the table over them all behind them or, for programs, to stderr."""
    readable = format_ in reports.READABLE
    options = replace(options, texts=format_ in reports.WITH_TEXT)
    summary, conflicts = Summary(), None
    with run(planned, settings, options) as documents:
        reviews = worst.watch(watched(documents, len(planned.jobs), summary, quiet))
        if options.across:
            from cg_review.across import Across

            across = Across()
            reviews, conflicts = across.watch(reviews), cache(across.conflicts)
        for part in reports.stream(format_, reviews, settings.tool, _use_color(color), conflicts):
            if not quiet or not readable:
                click.echo(part, nl=False, color=True if color == "always" else None)
    if conflicts:
        worst.note(conflicts())
    if len(planned.jobs) > 1 and not quiet:
        click.echo("\n" + summary.table(), nl=False, err=not readable)


def _config() -> Config:
    """The project's configuration, whose options have to be some command's."""
    context = click.get_current_context()
    config = context.obj if isinstance(context.obj, Config) else Config()
    check_options(config, {str(one.name) for one in context.command.params} | _OF_OTHER_COMMANDS)
    return config


def _nobody_chose(settings: ModelSettings) -> bool:
    return settings.model == EMBEDDED and settings.answers is None and is_default("model")


def _points(text: str) -> tuple[int, ...]:
    if text.strip() == "1-9":
        return ALL_POINTS
    try:
        return parse_points(text)
    except ValueError as error:
        raise InputError(f"--points: {error}") from error


def _use_color(choice: str) -> bool:
    if choice == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return choice == "always"
