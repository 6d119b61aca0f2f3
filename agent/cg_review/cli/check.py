"""cg-review check: the ingestion gate."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._documents import Run, clock, now_option, paths_argument
from cg_review.errors import CgReviewError
from cg_review.validator import validate
from cg_review.validator.files import Input, read_document
from cg_review.validator.gate import refusal


@click.command("check")
@paths_argument
@click.option(
    "--audit", type=click.Path(path_type=Path), help="Also compare confirmations with this audit log."
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about ingestable documents.")
@now_option
def command(paths: tuple[str, ...], audit: Path | None, quiet: bool, now: datetime | None) -> int:
    """May these documents be ingested? Exit 0 only if every one of them may.

    A document may be ingested if it is valid, CLEAR and REVIEWED with nothing excluded, its hash is right and its
    version is supported. Prints a line a document: ingestable, or the first reason why not.
    """
    from cg_review.validator.audit import read_audit

    run = Run()
    records = read_audit(audit) if audit else None
    for given in run.documents(paths):
        try:
            reason = _reason(given, clock(now), records)
        except CgReviewError as error:
            run.tell(error)
            continue
        if reason:
            run.fail(1)
        if reason or not quiet:
            click.echo(f"{given.name}: {'refused: ' + reason if reason else 'ingestable'}")
    return run.exit_code


def _reason(given: Input, now: datetime, records: list[dict[str, object]] | None) -> str | None:
    from cg_review.validator.audit import disagreements

    reason = refusal(validate(given.source, now=now, path=given.name))
    if reason is None and records is not None:
        return next(disagreements(read_document(given), records), None)
    return reason
