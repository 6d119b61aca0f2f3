"""Report formats: one module each with `parts(reviews, tool, color, conflicts)`; adding one is a module and a line here.

A report is given out part by part, so that one over ten thousand documents needs the memory of one document.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from cg_review.results import Conflict, Review, Tool

READABLE = ("text", "markdown")  # for people; the others are for programs
WITH_TEXT = ("html",)  # shows the documents themselves
FORMATS = (*READABLE, "json", "sarif", "github", "junit", "html")

# What the documents tell differently from each other, asked for when all reviews are through.
Conflicts = Callable[[], Sequence[Conflict]]


def stream(
    name: str,
    reviews: Iterable[Review],
    tool: Tool,
    color: bool = False,
    conflicts: Conflicts | None = None,
) -> Iterator[str]:
    """The report over `reviews` in the format `name`, in parts; the last ends with a newline.

    `conflicts` is asked once, after the last review; None: the documents were not compared.
    """
    parts = importlib.import_module(f"cg_review.reports.{name}").parts
    made: Iterator[str] = parts(reviews, tool, color, conflicts)
    return made


def render(
    name: str, reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> str:
    """The same as one text."""
    return "".join(stream(name, reviews, tool, color, conflicts))
