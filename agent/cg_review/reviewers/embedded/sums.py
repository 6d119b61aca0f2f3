"""Point 5: sums inside a sentence: a whole and its parts, told one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.telling import figure_like, quoted
from cg_review.reviewers.embedded.vocabulary import one_of

_OPENS = regex.compile(
    r"\s?(?:[\w'’-]+[ ,]+){0,14}?[\w'’-]*\s?(?P<mark>: | ?\(| – | — |—|, namely |(?<=in total|in all|altogether|all told), )"
)
_ITEMS = regex.compile(r", (?:and )?(?!\d{3}\b)|; (?:and )?| and | plus | \+ ")
_ONE = regex.compile(r"\b(?:one|an?(?= \w))\b")
_OPEN_ENDED = regex.compile(
    r"\b(?:rest|others?|remain\w*|of which|of these|of them|of whom|including|among|such as|e\.g\.|for example|at least|about|around|or|each|per|every|times|only|more|less|than|from \d|to \d|some|several|between|average|median|mean|both|section|paragraph|page|pages|article|figure|table|clause)\b|[×x*/%=<>~]\s?\d|\d\s?[×*/=<>]"
)
_SAID_BEHIND = regex.compile(r"\s?(?:[\w-]+ ){0,2}(?:altogether|in total|in all|together|all told)\b")
_OF_THESE = regex.compile(r"^of (?:these|those|them|which|whom),? ")
_LAST = regex.compile(r"^[\w\s'’-]*")
_LIKELY = Decimal("1.34")
"""Parts that come to more than this of the whole, or less than its inverse, are no parts of it."""


def wrong_sums_told(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Sixty devices: 46 on the floor, 8 in the cupboard, 4 away", and "41 in May and 30 in June, together 81"."""
    cue = one_of(point.words["adds_up"])
    yield from _of_these(analysis, ledger)
    for reading in ledger.statements:
        quantities = ledger.quantities[reading.segment.number]
        if not 2 <= len(quantities) <= 14:
            continue
        finding = _whole_first(reading, quantities) or _whole_last(reading, quantities, cue)
        if finding:
            yield finding


def _of_these(analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "There were 8,412 accounts. Of these, 5,020 have Leaf and 3,610 Thicket." """
    for before, reading in itertools.pairwise(analysis.readings):
        match = _OF_THESE.match(reading.lower)
        if not match:
            continue
        given = [q for q in ledger.quantities.get(before.segment.number, ()) if not q.dimension]
        if not given or before.segment.section != reading.segment.section:
            continue
        end = _sentence_end(reading.lower)
        listed = reading.lower[match.end() : end if end >= 0 else len(reading.lower)]
        whole = max(given, key=lambda q: q.number)
        parts = _parts(listed, match.end(), ledger.quantities[reading.segment.number], whole)
        if parts and sum(parts) > whole.number and _is_off(whole.number, parts):
            written = before.segment.plain[whole.start : whole.end].strip()
            made = figure_like(written, whole, sum(parts, Decimal(0)))
            reason = f"the parts named make {made}, of {written} before"
            yield two_sided(reading, before.segment.number, reason, 0.75)


def _whole_first(reading: Reading, quantities: Sequence[Quantity]) -> RawFinding | None:
    text = reading.lower
    for whole in quantities[:4]:
        opens = _OPENS.match(text, whole.end)
        if not opens or any(whole.end <= q.start < opens.end() for q in quantities):
            continue
        rest = text[opens.end() :]
        end = rest.find(")") if opens["mark"].endswith("(") else _sentence_end(rest)
        listed = rest[: end if end >= 0 else len(rest)]
        parts = _parts(listed, opens.end(), quantities, whole)
        if parts and _is_off(whole.number, parts):
            written = reading.segment.plain[whole.start : opens.start("mark")].strip()
            made = figure_like(quoted(reading, whole), whole, sum(parts, Decimal(0)))
            fix = with_number(reading, whole, sum(parts))
            return one_sided(reading, f'"{written}", and the parts named make {made}', 0.75, fix)
    return None


def _sentence_end(text: str) -> int:
    match = regex.search(r"[.;] |[.;]$", text)
    return match.start() if match else -1


def _parts(listed: str, offset: int, quantities: Sequence[Quantity], whole: Quantity) -> list[Decimal]:
    """The figures of an enumeration, one an item; nothing where an item has none, or another kind of figure."""
    listed = regex.sub(r"\([^)]*\)", lambda m: " " * len(m.group()), listed)
    if _OPEN_ENDED.search(listed):
        return []
    parts = []
    for start, end in _spans(listed):
        inside = [q for q in quantities if start + offset <= q.start < end + offset]
        if len(inside) > 1 or (inside and inside[0].dimension not in ("", whole.dimension)):
            return []
        one = _ONE.match(listed[start:end].strip())
        if not inside and not one:
            return []
        lead = listed[start : inside[0].start - offset] if inside else ""
        if len(lead.split()) > 4:
            return []
        parts.append(inside[0].number if inside else Decimal(1))
    if len(parts) < 2 or len(parts) == whole.number or _counts_up(parts):
        return []
    return parts


def _spans(listed: str) -> Iterator[tuple[int, int]]:
    cuts = [0, *itertools.chain.from_iterable(match.span() for match in _ITEMS.finditer(listed)), len(listed)]
    return (
        (start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=True) if listed[start:end].strip()
    )


def _counts_up(parts: list[Decimal]) -> bool:
    """Whether they are numbers of things in order (1, 2, 3), not amounts."""
    return all(two - one == 1 for one, two in itertools.pairwise(parts))


def _is_off(whole: Decimal, parts: list[Decimal]) -> bool:
    made = sum(parts, Decimal(0))
    if made == whole or (abs(made - whole) * 200 <= whole and whole > 100 and whole % 10 == 0):
        return False
    if max(parts) >= whole or made * _LIKELY < whole or whole * _LIKELY < made:
        return False
    return not any(sum(parts[:n]) == whole or sum(parts[-n:]) == whole for n in range(2, len(parts)))


def _whole_last(
    reading: Reading, quantities: Sequence[Quantity], cue: regex.Pattern[str]
) -> RawFinding | None:
    for at, whole in enumerate(quantities):
        before = reading.lower[max(0, whole.start - 26) : whole.start]
        said = [match.end() for match in cue.finditer(before)]
        behind = _SAID_BEHIND.match(reading.lower, whole.end)
        if at < 2 or not (behind or (said and _LAST.fullmatch(before[said[-1] :]))):
            continue
        told = reading.lower[quantities[0].start : whole.start]
        parts = [q.number for q in quantities[:at] if q.dimension == whole.dimension]
        plain = [q.number for q in quantities[:at] if q.dimension in ("", whole.dimension)]
        if len(parts) < 2 and whole.dimension != "share":  # a share is no sum of counts
            parts = plain
        if (
            _OPEN_ENDED.search(regex.sub(r"\([^)]*\)", "", told))
            or len(parts) < 2
            or _fits(whole.number, plain)
        ):
            continue
        if _is_off(whole.number, parts):
            written = quoted(reading, whole)
            made = figure_like(written, whole, sum(parts, Decimal(0)))
            reason = f'"{written}" together, and the parts named make {made}'
            return one_sided(reading, reason, 0.75, with_number(reading, whole, sum(parts)))
    return None


def _fits(whole: Decimal, parts: list[Decimal]) -> bool:
    """Whether a product, or a sum of products, of the figures makes the whole."""
    product = Decimal(1)
    for part in parts[-4:]:
        product *= part
    return product == whole or any(a * b + c == whole for a, b, c in itertools.permutations(parts[-4:], 3))
