"""Table rows with positions: markdown-it-py tells a row's line and its cells' contents, and this finds them there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it.token import Token

from cg_review.document import Cell, Span
from cg_review.inline import InlineParser


def read_rows(
    text: str, tokens: Sequence[Token], line: Callable[[int], Span], inline: InlineParser
) -> list[tuple[Cell, ...]]:
    """The rows of a table, the header's first. `line` gives the span of a line of the body by its number (0-based)."""
    rows: list[tuple[Cell, ...]] = []
    contents: list[str] = []
    row_line: int | None = None
    for token in tokens:
        if token.type == "tr_open" and token.map is not None:
            contents, row_line = [], token.map[0]
        elif token.type == "inline":
            contents.append(token.content)
        elif token.type == "tr_close" and row_line is not None:
            rows.append(_read_cells(text, line(row_line), contents, inline))
    return rows


def _read_cells(text: str, line: Span, contents: Sequence[str], inline: InlineParser) -> tuple[Cell, ...]:
    """Find the cells, given in order, in their line; the parser unescapes `\\|` in them."""
    source, cursor = line.of(text), 0
    cells = []
    for content in contents:
        written = content.replace("|", "\\|")
        at = source.find(written, cursor) if content else -1
        if at < 0:
            pipe = source.find("|", cursor)
            written, at = "", cursor if pipe < 0 else pipe
        span = Span(line.start + at, line.start + at + len(written))
        plain = inline.parse(content).plain.strip() if content else ""
        cells.append(Cell(span, written, plain, span.end))
        pipe = source.find("|", span.end - line.start)
        cursor = len(source) if pipe < 0 else pipe + 1
    return tuple(cells)
