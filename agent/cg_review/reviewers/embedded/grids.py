"""Tables as grids of figures, and the rows and columns that a sentence speaks of."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import regex

from cg_review.document import Cell, Table
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.listed_figures import tables_of_lists
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import Quantity, find_quantities
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_LONGEST = 150
"""A table with more rows than this is data; nobody speaks of its rows."""
_COMMON = 24
"""A word that is in more labels than this names none of them."""
_TIME = regex.compile(
    r"\b(?:(?:19|20)\d\d|[qh][1-4]|v?\d+\.\d+|before|after|then|now|old|new|today|start|end|first|last|this|previous|current|earlier|later|baseline|"
    r"jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|spring|summer|autumn|winter|week \d+|month \d+|year \d+|day \d+)\b"
)
_STATES = {"new", "old", "before", "after", "first", "last"}
_BASIS = regex.compile(r",[^,]*\d.*$")  # how a label's figure is made: "Mornings, 8 × £350"
_UNIT = regex.compile(r"[(\[][^)\]]*[)\]]")


@dataclass(frozen=True, slots=True)
class Place:
    """A row or a column of a grid. `names` are the stems that a sentence has to have to speak of it."""

    grid: Grid
    at: int
    is_row: bool
    text: str
    names: frozenset[str]

    @property
    def line(self) -> tuple[Quantity | None, ...]:
        """The figures along the row, or down the column without its total."""
        cells = self.grid.cells
        if self.is_row:
            return cells[self.at]
        return tuple(row[self.at] for at, row in enumerate(cells) if at != self.grid.total)

    @property
    def segment(self) -> int:
        """Where it stands: the row's segment, or the table's."""
        return self.grid.table.row_segments[self.at] if self.is_row else self.grid.table.segment


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A table's figures; `cells[row][column]` is None where a cell is no single figure. `total` is its total row."""

    table: Table
    section: int
    title: str
    cells: tuple[tuple[Quantity | None, ...], ...]
    total: int | None

    def columns(self) -> Iterator[tuple[int, list[Quantity]]]:
        """The columns of which every cell (the total's aside) is a figure, with these."""
        for column in range(1, len(self.table.header)):
            cells = [row[column] for at, row in enumerate(self.cells) if at != self.total]
            known = [cell for cell in cells if cell is not None]
            if known and len(known) == len(cells):
                yield column, known

    @property
    def is_over_time(self) -> bool:
        """Whether its columns are the same thing at several times or in several states."""
        return sum(bool(_TIME.search(lower(cell.plain))) for cell in self.table.header[1:]) >= 2

    @property
    def is_told_by_row(self) -> bool:
        """Whether its rows are the same thing at several times or in several states."""
        return sum(bool(_TIME.search(lower(row[0].plain))) for row in self.table.rows) >= 2

    def header(self, column: int) -> str:
        """A column's title, plain."""
        return self.table.header[column].plain.strip()

    def values(self) -> Iterator[Quantity]:
        """Every figure."""
        return (cell for row in self.cells for cell in row if cell is not None)


class Grids:
    """The grids of a document, and an index from words to the rows and columns that are called so."""

    def __init__(self, analysis: Analysis, totals: Sequence[str], decimal_comma: bool | None) -> None:
        self.all: list[Grid] = []
        self._by_word: dict[str, list[Place]] = defaultdict(list)
        for table in (*analysis.document.tables, *tables_of_lists(analysis)):
            if not 1 <= len(table.rows) <= _LONGEST:
                continue
            grid = _grid(table, analysis, totals, decimal_comma)
            if any(True for _ in grid.values()):
                self.all.append(grid)
                self._index(grid)

    def _index(self, grid: Grid) -> None:
        rows = [
            Place(grid, at, True, row[0].plain.strip("* "), _names(row[0]))
            for at, row in enumerate(grid.table.rows)
        ]
        header = [
            Place(grid, at, False, cell.plain.strip("* "), _names(cell))
            for at, cell in enumerate(grid.table.header)
            if at
        ]
        for place in (*rows, *header):
            for word in sorted(place.names)[:1]:  # one is enough: a place counts only where all its names are
                self._by_word[word].append(place)

    def spoken_of(self, reading: Reading) -> list[Place]:
        """The rows and columns that the sentence has all names of."""
        found: list[Place] = []
        words = {stem(word) for word in reading.words}
        for word in sorted(words & self._by_word.keys()):
            places = self._by_word[word]
            if len(places) <= _COMMON:
                found += [place for place in places if place.names <= words]
        return found


