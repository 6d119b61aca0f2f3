"""Point 5: which way a row of a table went, and how many times another it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid, Place
from cg_review.reviewers.embedded.ledger import Ledger, clause_around
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, Quantity
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem

_YEAR = regex.compile(r"\b(?:19|20)\d\d\b")
_EARLIER = regex.compile(r"\b(?:before|old|start|first|last|previous|earlier|then|baseline)\b")
_LATER = regex.compile(r"\b(?:after|new|end|now|today|this|current|later)\b")
_TIMES = regex.compile(
    r"\b(?P<n>two|three|four|five|six|eight|ten|\d{1,3}(?:\.\d)?)(?: times|x|×)(?: (?:the|as|more|faster|higher|larger|bigger|cheaper|quicker)\b)?"
    r"|\b(?P<half>halved|half (?:the|as|of)|halves)\b|\b(?P<twice>doubled|doubles|twice (?:the|as)|double the)\b|\b(?P<triple>tripled|triples|trebled)\b"
)
_BOUND = regex.compile(r"\b(?:more than|over|at least|well over)\s$")
_CLEAR = Decimal("1.02")


def wrong_directions(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Stairs are up on last year" where its row goes down."""
    up, down = one_of(point.words["went_up"]), one_of(point.words["went_down"])
    for reading, row in _rows(ledger):
        clause = clause_around(reading.lower, _place(reading, row))
        rises, falls = up.search(clause), down.search(clause)
        ends = first_and_last(row.grid, row.line)
        if bool(rises) == bool(falls) or not ends or not all(end.value for end in ends):
            continue
        before, after = ends
        low, high = (after, before) if rises else (before, after)
        if high.value > low.value * _CLEAR and not ledger.is_open(reading, (0, 1)):
            word = (rises or falls).group()  # type: ignore[union-attr]
            reason = f'"{word}" of "{row.text}"; the table goes from {before.written} to {after.written}'
            yield two_sided(reading, row.segment, reason, 0.7)


def wrong_factors(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "More than three times the ingest rate" where the row makes 2.8."""
    for reading, row in _rows(ledger):
        match = _TIMES.search(clause_around(reading.lower, _place(reading, row)))
        ends = first_and_last(row.grid, row.line)
        if not match or not ends or not all(end.value for end in ends) or ledger.is_open(reading, (0, 1)):
            continue
        told = _factor(match)
        low, high = sorted(end.value for end in ends)
        real = high / low
        before = match.string[: match.start()]
        fits = real >= told if _BOUND.search(before) else abs(real - told) <= told * Decimal("0.15")
        if not fits and told / 3 < real < told * 3:
            reason = f'"{match.group()}" of "{row.text}"; the table goes from {ends[0].written} to {ends[1].written}, a factor of {real:.1f}'
            yield two_sided(reading, row.segment, reason, 0.65)


def _rows(ledger: Ledger) -> Iterator[tuple[Reading, Place]]:
    """The sentences that speak of one row of a table over time, with the row."""
    grids = [grid for grid in ledger.grids.all if grid.is_over_time]
    for reading in ledger.statements if grids else ():
        rows = [p for p in ledger.grids.spoken_of(reading) if p.is_row and p.grid.is_over_time]
        rows = [row for row in rows if not any(row.names < other.names for other in rows)]
        if len(rows) == 1:
            yield reading, rows[0]


def _place(reading: Reading, row: Place) -> int:
    for match in regex.finditer(r"\w[\w'’-]*", reading.lower):
        if stem(match.group()) in row.names:
            return match.start()
    return 0


def first_and_last(grid: Grid, line: Sequence[Quantity | None]) -> tuple[Quantity, Quantity] | None:
    """The earliest and latest figure of a row of two, in the order of time; None where the columns don't tell it."""
    columns = [c for c in range(1, len(grid.table.header)) if line[c] is not None]
    if len(columns) != 2:
        return None
    one, two = (line[c] for c in columns)
    if one is None or two is None or one.dimension != two.dimension:
        return None
    titles = [lower(grid.table.header[c].plain) for c in columns]
    years = [_YEAR.findall(title) for title in titles]
    backwards = _LATER.search(titles[0]) or _EARLIER.search(titles[1])
    forwards = _EARLIER.search(titles[0]) or _LATER.search(titles[1])
    if all(years) and years[0] != years[1]:
        backwards, forwards = (years[0] > years[1], years[0] < years[1])  # type: ignore[assignment]
    elif not backwards and not forwards:
        forwards = _versions_rise(titles)  # type: ignore[assignment]
    if bool(backwards) == bool(forwards):
        return None
    return (one, two) if forwards else (two, one)


def _versions_rise(titles: list[str]) -> bool:
    found = [regex.search(r"\bv?(\d{1,9})\.(\d{1,9})", title) for title in titles]
    numbers = [(int(m[1]), int(m[2])) for m in found if m]
    return len(numbers) == 2 and all(a < b for a, b in pairwise(numbers))


def _factor(match: regex.Match[str]) -> Decimal:
    if match["half"] or match["twice"]:
        return Decimal(2)
    if match["triple"]:
        return Decimal(3)
    word = match["n"]
    return Decimal(NUMBER_WORDS[word]) if word in NUMBER_WORDS else Decimal(word)
