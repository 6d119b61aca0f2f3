"""Words of somebody else's for a terminal or a message: on one line, nothing that drives a screen, not without end."""

from __future__ import annotations

import re

# C0 and C1 controls, and what reorders text on a terminal: a quote must not drive the reader's screen.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_ENDING = re.compile(r"\r\n|\r|\n")
_LONGEST = 300


def one_line(text: str, length: int = _LONGEST) -> str:
    """`text` on one line, its white space folded, cut at `length` characters."""
    flat = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def unbroken(text: str) -> str:
    """`text`, whole and with its blanks as they are, on one line."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.splitlines()))


def as_lines(text: str, length: int = 1000) -> list[str]:
    """`text` to be copied: its lines as they are, cut at `length` characters in all."""
    return [_UNSAFE.sub("\N{REPLACEMENT CHARACTER}", line) for line in _ENDING.split(text[:length])]
