"""A TOML frontmatter between `+++` lines, as Hugo and Zola have it: no prose of the document, and never changed."""

from __future__ import annotations

import re

from cg_review.document import Span

_BLOCK = re.compile(r"\s*+(\+\+\+[ \t]*+\r?\n(?:[^\n]*+\n)*?\+\+\+)[ \t]*+(?:\r?\n|$)")
_DATE = re.compile(
    r"^(?P<key>date|published|publishDate|updated|lastmod)[ \t]*=[ \t]*[\"']?(?P<value>\d{4}-\d\d-\d\d)",
    re.MULTILINE,
)


def find_toml(text: str, body: Span) -> Span | None:
    """The frontmatter at the start of a body, or None."""
    match = _BLOCK.match(text, body.start, body.end)
    return Span(*match.span(1)) if match else None


def toml_dates(text: str, block: Span) -> tuple[tuple[str, str, Span], ...]:
    """Its date stamps: key, value as written, and where both stand."""
    return tuple(
        (match["key"], match["value"], Span(match.start("key"), match.end("value")))
        for match in _DATE.finditer(text, block.start, block.end)
    )
