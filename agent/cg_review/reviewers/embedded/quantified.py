"""Point 5: what is told of every row of a table, against each of its cells: "all are above 90%", "between 16 and 40 slots"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_ALL = regex.compile(
    r"^(?:[\w\s]{0,24}, )?(?:all|every|each|both|all of them|everyone|everything)\b(?! (?:in all|told))"
)
_NONE = regex.compile(r"\b(?:no|none|not one|nobody|never|neither)\b")
_ABOVE = regex.compile(
    r"\b(?:more than|over|above|at least|exceeds?|heavier than|longer than|faster than|better than|higher than)\s(?:an? )?$"
)
_BELOW = regex.compile(
    r"\b(?:less than|fewer than|under|below|at most|no more than|within|lighter than|shorter than|lower than)\s(?:an? )?$"
)
_BETWEEN = regex.compile(r"\b(?:between|from)\s$")
_SOME = regex.compile(
    r"\b(?:except|but|apart from|almost|nearly|most|besides|other than|if|would|should|must|target|aim|last year|in 20\d\d)\b"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What every figure has to be, in words and as a test."""

    words: str
    holds: Callable[[Decimal], bool]
    dimension: str


def broken_for_all(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A row of the section's table for which the sentence about all of them does not hold."""
    by_section: dict[int, list[Grid]] = {}
    for grid in ledger.grids.all:
        by_section.setdefault(grid.section, []).append(grid)
    for reading in ledger.statements if by_section else ():
        grids = by_section.get(reading.segment.section, [])
        rule = _rule(reading, ledger) if grids and not _SOME.search(reading.lower) else None
        if rule is None or ledger.is_open(reading, (0, len(reading.lower))):
            continue
        for grid in grids[:3]:
            broken = _broken(grid, rule, {stem(word) for word in reading.words if word not in STOPWORDS})
            if broken:
                at, column = broken
                cell, label = (
                    grid.table.rows[at][column].plain.strip("* "),
                    grid.table.rows[at][0].plain.strip("* "),
                )
                reason = (
                    f'"{rule.words}" of all; under "{grid.header(column)}" the table has {cell} for "{label}"'
                )
                yield two_sided(reading, grid.table.row_segments[at], reason, 0.65)
                break


def _rule(reading: Reading, ledger: Ledger) -> Rule | None:
    text, quantities = reading.lower, ledger.quantities[reading.segment.number]
    told = [Quantity(s.start, s.end, s.value, "share") for s in ledger.shares_of(reading)]
    figures = sorted([*told, *(q for q in quantities if q.dimension != "share")], key=lambda q: q.start)
    every, none = _ALL.search(text), _NONE.search(text)
    for at, figure in enumerate(figures):
        before, value = text[: figure.start], figure.value
        following = figures[at + 1] if at + 1 < len(figures) else None
        if (
            following
            and _BETWEEN.search(before)
            and text[figure.end : following.start].strip() in ("and", "to")
        ):
            low, high = sorted((value, following.value))
            same = figure.dimension in ("", following.dimension)
            words = text[figure.start : following.end]
            if same and low < high and len(figures) == 2 and (figure.dimension or high > low + 2):
                return Rule(words, lambda v, low=low, high=high: low <= v <= high, following.dimension)  # type: ignore[misc]
        above, below = _ABOVE.search(before), _BELOW.search(before)
        if len(figures) == 1 and bool(every) != bool(none) and (above or below):
            wants_more = bool(above) == bool(every)
            words = text[(above or below).start() : figure.end]  # type: ignore[union-attr]
            return Rule(
                words if every else f"none {words}",
                (lambda v, value=value: v >= value) if wants_more else (lambda v, value=value: v <= value),  # type: ignore[misc]
                figure.dimension,
            )
    return None


def _broken(grid: Grid, rule: Rule, words: set[str]) -> tuple[int, int] | None:
    """The row and column of a figure that breaks the rule, where the column can only be the one that is meant."""
    columns = [
        c for c, _ in grid.columns() if {stem(w) for w in words_of(lower(grid.table.header[c].plain))} & words
    ]
    if not columns and rule.dimension:
        columns = [c for c, figures in grid.columns() if all(f.dimension == rule.dimension for f in figures)]
    if len(columns) != 1:
        return None
    figures = [(at, row[columns[0]]) for at, row in enumerate(grid.cells) if at != grid.total]
    known = [(at, figure) for at, figure in figures if figure]
    if len(known) < 2 or any(f.dimension not in ("", rule.dimension) for _, f in known):
        return None
    broken = [at for at, figure in known if not rule.holds(figure.value)]
    return (
        (broken[0], columns[0]) if broken and (rule.dimension or len(broken) * 2 <= len(known) + 1) else None
    )
