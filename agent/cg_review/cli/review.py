"""`cg-review [review] PATH…`: review documents, write their CGDs, print a report."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._batches import batches
from cg_review.cli._reporting import Reporting, report, report_options
from cg_review.cli._sources import Compared, source_options
from cg_review.cli.model_options import model_options
from cg_review.cli.options import is_default, moment_options, run_options
from cg_review.cli.outcome import Worst
from cg_review.config import Config, check_options
from cg_review.dry_run import dry_run_of
from cg_review.errors import InputError
from cg_review.pipeline import Settings
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
    "--points", metavar="LIST", default="1-9", show_default=True, help="Which points to read, such as 1-4,7."
)
@source_options
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
@moment_options
@report_options
def command(
    paths: tuple[str, ...],
    output: str | None,
    no_write: bool,
    points: str,
    compared: Compared,
    chunk_context: bool,
    stdin_filename: str,
    rules: tuple[Path, ...],
    now: datetime,
    dry_run: bool,
    batch_api: bool,
    wait: bool,
    options: Options,
    model_settings: ModelSettings,
    reporting: Reporting,
) -> int:
    """Review documents and write a Clarity-Gated Document beside each.

    PATH is a Markdown file, a folder, or - for standard input (its CGD is written with -o only). A CGD is reviewed
    again in place; a source whose CGD exists already is merged with it.

    Exit codes: 0 done; 1 findings as grave as --fail-on, or a document that cannot be drafted as it is; 2 wrong usage
    or unreadable input; 3 the reviewer could not finish; 4 the answers of a batch are still to come.
    """
    config = _config()
    settings = Settings(
        now=now,
        points=_points(points),
        reviewer=EmbeddedReviewer(rules) if dry_run or batch_api else build(model_settings),
        **compared._asdict(),
        rules=rules,
        chunk_context=chunk_context,
        ignore=config.ignore,
        root=config.root,
    )
    if dry_run:
        click.echo(dry_run_of(paths, settings, model_settings, stdin_filename, batch_api))
        return 0
    _say_who_reads(model_settings, reporting)
    planned = plan(paths, output, not no_write, stdin_filename, options)
    with ExitStack() as stack:
        worst = reporting.worst()
        if batch_api or wait:
            through = batches(planned, settings, options, model_settings, batch_api, wait, reporting.quiet)
            planned, settings, code = stack.enter_context(through)
            worst.exit_code = max(worst.exit_code, code)
        _run(planned, settings, options, reporting, worst)
    return worst.exit_code


def _run(planned: Plan, settings: Settings, options: Options, reporting: Reporting, worst: Worst) -> None:
    total = len(planned.jobs)
    reporting.tell_of_another_baseline(settings.tool)
    with run(planned, settings, replace(options, texts=reporting.needs_texts)) as documents:
        report(documents, total, settings.tool, reporting, worst, options.across)
    if reporting.verbose:
        told = f"{total} document(s), rules {settings.tool.rules[:12]}, reviewer {settings.reviewer.name}"
        click.echo(told, err=True)


def _config() -> Config:
    """The project's configuration, whose options have to be some command's."""
    context = click.get_current_context()
    config = context.obj if isinstance(context.obj, Config) else Config()
    check_options(config, {str(one.name) for one in context.command.params} | _OF_OTHER_COMMANDS)
    return config


def _say_who_reads(settings: ModelSettings, reporting: Reporting) -> None:
    """Where nobody chose a reader: that the embedded rules read, and how to have a model do it."""
    nobody_chose = settings.model == EMBEDDED and settings.answers is None and is_default("model")
    if nobody_chose and not reporting.quiet:
        click.echo(_HOW_TO_CHOOSE, err=True)


def _points(text: str) -> tuple[int, ...]:
    if text.strip() == "1-9":
        return ALL_POINTS
    try:
        return parse_points(text)
    except ValueError as error:
        raise InputError(f"--points: {error}") from error
