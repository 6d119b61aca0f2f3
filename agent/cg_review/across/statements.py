"""Sentences that state something flatly: one subject, one value, nothing that hedges, negates, rounds or conditions it.

A statement missed costs nothing; one misread costs a false alarm in every document that tells it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.across.values import Value, name_value, read_value
from cg_review.across.words import RULES, Stems, any_of, aspect_in, bare, role_in, stems_of
from cg_review.inline import OPAQUE
from cg_review.reviewers.embedded.quantities import MONEY
from cg_review.reviewers.embedded.words import stem, words_of

_WORDS = r"[^.;:!?,(){}<>|=]"
_AMOUNT = r"(?=[\d$€£])"
_ARTICLE = r"(?:(?P<article>the|our|all|a|an) )?"
_ASIDE = r"(?:(?:on|at|by|in|exactly|now|currently|set to) )?"
_PREDICATES = "|".join(f"(?P<{name}>{any_of(one.says)})" for name, one in RULES.aspects.items() if one.says)
_SAYS = regex.compile(rf"^{_ARTICLE}(?P<subject>{_WORDS}{{3,70}}?) (?:{_PREDICATES}) {_ASIDE}{_AMOUNT}")
_KEEPS = regex.compile(
    rf"^(?:we|[a-z]+) (?:keep|retain|store|hold|archive)s? (?:the |our |all )?(?P<subject>{_WORDS}{{3,50}}?) for {_AMOUNT}"
)
_LABEL = regex.compile(rf"^{_ARTICLE}(?P<subject>{_WORDS}{{3,50}}): {_AMOUNT}")
_NAME = r"(?:[Tt]he |(?:Dr|Prof|Mr|Mrs|Ms)\.? )?[A-Z][\w'’-]+(?: (?:(?:de|van|von|der|la|di) )*[A-Z][\w'’.-]+){0,3}(?: team| squad| group| guild)?"
_ENDS = r"(?=[.;,]?$|[;,] )"
_ROLE_VERBS = any_of(
    word for words in RULES.roles.values() for word in words if word.endswith("ed") or word == "led"
)
_ROLE_NOUNS = any_of(
    word
    for words in RULES.roles.values()
    for word in words
    if not word.endswith("s") and not word.endswith("ed")
)
_ROLE_ACTS = any_of(("owns", "leads", "heads", "maintains", "manages"))
_OWNED = (
    regex.compile(rf"^(?:[Tt]he |[Oo]ur )?(?P<subject>{_WORDS}{{3,60}}?) (?:is|are) (?P<role>{_ROLE_VERBS}) by (?P<name>{_NAME}){_ENDS}"),
    regex.compile(
        rf"^(?:[Tt]he )?(?P<role>(?i:{_ROLE_NOUNS})) (?:of|for) (?:the |our )?(?P<subject>{_WORDS}{{3,60}}?)(?: is|:) (?P<name>{_NAME}){_ENDS}"
    ),
    regex.compile(rf"^(?:[Tt]he |[Oo]ur )?(?P<subject>{_WORDS}{{3,40}}?)['’]s (?P<role>{_ROLE_NOUNS}) is (?P<name>{_NAME}){_ENDS}"),
    regex.compile(rf"^(?P<name>{_NAME}) (?P<role>{_ROLE_ACTS}) (?:the |our )?(?P<subject>{_WORDS}{{3,50}}?)(?=[.;]?$)"),
    regex.compile(rf"^(?P<role>(?i:{_ROLE_NOUNS}))(?P<subject>): (?P<name>{_NAME})(?=[.;]?$)"),
)  # fmt: skip
_POST = regex.compile(
    rf"^(?:[Tt]he |[Oo]ur )?(?P<post>[\w -]{{2,50}}?\b{any_of(RULES.posts)})(?: is|:) (?P<name>{_NAME}){_ENDS}"
)
_NOT_FLAT = regex.compile(rf"\b{any_of(RULES.not_flat)}\b|n't\b|[~≈±?“\"]|\b{any_of(RULES.hedges)} {_AMOUNT}")
VAGUE = regex.compile(rf"^(?:{any_of(RULES.vague_starts)}\b|{any_of(RULES.vague)}$)")
_SCOPE = regex.compile(
    r"^ ?(?:for|in|on|per|with|during|within|after|before|when|of|each|every|a|to|at|by|without|as)\b[^.;,]{0,60}"
)
_ADDS = regex.compile(
    r"^(?:\)?$|[.!]|, (?!for\b|while\b|during\b|per\b|within\b|or\b|but\b|and \d)[^\d]*$|, [A-Z]"
    r"| and (?:then|is|are|has|have|was|handles|the|our|we|needs|runs)\b)"
)
_CLAUSES = regex.compile(
    r"(?:, (?:and|but|so)|,? and|(?<!^(?:in|on|for|at|under|with|per|during)\b.*):) (?=(?:the|our) )|,? (?:because|so that|so|which) |[()]",
    regex.IGNORECASE,
)
OPENING = regex.compile(rf"{any_of(RULES.openers)}\b")
_ADDRESS = regex.compile(r"\S+@\S+|https?://\S+")
_CODE = regex.compile(r"(?<!`)`([^`]+)`(?!`)")
_PLAIN_CODE = regex.compile(r"[\w.$€-]{1,40}")
_MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text tells: `subject` may be empty, where a label leaves it to the page to say whose it is.

    `named`: the subject has a name of its own, so that it means the same in every document. `filled_in`: a label or a cell
    tells it, as in a form.
    """

    aspect: str
    subject: Stems
    scope: Stems
    value: Value
    words: str
    written: str
    named: bool = False
    of_page: bool = False
    filled_in: bool = False


