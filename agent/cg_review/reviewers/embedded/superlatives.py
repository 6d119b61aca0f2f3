"""Point 5: "the cheapest", "the thing you ask for most": against the column that decides it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, Place
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem, stems, words_of

_NOT_THE_ONE = regex.compile(
    r"\b(?:one of|among|second|third|next|not|almost|nearly|perhaps|except|after|apart from|than|other|another|or|was|were|used to|if(?! only)|(?:grew|rose|fell|shrank|gained|lost|changed|improved) most)\b"
)
_WEIGHTS = regex.compile(r"\b(?:weight|max|maximum|points|of)\b")
_OF_SOME = regex.compile(r"\bof (?:the|these|those|all) (\w+)\b")
_QUANTIFIER = regex.compile(r"^most(?! (?:often|frequently|of all))\b(?=\s+[a-z])")


@dataclass(frozen=True, slots=True)
class Superlative:
    """A superlative: whether it is the highest, and the stems and units of the columns that decide it (none: any)."""

    highest: bool
    columns: frozenset[str]
    units: frozenset[str]


def wrong_superlatives(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A row that is called the most of something, where the column has another row before it."""
    for told in _told(point, analysis, ledger):
        if told.beaten:
            column, at = told.beaten
            table, place = told.place.grid.table, told.place
            reason = (
                f'"{told.written}" of "{place.text}"; under "{place.grid.header(column)}" the table has '
                f'{table.rows[at][column].plain.strip("* ")} for "{table.rows[at][0].plain.strip("* ")}"'
                f" and {table.rows[place.at][column].plain.strip('* ')} for it"
            )
            yield two_sided(told.reading, table.row_segments[at], reason, 0.75)


def shown_superlatives(point: Point, analysis: Analysis, ledger: Ledger) -> frozenset[int]:
    """The sentences that say no more than a table shows: "North has the highest sales." They need no other source."""
    return frozenset(
        told.reading.segment.number
        for told in _told(point, analysis, ledger)
        if told.is_shown and told.reading.stems <= _words_of_table(told)
    )


def _words_of_table(told: Told) -> set[str]:
    """The stems that a sentence can have which says what the table shows of a row: its head's, the row's, its section's."""
    grid = told.place.grid
    texts = (told.written, told.place.text, grid.title, *(cell.plain for cell in grid.table.header))
    return {word for text in texts for word in stems(words_of(lower(text)))}


@dataclass(frozen=True, slots=True)
class Told:
    """A superlative said of a row: the column and the row that speak against it, or whether a column speaks for it."""

    reading: Reading
    written: str
    place: Place
    beaten: tuple[int, int] | None
    is_shown: bool


def _told(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[Told]:
    """The superlatives of the sentences, each of the first row that a column can speak for or against."""
    known = dict(_read(line) for line in point.words["superlatives"])
    every = one_of(tuple(known))
    for reading in analysis.seek(ledger.statements, every) if ledger.grids.all else ():
        match = every.search(reading.lower)
        if not match or _QUANTIFIER.match(reading.lower[match.start() :]):
            continue
        clause = clause_around(reading.lower, match.start())
        around = reading.lower[max(0, match.start() - 28) : match.end() + 18]
        if _NOT_THE_ONE.search(around) or ledger.is_open(reading, match.span()):
            continue
        words = {stem(word) for word in words_of(clause)}
        places = [place for place in ledger.grids.spoken_of(reading) if place.names <= words and place.is_row]
        for place in places:
            alone = [other for other in places if other.grid is place.grid]
            said = _OF_SOME.search(clause)
            if len(alone) > 1 or place.at == place.grid.total or not _is_of_all(said, place.grid):
                continue
            beaten, is_shown = _standing(place, known[match.group()], words)
            if beaten or is_shown:
                yield Told(reading, match.group(), place, beaten, is_shown)
                break


def wrong_leaders(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Calder leads": a column that is called the winner, where the row of totals has another before it."""
    cue = one_of(point.words["leads"])
    for reading in analysis.seek(ledger.statements, cue) if ledger.grids.all else ():
        match = cue.search(reading.lower)
        if not match or ledger.is_open(reading, match.span()):
            continue
        words = {stem(word) for word in words_of(clause_around(reading.lower, match.start()))}
        for place in ledger.grids.spoken_of(reading):
            grid = place.grid
            if place.is_row or grid.total is None or not place.names <= words:
                continue
            totals = [(c, cell) for c, cell in enumerate(grid.cells[grid.total]) if cell is not None]
            mine = grid.cells[grid.total][place.at]
            if mine is None or len(totals) < 2 or _WEIGHTS.search(lower(grid.header(totals[0][0]))):
                totals = totals[1:] if mine and len(totals) > 2 else []
            best = max(totals, key=lambda pair: pair[1].value, default=None)
            if mine and best and best[1].value > mine.value and best[1].dimension == mine.dimension:
                reason = f'"{match.group()}" of "{place.text}"; the totals have {mine.written} for it and {best[1].written} for "{grid.header(best[0])}"'
                yield two_sided(reading, grid.table.row_segments[grid.total], reason, 0.7)
                break


@lru_cache(maxsize=256)
def _read(line: str) -> tuple[str, Superlative]:
    word, _, rest = line.partition(": ")
    way, _, columns = rest.partition(" ")
    names = [name for name in columns.split(", ") if name]
    units = frozenset(name[1:] for name in names if name.startswith("="))
    stems = frozenset(stem(name) for name in names if not name.startswith("="))
    return word, Superlative(way == "highest", stems, units)


def _is_of_all(said: regex.Match[str] | None, grid: Grid) -> bool:
    """Whether "of the three" is all that the table has."""
    rows = len(grid.table.rows) - (grid.total is not None)
    numbers = {
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
    }
    if said is None or said[1] not in numbers:
        return rows >= 2
    return numbers[said[1]] == rows


def _standing(place: Place, superlative: Superlative, words: set[str]) -> tuple[tuple[int, int] | None, bool]:
    """The column and row that speak against it, and whether a column that could be meant speaks for it."""
    grid = place.grid
    columns = [c for c in range(1, len(grid.table.header)) if place.line[c] is not None]
    decides = [c for c in columns if _decides(grid, c, superlative)]
    if not superlative.columns and not superlative.units:
        named = {c: len(_title(grid, c) & words) for c in columns}
        best = max(named.values(), default=0)
        decides = [c for c in columns if best and named[c] == best] or decides
    against = None
    for column in decides:
        mine = place.line[column]
        others = [
            (row[column].value, at)  # type: ignore[union-attr]
            for at, row in enumerate(grid.cells)
            if at != grid.total
            and row[column] is not None
            and mine
            and row[column].dimension == mine.dimension  # type: ignore[union-attr]
        ]
        if mine is None or len(others) < 2:
            continue
        top, at = max(others) if superlative.highest else min(others)
        if top == mine.value:
            return None, True
        against = against or (column, at)
    return against, False


def _decides(grid: Grid, column: int, superlative: Superlative) -> bool:
    if superlative.columns or superlative.units:
        dimensions = {row[column].dimension for row in grid.cells if row[column] is not None}  # type: ignore[union-attr]
        return bool(_title(grid, column) & superlative.columns or dimensions & superlative.units)
    return (
        sum(cell is not None for cell in (row[1] for row in grid.cells)) > 0 and len(grid.table.header) == 2
    )


def _title(grid: Grid, column: int) -> set[str]:
    return {stem(word) for word in words_of(lower(grid.table.header[column].plain))}
