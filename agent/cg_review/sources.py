"""Sources of truth given for a review: documents in which a claim's value may stand (DESIGN, "Findings, rounds, claims")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cg_review.errors import InputError

SUFFIXES = {".md", ".markdown", ".txt", ".csv", ".json", ".yaml", ".yml"}
MAX_BYTES = 10_000_000

_WORD = re.compile(r"[^\W\d_]{4,}")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a source that carries a claim's value; `place` is file and line."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Source:
    """A document given as evidence; `lines` are (1-based number, text)."""

    name: str
    lines: tuple[tuple[int, str], ...]


def read_sources(paths: Iterable[Path]) -> tuple[Source, ...]:
    """Read files, and all files of a known kind in folders, in order of their names.

    Raises InputError for a path that does not exist, is too large or is not UTF-8.
    """
    sources = []
    for path in paths:
        if path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        else:
            files = [path]
        sources += [_read(file) for file in files]
    return tuple(sources)


def _read(path: Path) -> Source:
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else None
        if data is None:
            raise InputError(f"{path}: a source may have at most {MAX_BYTES:,} bytes")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a source: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: a source has to be UTF-8 (byte {error.start})") from error
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    return Source(path.name, tuple(lines))


def find_passage(text: str, value: str | None, sources: Sequence[Source]) -> Passage | None:
    """The line of a source that carries the claim's value and most of its words; None where there is none.

    Without a value, every number of the claim and most of its words have to stand in the line.
    """
    numbers = {_number(n) for n in _NUMBER.findall(value if value else text)}
    words = {word.lower() for word in _WORD.findall(text)}
    best: tuple[float, Passage] | None = None
    for source in sources:
        for number, line in source.lines:
            if not numbers <= {_number(n) for n in _NUMBER.findall(line)}:
                continue
            shared = len(words & {word.lower() for word in _WORD.findall(line)}) / max(1, len(words))
            if shared >= 0.5 and (best is None or shared > best[0]):
                best = (shared, Passage(line, f"{source.name}, line {number}"))
    return best[1] if best else None


def _number(text: str) -> str:
    return text.replace(",", "")
