"""How a reason tells figures: one that stands in the text as it stands there, a made one as the text writes its like."""

from __future__ import annotations

from decimal import Decimal

from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.quantities import LONGEST, Quantity
from cg_review.reviewers.embedded.swapping import number_like


def quoted(reading: Reading, quantity: Quantity) -> str:
    """A figure of a sentence as it stands there."""
    return reading.segment.plain[quantity.start : quantity.end].strip()


def quoted_sentence(reading: Reading, length: int = 120) -> str:
    """A sentence in a reason's quotation marks: without its full stop, as the reason goes on, and cut at `length`."""
    return without_stop(reading.segment.plain.strip())[:length]


def without_stop(text: str) -> str:
    """`text` without the full stop that ends it; three of them stay."""
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def value_like(like: str, quantity: Quantity, value: Decimal) -> str:
    """`value`, in the base unit, as `like` tells `quantity`: 5,400 (seconds) beside "2 h" is "1.5 h"."""
    return figure_like(like, quantity, quantity.in_unit(value))


def figure_like(like: str, quantity: Quantity, number: Decimal) -> str:
    """`number`, in the unit of `quantity`, as `like` tells that: 1,700,000 beside "$1.9 million" is "$1.7 million".

    A bare number where it can't be written so.
    """
    bare = f"{round(float(number), 3):,.10g}"
    if number.adjusted() >= LONGEST:
        return bare
    own, rounded = quantity.number_or_value, Decimal(f"{number:.4g}")
    return number_like(like, number, own) or number_like(like, rounded, own) or bare
