"""Point 5: a figure of a sheet ("Retention of raw events | 45 days") told otherwise in a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid
from cg_review.reviewers.embedded.ledger import YEARISH, Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY, Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.words import stems, words_of

_VARIES = regex.compile(
    r"\b(?:from|between|about|around|roughly|almost|nearly|more|less|fewer|than|was|were|had|used to|old|new|instead|again|another|other|first|second|each|every|some|up to|extra|further|additional|unless|if|when|took|measured|median|average|mean|per|target|only)\b|~"
)
_LONGEST = 18  # words of a sentence that tells one figure
_APART = 4
_MANY = 24
"""A word in more labels than this names none of them."""
_ANY_LABEL = frozenset(stems(["full", "whole", "maximum", "max", "minimum", "default", "total", "standard"]))


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a sheet of two columns: the stems of its label, those that a sentence may leave out, and its figure."""

    grid: Grid
    at: int
    names: frozenset[str]
    spare: frozenset[str]
    figure: Quantity


def wrong_specs(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A sentence with most words of one label, and another figure of its kind than the sheet has anywhere."""
    by_name: dict[str, list[Line]] = defaultdict(list)
    for line in _lines(ledger.grids.all):
        for name in line.names:
            if len(by_name[name]) < _MANY:
                by_name[name].append(line)
    for reading in analysis.readings if by_name else ():
        if len(reading.words) > _LONGEST or _VARIES.search(reading.lower) or YEARISH.search(reading.lower):
            continue
        about = {(id(x.grid), x.at): x for name in sorted(reading.stems) for x in by_name.get(name, ())}
        best = sorted(about.values(), key=lambda x: -len(x.names & reading.stems))
        if not best or not _names(best[0], reading) or (len(best) > 1 and _names(best[1], reading)):
            continue
        if not ledger.is_flat(reading):
            continue
        told = _told(reading, best[0], ledger)
        if told:
            line = best[0]
            written = reading.segment.plain[told.start : told.end].strip()
            row = line.grid.table.rows[line.at]
            reason = (
                f'"{written}" here; the table has {row[1].plain.strip()} for "{row[0].plain.strip("* ")}"'
            )
            yield two_sided(reading, line.grid.table.row_segments[line.at], reason, 0.65)


def _lines(grids: list[Grid]) -> Iterator[Line]:
    for grid in grids:
        if len(grid.table.header) != 2 or grid.table.index < 0:
            continue
        for at, row in enumerate(grid.cells):
            figure = row[1] if len(row) > 1 else None
            label = words_of(lower(grid.table.rows[at][0].plain))
            names = frozenset(stems(label))
            spare = _ANY_LABEL | (stems(label[:1]) if label[1:2] in (["of"], ["for"]) else frozenset())
            if figure and at != grid.total and 2 <= len(names) <= 5:
                yield Line(grid, at, names, frozenset(spare), figure)


def _names(line: Line, reading: Reading) -> bool:
    return len(line.names & reading.stems) >= 2 and line.names - reading.stems <= line.spare


def _told(reading: Reading, line: Line, ledger: Ledger) -> Quantity | None:
    """The sentence's one figure of the line's kind, where the sheet has it nowhere."""
    if line.figure.dimension:
        found = [q for q in ledger.quantities[reading.segment.number] if q.dimension == line.figure.dimension]
    else:
        found = [c.quantity for c in ledger.counts_of(reading) if c.noun in line.names and not c.approximate]
    if len(found) != 1 or line.figure.dimension in MONEY | {"share"}:
        return None
    told, real = found[0].value, line.figure.value
    known = {value.value for value in line.grid.values()}
    if not told or not real or told in known or max(told, real) > _APART * min(told, real):
        return None
    return found[0]
