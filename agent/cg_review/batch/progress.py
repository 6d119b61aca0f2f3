"""One progress bar on stderr: counts, the document that was finished last, the time left, the cost so far and in the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from cg_review.batch.summary import Summary
from cg_review.run import Done


def watched(done: Iterable[Done], total: int, summary: Summary, quiet: bool = False) -> Iterator[Done]:
    """The same documents, counted in `summary`; with a progress bar where someone is looking at a terminal."""
    if quiet or total < 2 or not sys.stderr.isatty():
        for one in done:
            summary.add(one.review, one.remembered)
            yield one
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=total)
        for one in done:
            summary.add(one.review, one.remembered)
            cost = "" if summary.cost is None else f"  ${summary.cost:.4f}{_expected(summary, total)}"
            progress.update(bar, advance=1, description=escape(one.review.path[-60:]) + cost)
            yield one


def _expected(summary: Summary, total: int) -> str:
    """What all documents will cost if the others cost what the new ones did on average."""
    new = len(summary.rows) - summary.remembered
    left = total - len(summary.rows)
    return f" of about ${summary.cost * (1 + left / new):.2f}" if summary.cost and new and left else ""
