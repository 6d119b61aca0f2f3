"""Counts of things: how many a whole has ("The platform has 45 tenants", "All 52 tenants …"), never how many of them do something."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.across.statements import Statement, is_flat, is_named, scope_of
from cg_review.across.values import Value
from cg_review.across.words import RULES, WHOLES, Stems, any_of, bare, stems_of
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, find_quantities
from cg_review.reviewers.embedded.words import STOPWORDS

_NUMBER = rf"(?P<number>\d[\d,.]*\d|\d+|{any_of(word for word, n in NUMBER_WORDS.items() if n > 1)})"
_THINGS = r"(?P<things>[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
_HOLDER = r"(?:(?:the|our|each|every) )?(?P<holder>[^.;:!?,()]{2,50}?)"
_HAS = regex.compile(rf"^{_HOLDER} {any_of(RULES.has)} {_NUMBER} {_THINGS}")
_THERE = regex.compile(rf"^(?P<holder>)there are {_NUMBER} {_THINGS}")
_ALL = regex.compile(rf"^(?P<holder>)(?:all|all of|all the|all of the|all of our|all our|our) {_NUMBER} {_THINGS}")
_NUMBER_OF = regex.compile(rf"^(?P<holder>)(?:the )?(?:total )?number of (?P<things>[a-z][\w-]*(?: [a-z][\w-]*)?)(?: is|:) {_NUMBER}(?=[.;,]?$)")
_LABEL = regex.compile(rf"^(?P<holder>){_THINGS}: {_NUMBER}(?=[.;,]?$)")
_VERB = regex.compile(r"^ (?:are|is|have|has|use|run|share|work|live|belong|sit|pay|can|get|go|receive|take|come)\b")
_PEOPLE = frozenset({"people", "staff", "children", "women", "men"})


def counts(plain: str, comma: bool | None) -> Iterator[Statement]:
    """The counts that the sentence or list item `plain` states of a whole."""
    lower = plain.lower()
    for pattern in (_HAS, _THERE, _ALL, _NUMBER_OF, _LABEL):
        match = pattern.match(lower)
        if match and is_flat(lower):
            found = _count(plain, lower, match, comma, pattern)
            if found is not None:
                yield found
            return


def _count(
    plain: str, lower: str, match: regex.Match[str], comma: bool | None, pattern: regex.Pattern[str]
) -> Statement | None:
    thing = counted(match["things"])
    number = next((q for q in find_quantities(match["number"], comma) if not q.dimension), None)
    if thing is None or number is None or number.value < 2:
        return None
    told_first = pattern in (_NUMBER_OF, _LABEL)
    end = match.end() if told_first else match.start("things") + len(thing)
    scope = () if pattern is _ALL and _VERB.match(lower[end:]) else scope_of(lower[end:])
    holder = plain[match.start("holder") : match.end("holder")]
    owner = _holder(holder)
    if scope is None or owner is None:
        return None
    written = plain[match.start("number") : end] if not told_first else match["number"]
    of_page = pattern is _LABEL
    if of_page and thing != match["things"]:
        return None
    return count_of(thing, owner, scope, number.value, written, is_named(f"the {holder}"), of_page)


def count_of(
    thing: str, holder: Stems, scope: Stems, value: Decimal, written: str, named: bool, of_page: bool = False
) -> Statement:
    """So many of a thing, held by `holder` (nobody: the whole that the documents are about, or the page's subject)."""
    things = stems_of(thing)
    return Statement(
        "count", (*holder, "|", *things), scope, Value("number", value, value), thing, written, named, of_page, of_page
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
