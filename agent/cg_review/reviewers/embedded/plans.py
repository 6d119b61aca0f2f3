"""Point 5: what came of a plan, told beside the table that has both: "within its budget", "both went up", "three of the five are done"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

import regex

from cg_review.document import Table
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import Grid
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.movements import first_and_last
from cg_review.reviewers.embedded.quantities import MONEY, NUMBER_WORDS
from cg_review.reviewers.embedded.sides import two_sided
from cg_review.reviewers.embedded.telling import quoted
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stem, words_of

_PLANNED = regex.compile(
    r"\b(?:plan|planned|budget|budgeted|approved|target|promised|agreed|application|applied|limit|allowed|granted|forecast)\b"
)
_ACTUAL = regex.compile(
    r"\b(?:actual|actually|spent|spending|result|outcome|delivered|achieved|accounts?|reached|open|so far|cost|was|real|final|done)\b"
)
_WITHIN = regex.compile(
    r"\b(?:(?:within|below|under|inside) (?:its |the |our |their )?(?:approved |agreed )?budget|(?:no|without(?: an?)?) overspend)\b"
)
_ABOVE = regex.compile(
    r"\b(?:(?:over|above|beyond) (?:its |the |our |their )?(?:approved |agreed )?budget|overspent|overran its budget)\b"
)
_BETTER = regex.compile(r"\b(?:better|higher|more) than (?:planned|budgeted|forecast|the plan|the budget)\b")
_WORSE = regex.compile(r"\b(?:worse|lower|less) than (?:planned|budgeted|forecast|the plan|the budget)\b")
_COSTS = frozenset(map(stem, ["cost", "costs", "total", "sum", "spending", "price", "all", "together"]))
_SPENT = regex.compile(r"\b(?:spent|cost|costs|came to|paid)\b")
_BUDGET = regex.compile(r"\bbudget(?:ed)?\b")
_EVERY = regex.compile(
    r"(?:^|, | that )(?P<who>all|both|each|every|all of them|everything)\b(?: of)?(?: the)?(?: (?P<n>\w+))?"
)
_IN_FULL = regex.compile(r"\b(?:in full|as promised|as planned|as agreed|as applied for)\b")
_LESS = regex.compile(
    r"\b(?:less|fewer|lower|smaller|shorter|faster) (?:\w+ ){0,2}?than (?:the year before|last year|before|a year (?:ago|before|earlier)|in 20\d\d)\b"
)
_MORE = regex.compile(
    r"\b(?:more|higher|larger|bigger|longer|slower) (?:\w+ ){0,2}?than (?:the year before|last year|before|a year (?:ago|before|earlier)|in 20\d\d)\b"
)
_HOPED = regex.compile(
    r"\b(?:will|would|could|should|must|may|might|expect\w*|hope\w*|want\w*|aim\w*|to (?:stay|be|come))\b"
)
_LEADING = regex.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?![\d.,]*\d)")  # no version, no decimal comma
_BUT = regex.compile(r"\b(?:but|except|apart from|almost|nearly|not|n[’']t|other than|besides)\b")
_SO_MANY_ARE = regex.compile(
    rf"\b(?P<part>{'|'.join(NUMBER_WORDS)}|\d{{1,2}}) (?:out )?of (?:the|our|its|these) (?P<whole>{'|'.join(NUMBER_WORDS)}|\d{{1,2}}) (?P<noun>[a-z]+s)\b[^,;.]{{0,30}}?\b(?:behind us|done|complete|completed|closed|reached|met|finished|delivered|shipped)\b"
)
_DONE = regex.compile(
    r"^(?:done|closed|complete|completed|reached|met|finished|delivered|shipped|yes|✓|✔|✅)(?:\b|$)"
)
_PARTLY = regex.compile(r"\b(?:only|partly|in part|except|without|half)\b")
_NOT_DONE = regex.compile(
    r"^(?:open|half|not|in progress|started|dropped|pending|late|missed|planned|moved|postponed|cancelled|ongoing|under way|to do|no|–|-|✗)(?:\b|$)"
)


def wrong_budgets(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Stage 1 came in within its budget" beside a table with 1,940 approved and 2,115 spent."""
    by_section = _by_section(ledger)
    alone = [grid for grid in ledger.grids.all if _plan_and_actual(grid.table)]
    alone = alone if len(alone) == 1 else []
    called = analysis.seek(ledger.statements, _WITHIN, _ABOVE, _BETTER, _WORSE)
    numbers = {reading.segment.number for reading in called}
    for before, reading in pairwise((None, *ledger.statements)):
        if reading is None or reading.segment.number not in numbers:
            continue
        text = reading.lower
        within, above = _WITHIN.search(text), _ABOVE.search(text)
        better, worse = _BETTER.search(text), _WORSE.search(text)
        cue = within or above or better or worse
        if cue and not _is_conditional(reading, ledger, cue) and not _BUT.search(text):
            finding = _told_before(reading, before, ledger, bool(within)) if within or above else None
            for grid in by_section.get(reading.segment.section, alone if within or above else ())[:3]:
                finding = finding or _row_against(
                    reading, cue.group(), grid, bool(within or worse), bool(within or above)
                )
            if finding:
                yield finding