def _grid(table: Table, analysis: Analysis, totals: Sequence[str], comma: bool | None) -> Grid:
    section = analysis.document.segment(table.segment).section
    title = analysis.document.sections[section].title
    units = [_unit(cell) for cell in table.header]
    cells = tuple(
        tuple(_figure(row, column, units, comma) if column else None for column in range(len(table.header)))
        for row in table.rows
    )
    total = next((at for at, row in enumerate(table.rows) if row and _first(row[0]) in totals), None)
    return Grid(table, section, title, cells, total)


def _first(cell: Cell) -> str:
    return next(iter(words_of(cell.plain)), "")


def _names(cell: Cell) -> frozenset[str]:
    bare = _BASIS.sub("", _UNIT.sub(" ", lower(cell.plain)))
    words = [word for word in words_of(bare) if word not in STOPWORDS]
    words = words or [word for word in words_of(bare) if word in _STATES]
    words = [word for word in words if not word[0].isdigit()] or words
    telling = frozenset(stem(word) for word in words)
    return telling if any(len(word) > 2 for word in words) and len(telling) <= 4 else frozenset()


def _unit(header: Cell) -> Quantity | None:
    """What "1" in a column is, where its header names a unit: "Price (€ thousand)"."""
    title = lower(header.plain)
    named = title.partition("(")[2].strip(") ") or (title.rpartition(",")[2] if "," in title else title)
    found = find_quantities("1 " + named.strip(), None)
    return found[0] if found and found[0].dimension else None


def _figure(
    row: Sequence[Cell], column: int, units: list[Quantity | None], comma: bool | None
) -> Quantity | None:
    text = lower(row[column].plain).strip("*() ") if column < len(row) else ""
    found = find_quantities(text, comma) if len(text) < 40 else []
    if len(found) != 1 or len(text) > found[0].end - found[0].start + 6 or not any(map(str.isdigit, text)):
        return None
    figure, unit = replace(found[0], written=row[column].plain.strip("* ")), units[column]
    if figure.dimension or unit is None:
        return figure
    return replace(figure, value=figure.value * unit.value, dimension=unit.dimension)


def figure_of(row: Sequence[Cell], column: int, comma: bool | None) -> Quantity | None:
    """The figure of a cell that is hardly more than that, in the unit that the cell itself has."""
    if column >= len(row):
        return None
    text = lower(row[column].plain).strip("* ")
    found = find_quantities(text, comma)
    return found[0] if len(found) == 1 and len(text) <= found[0].end - found[0].start + 6 else None


def same_kind(one: Quantity, two: Quantity) -> bool:
    """Whether two figures can be compared: of one dimension, or one of them without a unit."""
    return one.dimension == two.dimension or not one.dimension or not two.dimension


def near(claimed: Decimal, real: Decimal, slack: Decimal = Decimal("0.015")) -> bool:
    """Whether a figure fits another, rounding allowed: to `slack` of it, or to the digits that were written."""
    if abs(claimed - real) <= abs(real) * slack:
        return True
    step = Decimal(1).scaleb(claimed.normalize().as_tuple().exponent)  # type: ignore[arg-type]
    return abs(claimed - real) < step and step * 5 <= max(abs(real), Decimal(5))


def pairs(line: Sequence[Quantity | None]) -> Iterator[tuple[Decimal, Decimal]]:
    """Every two figures of a row or column that can be compared, in order."""
    known = [cell for cell in line if cell is not None][:12]
    for one, two in itertools.combinations(known, 2):
        if one.dimension == two.dimension:
            yield one.value, two.value
