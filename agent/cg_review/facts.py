"""What a document states so plainly that another document can contradict it: "X is 30 days", "X ships on 1 May", "X: Ana".

Only whole, flat statements count: one subject, one value, nothing that hedges, negates, rounds or conditions it. A fact
missed costs nothing; one misread costs a false alarm in every document that tells it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.document import Document, Segment, SegmentKind
from cg_review.inline import OPAQUE
from cg_review.reviewers.embedded.dates import find_dates
from cg_review.reviewers.embedded.quantities import find_quantities, writes_decimal_comma
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

Key = tuple[str, ...]

_PREDICATES = {
    "is": "is|are|equals|is set to|is limited to|is fixed at|is capped at",
    "lasts": "lasts|takes|runs for",
    "costs": "costs|cost",
    "starts": "starts|start|begins|launches|launch|ships|ship|opens|goes live|go live|is released|is due to start",
    "ends": "ends|end|expires|expire|closes|close|is due|are due|is switched off|is retired",
}
_VERBS = "|".join(f"(?P<{name}>{words})" for name, words in _PREDICATES.items())
_ARTICLE = r"(?:(?:the|our|its|all|each) )?"
_SAYS = regex.compile(
    rf"^{_ARTICLE}(?P<subject>[^.;:!?,()]{{3,70}}?) (?:{_VERBS}) (?:(?:on|at|by|in|exactly|now) )?(?=[\d$€£])"
)
_LABEL = regex.compile(rf"^{_ARTICLE}(?P<subject>[^.;:!?,()]{{3,50}}): (?=[\d$€£])")
_NAME = r"(?:[Tt]he )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}(?: team)?"
_ROLE = r"(?P<role>owned|led|maintained|managed|run)"
_OWNED = regex.compile(
    rf"^(?:[Tt]he |[Oo]ur )?(?P<subject>[^.;:!?,()]{{3,60}}?) (?:is|are) {_ROLE} by (?P<name>{_NAME})(?=[.;]?$)"
)
_OWNER = regex.compile(
    rf"^(?:[Tt]he )?(?:[Oo]wner|[Ll]ead|[Mm]aintainer) of (?:the |our )?(?P<subject>[^.;:!?,()]{{3,60}}?)(?: is|:) (?P<name>{_NAME})(?=[.;]?$)"
)
_ROLES = {"led": "led", "lead": "led", "maintained": "maintained", "maintainer": "maintained"}
# Words that make a statement less than flat, or bind it to some case of its own.
_NOT_FLAT = regex.compile(
    r"\b(?:not|no|never|n't|about|around|roughly|approximately|nearly|almost|at least|at most|up to|over|under|more than|less than|between|"
    r"from|expected|projected|estimated|planned|may|might|could|should|if|unless|except|instead|formerly|previously|was|were|used to|until now|"
    r"average|median|typical|typically|usually|example|e\.g)\b|[~≈±?“\"]"
)
_VAGUE_SUBJECT = regex.compile(
    r"^(?:it|this|that|these|those|there|which|who|he|she|they|we|you|here|step|figure|table|section|chapter|page|note|date|version|total|"
    r"result|value|number|deadline|answer|following|last updated|updated|owner|author|status|review|reviewed)\b(?: (?:document|page|section|list|date))?$"
)
_SCOPE = regex.compile(
    r"^ ?(?:for|in|on|per|with|during|within|after|before|when|of|each|every|a|to|at)\b.{0,60}"
)
_MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement: facts with one `key` and different values contradict each other. `line` and `column` count from 1."""

    key: Key
    value: str
    subject: str
    written: str
    quote: str
    line: int
    column: int


def find_facts(document: Document) -> Iterator[Fact]:
    """The facts of a document, in order."""
    told = [
        s
        for s in document.segments
        if s.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM) and not s.quoted
    ]
    comma = writes_decimal_comma(segment.plain for segment in told)
    for segment in told:
        plain = " ".join(segment.plain.split())
        if len(plain) > 200 or OPAQUE in plain:
            continue
        found = _owner(plain) or _measure(plain, comma)
        if found is not None:
            key, value, subject, written = found
            line, column = document.position(segment.span.start)
            yield Fact(key, value, subject, written, _quote(document, segment), line, column)


def _owner(plain: str) -> tuple[Key, str, str, str] | None:
    match = _OWNED.match(plain) or _OWNER.match(plain)
    subject = _subject(match["subject"]) if match else None
    if match is None or subject is None or _NOT_FLAT.search(plain.lower()):
        return None
    role = match.groupdict().get("role") or plain.removeprefix("The ").split()[0].lower()
    name = match["name"].removeprefix("the ").removeprefix("The ")
    return (_ROLES.get(role, "owned"), *subject), name.lower(), match["subject"], name


def _measure(plain: str, comma: bool | None) -> tuple[Key, str, str, str] | None:
    lower = plain.lower()
    match = _SAYS.match(lower) or _LABEL.match(lower)
    subject = _subject(plain[match.start("subject") : match.end("subject")]) if match else None
    if match is None or subject is None or _NOT_FLAT.search(lower):
        return None
    predicate = next((name for name in _PREDICATES if match.groupdict().get(name)), "is")
    value = _value_at(plain, match.end(), comma)
    if value is None:
        return None
    kind, told, end = value
    scope = _SCOPE.match(lower[end:])
    rest = (
        tuple(sorted(stem(word) for word in words_of(scope.group()) if word not in STOPWORDS))
        if scope
        else ()
    )
    if not scope and lower[end:].strip(" .;!"):
        return None  # something else follows the value: it may change what it means
    return (
        (predicate, kind, *subject, "|", *rest),
        told,
        plain[match.start("subject") : match.end("subject")],
        plain[match.end() : end],
    )


def _value_at(plain: str, start: int, comma: bool | None) -> tuple[str, str, int] | None:
    """The kind, the value and the end of what stands at `start`."""
    for date in find_dates(plain):
        if date.start == start and date.first and date.last and not date.ambiguous:
            return f"date:{date.unit}", date.first.isoformat(), date.end
    for quantity in find_quantities(plain.lower(), comma):
        if quantity.start <= start + 1 <= quantity.end and not quantity.ambiguous:
            if not quantity.dimension:
                return None  # a bare number counts something: the words behind it would have to be understood
            return quantity.dimension, str(quantity.value.normalize()), quantity.end
    return None


def _subject(words: str) -> Key | None:
    """The stems that name what a statement is about; None where they do not say it on their own."""
    if _VAGUE_SUBJECT.match(words.lower().strip()):
        return None
    stems = sorted({stem(word) for word in words_of(words.lower()) if word not in STOPWORDS})
    named = any(word[:1].isupper() for word in words.split()[1:]) or (
        words[:1].isupper() and len(words.split()) == 1
    )
    return tuple(stems) if 2 <= len(stems) <= _MOST_WORDS or (stems and named) else None


def _quote(document: Document, segment: Segment) -> str:
    return segment.span.of(document.text)
