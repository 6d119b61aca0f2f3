"""`cg-review export FILE -o OUT`: a redacted or a plain copy of a document."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cg_review.cli._people import file_argument
from cg_review.errors import InputError


@click.command("export", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option(
    "--redact-exclusions", is_flag=True, help="Replace what stands in exclusion blocks by [REDACTED]."
)
@click.option(
    "--plain", "plain_", is_flag=True, help="The text alone: no frontmatter, no record, no end marker."
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Where to write the copy; - for standard output.",
)
def command(path: Path, redact_exclusions: bool, plain_: bool, output: Path) -> int:
    """Write a copy of a document for others. A redacted copy is valid and has its own hash."""
    from cg_review.errors import CgReviewError
    from cg_review.export import plain, redact
    from cg_review.files import check_writable, write_text
    from cg_review.hitl.commands import read_text

    if not (redact_exclusions or plain_):
        raise InputError("export: say what kind of copy: --redact-exclusions, --plain, or both")
    text = read_text(path)
    try:
        copy = plain(text, redact_exclusions) if plain_ else redact(text)
    except CgReviewError as error:
        raise type(error)(f"{path}: {error}") from error
    if str(output) == "-":
        click.echo(copy.encode("utf-8"), nl=False)
        return 0
    if output.exists() and os.path.samefile(path, output):
        raise InputError(f"{output}: the copy would overwrite the document; choose another -o")
    check_writable(output)
    write_text(output, copy)
    click.echo(f"{output}: written", err=True)
    return 0
