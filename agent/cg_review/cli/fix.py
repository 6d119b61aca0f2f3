"""cg-review fix: write the computed fields, and nothing else."""

from __future__ import annotations

import difflib
from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._documents import Run, clock, now_option, paths_argument
from cg_review.errors import CgReviewError, DocumentRefused
from cg_review.validator.files import Input, read_document, write_document
from cg_review.validator.fixing import Fixed, fix


@click.command("fix")
@paths_argument
@click.option("--diff", is_flag=True, help="Show what would change; write nothing.")
@click.option(
    "--check",
    "check_",
    is_flag=True,
    help="Only tell what would change; write nothing; exit 1 if anything would.",
)
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Seal a document that changed since it was sealed; a REVIEWED one becomes PENDING.",
)
@now_option
def command(
    paths: tuple[str, ...], diff: bool, check_: bool, accept_changes: bool, now: datetime | None
) -> int:
    """Write what is computed: hash, ingestability, coverage, pending count, and the status line if only it disagrees.

    Every other byte stays. A document with faults that a person has to settle is refused (exit 1). `-` reads stdin
    and writes the result to stdout.
    """
    run = Run()
    for given in run.documents(paths):
        try:
            text = read_document(given)
            fixed = fix(text, clock(now), accept_changes=accept_changes)
            _settle(run, given, text, fixed, diff, check_)
        except DocumentRefused as error:
            run.tell(DocumentRefused(f"{given.name}: {error}"))
        except CgReviewError as error:
            run.tell(error)
    return run.exit_code


def _settle(run: Run, given: Input, text: str, fixed: Fixed, diff: bool, check_: bool) -> None:
    """Show, tell or write."""
    if diff:
        click.echo(_diff(text, fixed.text, given.name), nl=False)
    if check_ or diff:
        if check_ and fixed.text != text:
            run.fail(1)
            click.echo(f"{given.name}: would change", err=True)
        return
    if not isinstance(given.source, Path):
        click.echo(fixed.text.encode("utf-8"), nl=False)
    elif fixed.text != text:
        write_document(given.source, fixed.text)
    outcome = (
        "already right" if fixed.text == text else "reopened: now PENDING" if fixed.reopened else "fixed"
    )
    click.echo(f"{given.name}: {outcome}", err=True)


def _diff(before: str, after: str, name: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="", n=1)
    return "".join(f"{line}\n" for line in lines)
