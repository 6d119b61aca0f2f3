"""A sentence with one figure, date or name of it exchanged, as Markdown to paste: the fix of what contradicts something."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from cg_review.document import Cell, Span
from cg_review.findings import FixPlace
from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, Quantity

# Blanks are tried from the first of a row alone, and given back by none: a long row costs one pass.
_LINE_END = re.compile(r"(?:(?<![ \t])[ \t]*+|\\)(?P<end>\r\n|[\r\n\v\f\x85\u2028\u2029])[ \t>]*")
_BREAK = re.compile(r"(?:  |\\)(?:\r\n|\r|\n)")
_FENCE = ":::"
"""Opens and closes a container of many Markdown tools, on a line of its own; a reader sees none of it."""
_CONTROLS = re.compile(r"[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_ENGLISH = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SHARE = re.compile(r"%|\bper ?cent\b", re.IGNORECASE)
_SCALED = re.compile(r"\d\s?(?:k|m|bn|thousand|million|billion)\b", re.IGNORECASE)
_SCALES = frozenset(map(Decimal, (10**3, 10**6, 10**9)))
_DECIMALS = 3
"""More of them than this, and the scale that is written does not fit the number."""
_CENTS = 2
"""Decimals of a number that its like has not: a share is rounded as it was, anything else said to this."""
_WORDS = {number: word for word, number in NUMBER_WORDS.items() if number <= 12}


def place_of(fix: str) -> FixPlace:
    """Where a fix made here is pasted; nowhere where none could be made."""
    return "instead" if fix else ""


def folded(text: str) -> str:
    """Markdown of one block on as few lines as say the same: a line end and the marks of the block's container become a
    blank, but for hard breaks and the lines of a `:::` container, which stay as they are; controls go."""
    parts: list[str] = []
    start, fenced = 0, text.startswith(_FENCE)
    for match in _LINE_END.finditer(text):
        next_fenced = text.startswith(_FENCE, match.end())
        stays = match["end"] in ("\r\n", "\r", "\n") and (
            fenced or next_fenced or bool(_BREAK.search(match.group()))
        )
        parts += [_CONTROLS.sub(" ", text[start : match.start()]), match.group() if stays else " "]
        start, fenced = match.end(), next_fenced
    return "".join([*parts, _CONTROLS.sub(" ", text[start:])])


def within_fences(text: str, unit: Span) -> Span:
    """A stretch of `text` without the lines of `:::` containers that it begins and ends with."""
    lines = unit.of(text).splitlines(keepends=True)
    start, end = unit.start, unit.end
    while lines and _is_fence(lines[0]):
        start += len(lines.pop(0))
    while lines and _is_fence(lines[-1]):
        end -= len(lines.pop())
    if (start, end) == (unit.start, unit.end):
        return unit
    inside = text[start:end]
    if not inside.strip():
        return unit
    return Span(start + len(inside) - len(inside.lstrip(" \t>")), start + len(inside.rstrip()))


def _is_fence(line: str) -> bool:
    return line.lstrip(" \t>").startswith(_FENCE)


def swapped(reading: Reading, start: int, end: int, words: str) -> str:
    """The sentence with `words` for its plain characters [start, end); empty where markup stands among them."""
    segment, plain = reading.segment, reading.segment.plain
    while end > start and plain[end - 1].isspace():
        end -= 1
    if end <= start or not words:
        return ""
    span = segment.source_of(start, end)
    if span.of(reading.source) != plain[start:end]:
        return ""
    before = reading.source[segment.span.start : span.start]
    return folded(before + words + reading.source[span.end : segment.span.end])


def with_number(reading: Reading, quantity: Quantity, number: Decimal | int) -> str:
    """The sentence with `number`, in the unit that is written but for its scale, for a figure of it; empty where that can't
    be written."""
    written = reading.segment.plain[quantity.start : quantity.end]
    words = number_like(written, Decimal(number), quantity.number_or_value)
    return swapped(reading, quantity.start, quantity.end, words)


def with_cell(reading: Reading, cell: Cell, quantity: Quantity, number: Decimal) -> str:
    """The row with `number` for the figure of a cell, which is `quantity`."""
    words = number_like(cell.text.strip(), number, quantity.number_or_value)
    if not words or cell.span.of(reading.source) != cell.text:
        return ""
    segment, source = reading.segment, reading.source
    written = cell.text.replace(cell.text.strip(), words)
    return folded(
        source[segment.span.start : cell.span.start] + written + source[cell.span.end : segment.span.end]
    )


def number_like(written: str, number: Decimal, stands_for: Decimal | None = None) -> str:
    """`number` in the place of the one number of `written`, and as that is written: in words, grouped, so many decimals.

    `stands_for` is what `written` means where that is known: "$12k" is 12,000, and 11,000 in its place "$11k". Empty where
    `written` has no number, or several, or writes it otherwise than English does, or means something else, and where the
    decimals that are written make more digits of `number` than are calculated with.
    """
    word, _, unit = written.strip().partition(" ")
    if word.lower() in NUMBER_WORDS:
        if number != int(number) or (stands_for or NUMBER_WORDS[word.lower()]) != NUMBER_WORDS[word.lower()]:
            return ""
        said = _WORDS.get(int(number), f"{number:,f}")
        return f"{said.capitalize() if word[0].isupper() else said} {unit}".strip()
    found = _NUMBER.findall(written)
    if len(found) != 1 or not _ENGLISH.fullmatch(found[0]) or number < 0:
        return ""
    decimals = len(found[0].partition(".")[2])
    exact = max(0, -int(number.normalize().as_tuple().exponent))
    scale = _scale(found[0], stands_for)
    if scale != 1:
        if scale not in _SCALES or not _SCALED.search(written):
            return ""
        number /= scale
        decimals = max(decimals, -int(number.normalize().as_tuple().exponent))
        if decimals > _DECIMALS:
            return ""
    elif not _SHARE.search(written):
        decimals = max(decimals, min(exact, _CENTS))
    try:
        rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    except InvalidOperation:
        return ""
    is_bare = len(found[0].partition(".")[0]) > 3 and "," not in found[0]
    return written.replace(found[0], f"{rounded:f}" if is_bare else f"{rounded:,f}")


def _scale(digits: str, stands_for: Decimal | None) -> Decimal:
    """How many times the digits' own value a number stands for."""
    own = Decimal(digits.replace(",", ""))
    return stands_for / own if stands_for and own else Decimal(1)