def _told_before(reading: Reading, before: Reading | None, ledger: Ledger, within: bool) -> RawFinding | None:
    """ "The budget was £186,000 and we spent £191,400. So we stayed below budget." """
    if before is None or before.segment.block != reading.segment.block:
        return None
    money = [q for q in ledger.quantities[before.segment.number] if q.dimension in MONEY]
    budget, spent = _BUDGET.search(before.lower), _SPENT.search(before.lower)
    if len(money) != 2 or not budget or not spent or money[0].dimension != money[1].dimension:
        return None
    plan, actual = money if budget.start() < spent.start() else money[::-1]
    if plan.value and (actual.value > plan.value) == within and actual.value != plan.value:
        reason = f"the budget before it is {quoted(before, plan)}, and {quoted(before, actual)} was spent"
        return two_sided(reading, before.segment.number, reason, 0.75)
    return None


def _row_against(
    reading: Reading, written: str, grid: Grid, wants_less: bool, of_costs: bool
) -> RawFinding | None:
    columns = _plan_and_actual(grid.table)
    if columns is None:
        return None
    words = {stem(word) for word in reading.words}
    labels = [{stem(word) for word in words_of(lower(row[0].plain))} for row in grid.table.rows]
    rows = [at for at, label in enumerate(labels) if label and label <= words]
    if not rows and of_costs:
        rows = [at for at, label in enumerate(labels) if label & _COSTS]
    if len(rows) != 1:
        return None
    plan, actual = (grid.cells[rows[0]][column] for column in columns)
    if not plan or not actual or plan.dimension != actual.dimension or plan.value == actual.value:
        return None
    if (actual.value < plan.value) == wants_less:
        return None
    label = grid.table.rows[rows[0]][0].plain.strip("* ")
    reason = f'"{written}"; the table has {plan.written} planned and {actual.written} for "{label}"'
    return two_sided(reading, grid.table.row_segments[rows[0]], reason, 0.75)


def _plan_and_actual(table: Table) -> tuple[int, int] | None:
    """The two columns of a table that are a plan and what came of it."""
    titles = [lower(cell.plain) for cell in table.header]
    plan = [c for c, title in enumerate(titles) if _PLANNED.search(title)]
    actual = [c for c, title in enumerate(titles) if _ACTUAL.search(title) and c not in plan]
    return (plan[0], actual[0]) if len(plan) == len(actual) == 1 else None


