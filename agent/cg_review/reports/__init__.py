"""Report formats: one module each with `parts(reviews, tool, color, conflicts)`; adding one is a module and a line here.

A report is given out part by part, so that one over ten thousand documents needs the memory of one document.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from cg_review.results import Conflict, Review, Tool

READABLE = ("text", "markdown")  # for people; the others are for programs
WITH_TEXT = ("html",)  # shows the documents themselves
FORMATS = (*READABLE, "json", "sarif", "github", "junit", "html")

# What the documents tell differently from each other, asked for when all reviews are through.
Conflicts = Callable[[], Sequence[Conflict]]

# C0 and C1 controls, and what reorders text on a terminal: a quote must not drive the reader's screen.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


_ENDING = re.compile(r"\r\n|\r|\n")


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


def one_line(text: str, length: int = 300) -> str:
    """`text` on one line, safe for a terminal, cut at `length` characters."""
    flat = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def as_lines(text: str, length: int = 1000) -> list[str]:
    """`text` to be copied: its lines as they are, safe for a terminal, cut at `length` characters in all."""
    return [_UNSAFE.sub("\N{REPLACEMENT CHARACTER}", line) for line in _ENDING.split(text[:length])]
