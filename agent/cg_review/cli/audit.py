"""`cg-review audit FILE`: who answered what and when, checked against the document."""

from __future__ import annotations

from pathlib import Path

import click

from cg_review.cli._people import file_argument


@click.command("audit", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Another audit log (default: .cg-review/audit.jsonl).",
)
@click.option("--json", "as_json", is_flag=True, help="The records as JSON lines.")
def command(path: Path, log: Path | None, as_json: bool) -> int:
    """Show the history of a document's answers, and check it against the document.

    Exit 1 where the two disagree: a confirmation that nobody gave, or a change that nobody wrote down.
    """
    import json

    from cg_review.hitl.audit import break_in_chain, of_document, read_log
    from cg_review.hitl.desk import Desk
    from cg_review.hitl.history import line_of
    from cg_review.validator.audit import disagreements

    desk = Desk(path, "audit")
    records = of_document(read_log(log or desk.log), desk.document)
    text = desk.view().case.text
    for record in records:
        click.echo(json.dumps(record, ensure_ascii=False) if as_json else line_of(record))
    problems = [*disagreements(text, records), *break_in_chain(text, records)]
    for problem in dict.fromkeys(problems):
        click.echo(f"cg-review: {desk.name}: {problem}", err=True)
    if not problems and not as_json:
        click.echo(f"{desk.name}: {len(records)} record(s); the document agrees with the log")
    return 1 if problems else 0
