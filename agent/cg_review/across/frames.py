"""Sentences with one value, whatever they say: two that use the same words around different values contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from cg_review.across.counts import counted
from cg_review.across.statements import VAGUE, Statement, clauses, is_flat, is_named
from cg_review.across.values import read_value
from cg_review.across.words import RULES, bare, stems_of
from cg_review.reviewers.embedded.dates import find_dates
from cg_review.reviewers.embedded.quantities import find_quantities
from cg_review.reviewers.embedded.words import words_of

_END = regex.compile(r"[,;.(]| and | then | while | because ")
_PAST = regex.compile(
    r"(?<!\b(?:is|are|be|been|being|not|can|must) (?:\w+ )?)\b(?!need|speed|feed|seed|bed|red)\w{2,}ed\b"
)
_NAMES_IT = regex.compile(r"[A-Z][\w-]* ?$")  # "PEP 751"
_PLURAL = regex.compile(r"\w{2,}[^sui\W]s")
_FEWEST, _MOST = 2, 7


def frames(plain: str, comma: bool | None) -> Iterator[Statement]:
    """What the clauses of a sentence state, each of one value."""
    for clause in clauses(plain):
        found = _frame(clause, comma)
        if found is not None:
            yield found


def _frame(clause: str, comma: bool | None) -> Statement | None:
    lower = clause.lower()
    words = words_of(lower)
    if not is_flat(lower) or VAGUE.match(lower) or not words or words[0] in RULES.verbs:
        return None
    dates = find_dates(clause)
    amounts = [
        q
        for q in find_quantities(lower, comma)
        if not any(d.start < q.end and q.start < d.end for d in dates)
    ]
    if len(dates) + len(amounts) != 1:
        return None
    start = (dates[0] if dates else amounts[0]).start
    found = read_value(clause, start, comma)
    if found is None or _PAST.search(lower[:start]) or not _states(lower[:start]):
        return None
    value, end = found
    after = lower[end:]
    if value.kind == "number" and (counted(after) is None or _NAMES_IT.search(clause[:start])):
        return None
    cut = _END.search(after)
    before = lower[:start]
    stems = bare(stems_of(f"{before} {after[: cut.start()] if cut else after}"))
    if not _FEWEST <= len(stems) <= _MOST:
        return None
    subject = clause[:start].strip()
    return Statement("is", stems, (), value, subject, clause[start:end].strip(), is_named(clause[:start]))


def _states(before: str) -> bool:
    """Whether words before a value are a subject and its verb, not an instruction: a known verb, or a plural in front."""
    words = words_of(before)
    return bool(set(words[1:]) & RULES.verbs) or (len(words) > 1 and _PLURAL.fullmatch(words[0]) is not None)
