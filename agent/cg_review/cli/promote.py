"""`cg-review promote FILE --owner … --version …`: make a reviewed document a Source of Truth."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, file_argument, moment, now_option


@click.command("promote", context_settings={"help_option_names": ["-h", "--help"]})
@file_argument
@click.option("--owner", metavar="NAME", help="Who keeps this Source of Truth up to date.")
@click.option("--version", metavar="TEXT", help="Its version, such as 1.0.")
@by_option
@click.option(
    "--value", "values", multiple=True, metavar="ID=TEXT", help="The value of a claim that has none."
)
@now_option
def command(
    path: Path,
    owner: str | None,
    version: str | None,
    by: str | None,
    values: tuple[str, ...],
    now: datetime | None,
) -> int:
    """Make a reviewed document a Source of Truth: a tier, and a table of its verified claims.

    A table that stands there is used, an archived one restored; else it is made of the verified claims.
    """
    from cg_review.hitl.answers import person
    from cg_review.hitl.commands import change
    from cg_review.tiers import Tier, promote

    when = moment(now)
    given = _values(values)
    tier = None
    if owner and version:
        tier = Tier(owner, version, person(by) if by else owner)
    note = f"owner {owner}, version {version}"
    change(
        path, "promote", by or owner or "", when, note, lambda text: promote(text, tier, when.date(), given)
    )
    click.echo(f"{path}: now a Source of Truth, {note}")
    return 0


def _values(values: tuple[str, ...]) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    for id_, equals, text in pairs:
        if not (id_ and equals and text.strip()):
            raise click.BadParameter("give it as ID=TEXT", param_hint="--value")
    return {id_.strip(): text.strip() for id_, _, text in pairs}