def clauses(plain: str) -> list[str]:
    """The parts of a sentence that may state something each; none where its opening binds all of it to a case.

    A part behind a mere comma counts only where the part before it is a statement too: see `statements`.
    """
    if OPENING.match(plain.lower()):
        return []
    parts: list[str] = []
    for part in plain.split("; "):
        states = not any(map(str.isdigit, part)) or set(words_of(part)[1:]) & RULES.verbs
        parts = [*parts, part] if states or not parts else [*parts[:-1], f"{parts[-1]}; {part}"]
    return [clause.strip() for part in parts for clause in _CLAUSES.split(part) if clause.strip()]


def statements(plain: str, comma: bool | None) -> Iterator[Statement]:
    """What the sentence or list item `plain` states."""
    for clause in clauses(plain):
        while is_flat(clause.lower()):
            found = _owner(clause) or _post(clause) or _measure(clause, comma)
            if found is None:
                break
            yield found
            more = clause.find(", ", clause.index(found.written.split()[0]))
            if more < 0:
                break
            clause = clause[more + 2 :].removeprefix("and ")


def readable(plain: str, text: str) -> str:
    """A sentence or cell with the names and values that its source writes as code; other code stays one U+FFFC."""
    codes = (
        iter(_CODE.findall(text)) if OPAQUE in plain and "](" not in text and "<" not in text else iter(())
    )
    shown = (code if code and _PLAIN_CODE.fullmatch(code) else OPAQUE for code in codes)
    return regex.sub(OPAQUE, lambda _: next(shown, OPAQUE), plain)


def is_flat(lower: str) -> bool:
    """Whether nothing in a sentence hedges, negates, rounds, dates or conditions what it tells."""
    return OPAQUE not in lower and not _NOT_FLAT.search(_ADDRESS.sub("", lower))


def _owner(plain: str) -> Statement | None:
    match = next(filter(None, (pattern.match(plain) for pattern in _OWNED)), None)
    role = role_in([match["role"].lower()]) if match else None
    if match is None or role is None:
        return None
    subject = bare(stems_of(match["subject"]))
    if match["subject"] and not subject:
        return None
    return Statement(
        role,
        subject,
        (),
        name_value(match["name"]),
        match["subject"] or role,
        match["name"].rstrip("."),
        of_page=not subject,
    )


def _post(plain: str) -> Statement | None:
    match = _POST.match(plain)
    subject = stems_of(match["post"]) if match else ()
    if match is None or len(subject) < 2 or len(match["name"].split()) < 2:
        return None
    return Statement("post", subject, (), name_value(match["name"]), match["post"], match["name"].rstrip("."))


def _measure(plain: str, comma: bool | None) -> Statement | None:
    lower = plain.lower()
    keeps = _KEEPS.match(lower)
    says = None if keeps else _SAYS.match(lower)
    match = keeps or says or _LABEL.match(lower)
    if match is None or VAGUE.match(match["subject"].strip()):
        return None
    found = read_value(plain, match.end(), comma)
    scope = scope_of(lower[found[1] :]) if found else None
    if found is None or scope is None:
        return None
    told = "kept" if keeps else next((n for n in RULES.aspects if says and says.groupdict().get(n)), "is")
    words = plain[match.start("subject") : match.end("subject")]
    if told == "is" and match.groupdict().get("article") in {"a", "an"}:
        return None
    written = plain[match.end() : found[1]].strip()
    return measured(told, words, found[0], written, scope, is_label=not (keeps or says))


def measured(
    told: str, words: str, value: Value, written: str, scope: Stems, is_label: bool = False
) -> Statement | None:
    """A value told of `words`, whose aspect they may name themselves; None where they don't say what is meant.

    A label of one word leaves it to its page to say whose it is.
    """
    of_date = value.kind == "date"
    noun, rest = aspect_in(stems_of(words), of_date)
    aspect = noun if told == "is" else told
    if told not in {"is", noun}:
        rest = stems_of(words)
    if aspect == "is" and value.kind.split("/")[0] in MONEY:
        aspect = "cost"
    if value.kind == "bytes" or aspect == "limit":
        rest = tuple(word for word in rest if word != stem("size"))
    subject = bare(rest)
    if not subject and is_label:
        subject = tuple(word.removeprefix("~") for word in rest)
    if aspect != "is" and (RULES.aspects[aspect].of == "date") != of_date:
        return None
    named = is_named(words) and not is_label
    of_page = not bare(rest) or (aspect == "is" and len(rest) < 2 and not named)
    if (of_page and not is_label) or len(subject) > _MOST_WORDS:
        return None
    return Statement(aspect, subject, scope, value, words, written, named, of_page, is_label)


def is_named(words: str) -> bool:
    """Whether a subject has a name for sure: a capital or a number behind its first word, which may start a sentence."""
    return any(word[:1].isupper() or word[:1].isdigit() for word in words.split()[1:])


def scope_of(rest: str) -> Stems | None:
    """The stems of what binds the value to a case; None where something behind it may change what it means."""
    rest = rest.rstrip()
    for idle in RULES.idle_rests:
        rest = rest.removeprefix(f" {idle}")
    if not rest or _ADDS.match(rest):
        return ()
    match = _SCOPE.match(rest)
    if match is None or not _ADDS.match(rest[match.end() :]):
        return None
    return stems_of(match.group())
