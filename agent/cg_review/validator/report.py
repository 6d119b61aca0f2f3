"""What validating gives: faults, each with its place, and whether the document may be ingested."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning"]

_LINE_ENDING = re.compile(r"\r\n|\r|\n")
_UNPRINTABLE = r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"


class Found(NamedTuple):
    """What a check yields: words, and the offset of the character they are about; None for a part that is missing."""

    message: str
    offset: int | None = None


@dataclass(frozen=True)
class Fault:
    """One fault of a document; `line` and `column` count from 1, in characters of the text as read."""

    code: str
    severity: Severity
    message: str
    line: int
    column: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fault as JSON values."""
        names = ("code", "severity", "message", "line", "column")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class ValidationReport:
    """Everything that is wrong with a document, in document order.

    `rag_ingestable` is computed, never read: CLEAR, REVIEWED, no exclusion block, a supported version, and valid.
    """

    path: str
    valid: bool
    rag_ingestable: bool
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "path": self.path,
            "valid": self.valid,
            "rag_ingestable": self.rag_ingestable,
            "faults": [fault.to_dict() for fault in self.faults],
        }

    @property
    def codes(self) -> list[str]:
        """The codes of all faults, in order."""
        return [fault.code for fault in self.faults]


def place(text: str, found: Iterable[tuple[str, Severity, Found]]) -> tuple[Fault, ...]:
    """Turn what checks yielded into faults in document order, each once. One walk over the text places them all."""
    ordered = sorted(set(found), key=lambda one: (one[2].offset or 0, one[0], one[2].message))
    faults, line, start = [], 1, 0
    for code, severity, (message, offset) in ordered:
        target = min(offset or 0, len(text))
        for ending in _LINE_ENDING.finditer(text, start, target):
            line, start = line + 1, ending.end()
        bom = 1 if start == 0 and text.startswith("\ufeff") and target else 0
        faults.append(Fault(code, severity, printable(message), line, target - start + 1 - bom))
    return tuple(faults)


def printable(words: str) -> str:
    """Return `words` fit for a terminal and for UTF-8: nothing that moves a cursor, reverses text or is no character."""
    return re.sub(_UNPRINTABLE, lambda found: f"\\u{ord(found[0]):04x}", words)


def shown(text: str, limit: int = 60) -> str:
    """Return `text` quoted for a message, cut where it is long."""
    return f"`{text if len(text) <= limit else text[: limit - 1] + '…'}`"
