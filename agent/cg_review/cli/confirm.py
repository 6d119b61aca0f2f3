"""`cg-review confirm FILE…`: answer the claims of documents in the terminal."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, moment, now_option, paths_argument
from cg_review.errors import InputError


@click.command("confirm", context_settings={"help_option_names": ["-h", "--help"]})
@paths_argument
@by_option
@now_option
def command(paths: tuple[Path, ...], by: str | None, now: datetime | None) -> int:
    """Answer the claims that wait for a person, one key each. Every answer is saved as it is given.

    Round A first: was the source read right? Then Round B: is it true? Leave with q, come back with the same command.
    """
    from cg_review.hitl.answers import person
    from cg_review.hitl.confirm import Quit, Session
    from cg_review.hitl.desk import Desk, find_desks
    from cg_review.hitl.screen import Terminal

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("confirm needs a terminal; use `cg-review queue` or `cg-review serve` instead")
    desks: list[Desk] = find_desks(paths, "terminal")
    if not any(desk.settle().open for desk in desks):
        click.echo("nothing to answer: no claim waits for a person")
        return 0
    screen = Terminal()
    name = person(by or screen.ask("Your name, written down with every answer:"))
    session = Session(name, screen, lambda: moment(now))
    try:
        session.run(desks)
    except Quit:
        click.echo()
    click.echo(f"{session.given} answer(s) saved as {name}")
    for desk in desks:
        view = desk.view()
        prior = view.case.origin.prior
        status = f"{prior.frontmatter.text('clarity-status')} | {prior.hitl_status}" if prior else ""
        left = f", {len(view.open)} claim(s) to answer: cg-review confirm {desk.path}" if view.open else ""
        click.echo(f"{desk.path}: {status}{left}")
    return 0
