"""Report formats: one module each with `render(reviews, tool, color) -> str`; adding one is a module and a line here."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence

from cg_review.results import Review, Tool

FORMATS = ("text", "markdown", "json")

# C0 and C1 controls, and what reorders text on a terminal: a quote must not drive the reader's screen.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def render(name: str, reviews: Sequence[Review], tool: Tool, color: bool = False) -> str:
    """Render `reviews` in the format `name`; the text ends with a newline."""
    text: str = importlib.import_module(f"cg_review.reports.{name}").render(reviews, tool, color)
    return text


def one_line(text: str, length: int = 300) -> str:
    """`text` on one line, safe for a terminal, cut at `length` characters."""
    flat = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    return flat if len(flat) <= length else flat[: length - 1] + "…"
