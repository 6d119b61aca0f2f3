"""`cg-review prompts DOC`: show exactly what a model would be asked, or write it for a chat window."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import click

from cg_review.cli.options import read_today
from cg_review.errors import InputError

_FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("document", type=click.Path(path_type=Path, dir_okay=False), metavar="DOC")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write pass-1.md … here."
)
@click.option(
    "--points", metavar="LIST", default="1-9", show_default=True, help="Which points, such as 1-4,7."
)
@click.option("--window", type=click.IntRange(min=2_000), metavar="N", help="The model's window, in tokens.")
@click.option("--today", callback=read_today, metavar="YYYY-MM-DD", help="The day to judge dates by (UTC).")
@click.option(
    "--rules", multiple=True, type=_FOLDER, metavar="DIR", help="A folder laid over the shipped rules."
)
@click.option("--prompts", multiple=True, type=_FOLDER, metavar="DIR", help="The same for prompts.")
def command(
    document: Path,
    output: Path | None,
    points: str,
    window: int | None,
    today: date | None,
    rules: tuple[Path, ...],
    prompts: tuple[Path, ...],
) -> int:
    """Show the requests of a document's passes.

    With -o they are written as files, each complete, with a manifest: put each into a chat, save the reply as
    pass-N.json beside it, then run `cg-review DOC --answers DIR`.
    """
    from cg_review.files import read_bytes, write_text
    from cg_review.markers import load_markers
    from cg_review.origin import read_origin
    from cg_review.points import load_points
    from cg_review.reviewers.files import WINDOW, write_requests
    from cg_review.reviewers.prompts import load_prompts
    from cg_review.state import parse_points

    try:
        wanted = parse_points(points)
    except ValueError as error:
        raise InputError(f"--points: {error}") from error
    origin = read_origin(read_bytes(document), document.name, load_markers(rules))
    files = write_requests(
        origin.document(),
        [point for point in load_points(rules) if point.id in wanted],
        today or datetime.now(UTC).date(),
        load_prompts(prompts),
        name=document.name,
        window=window or WINDOW,
    )
    for name, text in files.items():
        if output is None:
            click.echo(f"<<<<< {name}\n{text}")
        else:
            write_text(output / name, text)
    if output is not None:
        click.echo(
            f"{len(files) - 1} request(s) in {output}; save the replies as pass-N.json beside them", err=True
        )
    return 0
