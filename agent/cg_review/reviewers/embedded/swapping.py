"""A sentence with one figure, date or name of it exchanged, as Markdown to paste: the fix of what contradicts something."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from cg_review.document import Cell
from cg_review.findings import FixPlace
from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.quantities import NUMBER_WORDS, Quantity

_LINE_END = re.compile(r"(?:[ \t]*|\\)(?:\r\n|[\r\n\v\f\x85\u2028\u2029])[ \t>]*")
_CONTROLS = re.compile(r"[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_ENGLISH = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_WORDS = {number: word for word, number in NUMBER_WORDS.items() if number <= 12}


def place_of(fix: str) -> FixPlace:
    """Where a fix made here is pasted; nowhere where none could be made."""
    return "instead" if fix else ""


def one_line(text: str) -> str:
    """Markdown of one block as one line: line ends and the marks of its container become a blank, controls go."""
    return _CONTROLS.sub(" ", _LINE_END.sub(" ", text))


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
    return one_line(before + words + reading.source[span.end : segment.span.end])


def with_number(reading: Reading, quantity: Quantity, number: Decimal | int) -> str:
    """The sentence with `number`, in the unit that is written, for a figure of it; empty where that can't be written."""
    written = reading.segment.plain[quantity.start : quantity.end]
    if quantity.dimension and quantity.number_or_value != quantity.value and not quantity.number:
        return ""
    return swapped(reading, quantity.start, quantity.end, number_like(written, Decimal(number)))


def with_cell(reading: Reading, cell: Cell, number: Decimal) -> str:
    """The row with `number` for the figure of a cell."""
    words = number_like(cell.text.strip(), number)
    if not words or cell.span.of(reading.source) != cell.text:
        return ""
    segment, source = reading.segment, reading.source
    written = cell.text.replace(cell.text.strip(), words)
    return one_line(
        source[segment.span.start : cell.span.start] + written + source[cell.span.end : segment.span.end]
    )


def number_like(written: str, number: Decimal) -> str:
    """`number` in the place of the one number of `written`, and as that is written: in words, grouped, so many decimals.

    Empty where `written` has none, or several, or writes it otherwise than English does.
    """
    if written.strip().lower() in NUMBER_WORDS:
        word = _WORDS.get(int(number), f"{number:,f}") if number == int(number) else ""
        return word.capitalize() if written[:1].isupper() else word
    found = _NUMBER.findall(written)
    if len(found) != 1 or not _ENGLISH.fullmatch(found[0]) or number < 0:
        return ""
    decimals = len(found[0].partition(".")[2])
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    is_bare = len(found[0].partition(".")[0]) > 3 and "," not in found[0]
    return written.replace(found[0], f"{rounded:f}" if is_bare else f"{rounded:,f}")
