"""How a check is written: a generator under its code. It knows neither severity nor file; the engine stamps both.

@check("E-XX01")
def name(subject: Subject) -> Iterator[Found]:
    \"\"\"What the code means: this is the text that `cg-review explain` prints.\"\"\"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from cg_review.cgd.nodes import Mapping, Node, Scalar
from cg_review.validator.report import Found
from cg_review.validator.subject import Subject

Check = Callable[[Subject], Iterator[Found]]
CHECKS: dict[str, Check] = {}

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


def check(code: str) -> Callable[[Check], Check]:
    """Register a generator as the check for `code`."""

    def register(function: Check) -> Check:
        if code in CHECKS:
            raise ValueError(f"two checks for {code}")
        CHECKS[code] = function
        return function

    return register


def real_date(text: str) -> date | None:
    """Return the day that `text` names as YYYY-MM-DD (ASCII digits, nothing else), or None."""
    found = _DATE.fullmatch(text)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def is_null(node: Node | None) -> bool:
    """Whether a value is missing or null."""
    return node is None or (isinstance(node, Scalar) and node.kind == "null")


def is_unknown(node: Node | None) -> bool:
    """Whether nothing can be said about a value: an alias, or a key that stands twice. Another code reports those."""
    return isinstance(node, Scalar) and node.kind == "unknown"


def is_text(node: Node | None) -> bool:
    """Whether a value is a scalar that holds more than white space."""
    return isinstance(node, Scalar) and node.kind != "null" and bool(node.text.strip())


def place_of(mapping: Mapping, name: str) -> int:
    """Return where the key `name` stands, or its mapping where it is missing."""
    key = mapping.key(name)
    return key.start if key else mapping.start
