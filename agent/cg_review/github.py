"""GitHub's workflow commands: lines on stdout that it shows as annotations beside the text."""

from __future__ import annotations

import re

_ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))

_UNSAFE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
)  # what drives a terminal, or is no text


def annotation(level: str, path: str, line: int, column: int, title: str, message: str) -> str:
    """One command; `level` is error, warning or notice."""
    place = f"file={_property(path)},line={line},col={column}"
    return f"::{level} {place},title={_property(title)}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    text = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)
    for character, escape in _ESCAPES:
        text = text.replace(character, escape)
    return text


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
