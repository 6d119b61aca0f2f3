"""Counts of things: how many a whole has ("The platform has 45 tenants", "All 52 tenants …"), never how many of them do something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import regex

from cg_review.across.statements import OPENING, Statement, is_flat, is_named, scope_of
from cg_review.across.values import Value
from cg_review.across.words import RULES, WHOLES, Stems, any_of, bare, stems_of
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, find_quantities
from cg_review.reviewers.embedded.words import STOPWORDS

_NUMBER = rf"(?P<number>\d[\d,.]*\d|\d+|{any_of(word for word, n in NUMBER_WORDS.items() if n > 1)})"
_THINGS = r"(?P<things>[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
_HOLDER = r"(?:(?:the|our|each|every) )?(?P<holder>[^.;:!?,()]{2,50}?)"
_HAS = regex.compile(rf"^{_HOLDER} {any_of(RULES.has)} {_NUMBER} {_THINGS}")
_THERE = regex.compile(rf"^(?P<holder>)there are {_NUMBER} {_THINGS}")
_ALL = regex.compile(
    rf"^(?P<holder>)(?:all|all of|all the|all of the|all of our|all our|our) {_NUMBER} {_THINGS}"
)
_NUMBER_OF = regex.compile(
    rf"^(?P<holder>)(?:the )?(?:total )?number of (?P<things>[a-z][\w-]*(?: [a-z][\w-]*)?)(?: is|:) {_NUMBER}(?=[.;,]?$)"
)
_LABEL = regex.compile(rf"^(?P<holder>){_THINGS}: {_NUMBER}(?=[.;,]?$)")
_AND = regex.compile(rf"(?:,| and|, and) {_NUMBER} {_THINGS}")
_VERB = regex.compile(
    r"^ (?:are|is|have|has|use|run|share|work|live|belong|sit|pay|can|get|go|receive|take|come)\b"
)
_PEOPLE = frozenset({"people", "staff", "children", "women", "men"})


def counts(plain: str, comma: bool | None) -> Iterator[Statement]:
    """The counts that the sentence or list item `plain` states of a whole."""
    lower = plain.lower()
    if OPENING.match(lower) or not is_flat(lower):
        return
    for pattern in (_HAS, _THERE, _ALL, _NUMBER_OF, _LABEL):
        match = pattern.match(lower)
        if match:
            yield from _counts(plain, lower, pattern, match, comma)
            return


def _counts(
    plain: str, lower: str, pattern: regex.Pattern[str], match: regex.Match[str], comma: bool | None
) -> Iterator[Statement]:
    """The count that `match` found, and those listed behind it ("6 rooms and 2 theatres")."""
    holder = plain[match.start("holder") : match.end("holder")]
    owner, named = _holder(holder), is_named(f"the {holder}")
    at: regex.Match[str] | None = match
    while at is not None and owner is not None:
        thing = counted(at["things"])
        number = next((q for q in find_quantities(at["number"], comma) if not q.dimension), None)
        if thing is None or number is None or number.value < 2:
            return
        told_first = pattern in (_NUMBER_OF, _LABEL)
        end = at.end() if told_first else at.start("things") + len(thing)
        more = _AND.match(lower, end) if pattern in (_HAS, _THERE) else None
        whole = more is not None or (pattern is _ALL and _VERB.match(lower[end:]) is not None)
        scope = () if whole else scope_of(lower[end:])
        if scope is None or (pattern is _LABEL and thing != at["things"]):
            return
        written = at["number"] if told_first else plain[at.start("number") : end]
        stated = count_of(thing, owner, scope, number.value, written, named, pattern is _LABEL)
        yield replace(stated, words=f"{holder} {thing}".strip())
        at = more


def count_of(
    thing: str, holder: Stems, scope: Stems, value: Decimal, written: str, named: bool, of_page: bool = False
) -> Statement:
    """So many of a thing, held by `holder` (nobody: the whole that the documents are about, or the page's subject)."""
    things = stems_of(thing)
    return Statement(
        "count",
        (*holder, "|", *things),
        scope,
        Value("number", value, value),
        thing,
        written,
        named,
        of_page,
        of_page,
    )


def counted(words: str) -> str | None:
    """The thing at the start of `words`: up to the first plural, with the words before it."""
    taken: list[str] = []
    for word in words.split():
        if word in STOPWORDS or word in RULES.not_things:
            return None
        taken.append(word)
        if (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in _PEOPLE:
            return " ".join(taken)
    return None


def _holder(words: str) -> Stems | None:
    """Whose the things are: () for the whole; None where it isn't said in a way that means one thing everywhere."""
    stems = stems_of(words)
    if not words or set(stems) <= WHOLES or words.lower() in RULES.wholes:
        return ()
    named = is_named(f"the {words}")
    return bare(stems) or None if named or len(stems) > 1 else None