def broken_for_every_row(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Both went up" under a table in which one of the two fell; "everything was delivered in full"."""
    by_section = _by_section(ledger)
    up, down = one_of(point.words["went_up"]), one_of(point.words["went_down"])
    for reading in ledger.statements if by_section else ():
        every = _EVERY.search(reading.lower)
        if not every or _BUT.search(reading.lower) or ledger.is_open(reading, (0, 1)):
            continue
        rises = up.search(reading.lower) or _MORE.search(reading.lower)
        falls = down.search(reading.lower) or _LESS.search(reading.lower)
        full = _IN_FULL.search(reading.lower)
        for grid in by_section.get(reading.segment.section, ())[-1:]:
            rows = [at for at in range(len(grid.cells)) if at != grid.total]
            if not _is_of_all(every, len(rows)):
                continue
            if bool(rises) != bool(falls):
                cue, wrong = rises or falls, [at for at in rows if _goes_against(grid, at, bool(rises))]
            elif full and every["who"] in ("all", "everything"):
                cue, wrong = full, [at for at in rows if _falls_short(grid, at)]
            else:
                continue
            if wrong and cue and len(wrong) < len(rows):
                label = grid.table.rows[wrong[0]][0].plain.strip("* ")
                reason = f'"{cue.group()}" of all; the table has "{label}" against it'
                yield two_sided(reading, grid.table.row_segments[wrong[0]], reason, 0.75)


def _is_of_all(every: regex.Match[str], rows: int) -> bool:
    if every["who"] == "both":
        return rows == 2
    number = NUMBER_WORDS.get(every["n"] or "", 0)
    return rows >= 2 and number in (0, rows)


def _goes_against(grid: Grid, at: int, rises: bool) -> bool:
    ends = first_and_last(grid, grid.cells[at])
    if ends is None:
        return False
    before, after = (end.value for end in ends)
    return before != after and (after > before) != rises


def _falls_short(grid: Grid, at: int) -> bool:
    """Whether a row has less under what was delivered than under what was planned."""
    columns, cells = _plan_and_actual(grid.table), grid.table.rows[at]
    if columns is None or max(columns) >= len(cells):
        return False
    plan, actual = (_LEADING.match(cells[column].plain.strip("* ")) for column in columns)
    if not plan or not actual:
        return False
    one, two = (Decimal(match.group().replace(",", "")) for match in (plan, actual))
    return two < one


def wrong_statuses(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Three of the five milestones are done" under a table in which two are."""
    tables: dict[int, list[Table]] = {}
    for table in analysis.document.tables:
        tables.setdefault(analysis.document.segment(table.segment).section, []).append(table)
    alone = [table for table in analysis.document.tables if _done_rows(table) is not None]
    alone = alone if len(alone) == 1 else []
    for reading in analysis.seek(ledger.statements, _SO_MANY_ARE) if tables else ():
        match = _SO_MANY_ARE.search(reading.lower)
        if not match or _is_conditional(reading, ledger, match):
            continue
        part, whole = _value(match["part"]), _value(match["whole"])
        for table in tables.get(reading.segment.section, alone):
            done = _done_rows(table)
            if done is not None and len(table.rows) == whole and done != part:
                reason = f'"{match.group()}"; the table has {done} of them so'
                yield two_sided(reading, table.segment, reason, 0.75)
                break


def _done_rows(table: Table) -> int | None:
    """How many rows a column of statuses calls done; None where there is no such column."""
    for column in range(len(table.header) - 1, 0, -1):
        cells = [lower(row[column].plain).strip("*_ ") if column < len(row) else "" for row in table.rows]
        done = [bool(_DONE.match(cell)) for cell in cells]
        if any(done) and all(
            is_done or _NOT_DONE.match(cell) for cell, is_done in zip(cells, done, strict=True)
        ):
            return sum(
                is_done and not _PARTLY.search(cell) for cell, is_done in zip(cells, done, strict=True)
            )
    return None


def _is_conditional(reading: Reading, ledger: Ledger, cue: regex.Match[str]) -> bool:
    """Whether it is hoped for or under a condition: "planned" and "goal" are words of the matter here, no hedges."""
    return bool(_HOPED.search(reading.lower)) or ledger.analysis.silenced(
        reading, cue.span(), ("conditional",)
    )


def _value(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBER_WORDS.get(word, 0)


def _by_section(ledger: Ledger) -> dict[int, list[Grid]]:
    found: dict[int, list[Grid]] = {}
    for grid in ledger.grids.all:
        found.setdefault(grid.section, []).append(grid)
    return found
