"""Rows of Markdown tables as the format reads them (FORMAT section 8): pipes split, an odd backslash escapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

_PIPE = re.compile(r"\\.|(\|)", re.DOTALL)
_BARE_PIPE = re.compile(r"\|")
_DELIMITER_CELL = re.compile(r":?-+:?")
# What ends a table beside a blank line: another block that starts there (GFM).
_OTHER_BLOCK = re.compile(
    r" {0,3}(?:#{1,6}(?:\s|$)|<!--|>|```|~~~|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$)"
)


class Cell(NamedTuple):
    """A trimmed cell and where its text starts in the row (in characters)."""

    text: str
    start: int


def split_row(line: str) -> list[Cell]:
    """Return the cells of a table row, without its outer pipes; escapes stay as written."""
    found = _PIPE.finditer(line) if "\\" in line else _BARE_PIPE.finditer(line)
    pipes = [pipe.start() for pipe in found if pipe[0] == "|"]
    first = len(line) - len(line.lstrip())
    end = len(line.rstrip())
    if pipes and pipes[0] == first:
        first, pipes = first + 1, pipes[1:]
    if pipes and pipes[-1] == end - 1:
        end, pipes = end - 1, pipes[:-1]
    borders = [first - 1, *pipes, end]
    return [_cell(line, left + 1, right) for left, right in pairwise(borders)]


def _cell(line: str, start: int, end: int) -> Cell:
    text = line[start:end]
    return Cell(text.strip(), start + len(text) - len(text.lstrip()))


def has_pipe(line: str) -> bool:
    """Whether a line holds a pipe that splits cells."""
    return "|" in line and any(found[1] for found in _PIPE.finditer(line))


def is_delimiter_row(line: str) -> bool:
    """Whether a line is the `|---|:--:|` row under a table's header."""
    return "-" in line and all(_DELIMITER_CELL.fullmatch(cell.text) for cell in split_row(line))


class Row(NamedTuple):
    """A row of a table: its line, and where that starts in the text."""

    line: str
    start: int

    @property
    def cells(self) -> list[Cell]:
        """The row's cells; their places count from the start of the line."""
        return split_row(self.line)


class Table(NamedTuple):
    """A table: its header and its data rows."""

    header: Row
    rows: list[Row]


def find_tables(text: str, start: int, end: int, skip: Callable[[int], bool]) -> list[Table]:
    """Return the tables that stand in [start, end); lines at offsets for which `skip` is true are no part of one."""
    tables: list[Table] = []
    if text.find("|", start, end) < 0:
        return tables
    before: tuple[int, str] | None = None  # the line above, which may be a header
    in_table = False
    for offset, line in iter_lines(text, start, end):
        if skip(offset) or not line.strip() or (in_table and _OTHER_BLOCK.match(line)):
            before, in_table = None, False
        elif in_table:
            tables[-1].rows.append(Row(line, offset))
        elif before and has_pipe(before[1]) and is_delimiter_row(line):
            tables.append(Table(Row(before[1], before[0]), []))
            in_table = True
        else:
            before = offset, line
    return tables


def iter_lines(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield (offset, line without its ending) for the lines of [start, end)."""
    offset = start
    for line in re.split(r"(\r\n|\r|\n)", text[start:end]):
        if line[:1] not in ("\r", "\n"):
            yield offset, line
        offset += len(line)


def escape_cell(text: str) -> str:
    """Return `text` fit for one cell: pipes that are not escaped yet are, line breaks become spaces."""
    flat = " ".join(part.strip() for part in re.split(r"[\r\n]+", text)).strip()
    escaped = _PIPE.sub(lambda found: r"\|" if found[1] else found[0], flat)
    # A lone backslash at the end would escape the border of the cell.
    trailing = len(escaped) - len(escaped.rstrip("\\"))
    return escaped + "\\" if trailing % 2 else escaped
