"""Lists, as items of Markdown and inside a sentence."""

from __future__ import annotations

import regex

from cg_review.reviewers.embedded.analysis import Analysis

_MARK = regex.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[*_`~\[(\"]*$")
_REACH = 64  # characters before an item's text that can be its mark: the line before them may be a megabyte
_SHORT = 6


def opens_item(analysis: Analysis, start: int) -> bool:
    """Whether what starts at `start` of the document's text stands right behind a list mark."""
    before = analysis.document.text[max(0, start - _REACH) : start]
    return bool(_MARK.search(before.rpartition("\n")[2]))


def items_of(text: str) -> list[str]:
    """The items of "a, b (x, y) and c"; empty where one is too long to be a name."""
    bare = regex.sub(r"\([^)]*\)", " ", text)
    items = [item.strip() for item in regex.split(r",(?: and| or)? |; | and ", bare) if item.strip()]
    return items if all(len(item.split()) <= _SHORT for item in items) else []


def fewest_items(listed: str, most: int) -> int:
    """How many items an enumeration has if an "and" can be inside one: 3 in "Pivot, Oyelaran and Sons, and Tallis"."""
    commas = [piece for piece in listed.split(", ") if piece.strip()]
    if len(commas) == 1:
        return most
    *_, last = commas
    return len(commas) + (not last.startswith(("and ", "or ")) and bool(regex.search(r" (?:and|or) ", last)))
