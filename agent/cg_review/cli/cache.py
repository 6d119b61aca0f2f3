"""`cg-review cache info|clear`: the answers of models that are kept on disk."""

from __future__ import annotations

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Look at or empty the cache of models' answers."""


@command.command()
def info() -> int:
    """Say where answers are kept, how many and how large."""
    from cg_review.reviewers.cache import AnswerCache, default_folder

    found = AnswerCache(default_folder()).info()
    click.echo(f"{found.folder}: {found.answers} answer(s), {found.size / 1000:.1f} kB")
    return 0


@command.command()
def clear() -> int:
    """Delete all kept answers."""
    from cg_review.reviewers.cache import AnswerCache, default_folder

    cache = AnswerCache(default_folder())
    click.echo(f"{cache.folder}: {cache.clear()} answer(s) deleted")
    return 0
