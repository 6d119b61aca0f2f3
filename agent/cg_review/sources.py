"""Sources of truth given for a review: documents in which a claim's value may stand (DESIGN, "Findings, rounds, claims").

Documents are looked up line by line (a row of a CSV file, a value of a JSON file); connectors are asked. Neither ends a
claim: what they find is evidence for a person (Tier 1B of the seed's verification hierarchy).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from cg_review.cgd.layout import take_apart
from cg_review.convert import CONVERTIBLE, convert, is_convertible
from cg_review.errors import InputError

SUFFIXES = {".md", ".markdown", ".txt", ".csv", ".json", ".yaml", ".yml"}
MAX_BYTES = 10_000_000

_WORD = re.compile(r"[^\W\d_]{4,}")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_QUANTITY = re.compile(
    r"(?:[$€£¥]\s?)?\d[\d.,]*\d?(?:\s?(?:%|percent\b|‰|ms\b|s\b|[kKmMgGtT]i?[bB]\b|[kKmMbB]n?\b|million\b|billion\b|€|EUR\b|USD\b"
    r"|users\b|hours\b|days\b|weeks\b|months\b|years\b|requests\b|engineers\b|people\b))?"
)
_QUOTED = 160


@dataclass(frozen=True, slots=True)
class Passage:
    """What a source says of a claim; `place` is where. `agrees` is False where the source says otherwise."""

    text: str
    place: str
    agrees: bool = True

    @property
    def quoted(self) -> str:
        """The place and what stands there, on one line."""
        flat = " ".join(self.text.split())
        short = flat if len(flat) <= _QUOTED else flat[: _QUOTED - 1] + "…"
        return f"{self.place}: “{short}”"


@dataclass(frozen=True, slots=True)
class Source:
    """A document given as evidence; `lines` are (1-based number, text), and `unit` is what is numbered."""

    name: str
    lines: tuple[tuple[int, str], ...]
    unit: str = "line"


@runtime_checkable
class Connector(Protocol):
    """A structured source that can be asked: a repository, a table, a service of one's own.

    Found by the entry point `cg_review.connectors`, or given to the library among its sources.
    """

    @property
    def name(self) -> str:
        """What it is, for the journal of what a review depended on."""
        ...

    def can_verify(self, claim: str) -> bool:
        """Whether it knows anything of this kind. Cheap; asks nobody."""
        ...

    def verify(self, claim: str) -> Passage | None:
        """What it knows: a passage that agrees or contradicts, None for nothing. Raises InputError where it cannot look."""
        ...


def read_sources(paths: Iterable[Path]) -> tuple[Source, ...]:
    """Read files, and all files of a known kind in folders, in order of their names.

    Raises InputError for a path that does not exist, is too large or is not UTF-8.
    """
    sources = []
    for path in paths:
        if path.is_dir():
            kinds = SUFFIXES | CONVERTIBLE if find_spec("markitdown") else SUFFIXES
            files = sorted(p for p in path.rglob("*") if p.suffix.lower() in kinds and p.is_file())
        else:
            files = [path]
        sources += [_read(file) for file in files]
    return tuple(sources)


def gather(given: Iterable[Path | Source | Connector]) -> tuple[Source | Connector, ...]:
    """Paths read, sources and connectors as they are. Raises InputError as `read_sources` does."""
    every = list(given)
    paths = [one for one in every if isinstance(one, Path)]
    return (*read_sources(paths), *(one for one in every if not isinstance(one, Path)))


def key_of(source: Source | Connector) -> list[object]:
    """What a review depended on, for the journal."""
    if isinstance(source, Source):
        return [source.name, [list(line) for line in source.lines]]
    return [source.name, repr(source)]


def read_text(path: Path) -> str:
    """The text of a source. Raises InputError where it cannot be read, is too large or is not UTF-8."""
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else None
        if data is None:
            raise InputError(f"{path}: a source may have at most {MAX_BYTES:,} bytes")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a source: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: a source has to be UTF-8 (byte {error.start})") from error


def _read(path: Path) -> Source:
    if is_convertible(path.name):
        return Source(path.name, tuple(_converted_lines(path)), "converted line")
    text = read_text(path)
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return Source(path.name, tuple(_csv_lines(path, text)))
    if suffix == ".json":
        return Source(path.name, tuple(enumerate(_json_lines(path, text), 1)), "entry")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    return Source(path.name, tuple(lines))


def _converted_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a PDF, Word, PowerPoint or HTML file as Markdown, without the frontmatter that names its origin."""
    try:
        text = convert(path.read_bytes(), str(path)).decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a source: {error.strerror or error}") from error
    body = text[take_apart(text).body.start :]
    yield from ((number, line.strip()) for number, line in enumerate(body.splitlines(), 1) if line.strip())


def _csv_lines(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Each row with its headings: "metric: churn; period: 2026-Q1; value: 5%"."""
    try:
        reader = csv.reader(io.StringIO(text))
        header = next(reader, [])
        for row in reader:
            cells = [
                f"{name}: {cell}" if name else cell
                for name, cell in zip([*header, *[""] * len(row)], row, strict=False)
                if cell.strip()
            ]
            if cells:
                yield reader.line_num, "; ".join(cells)
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV file: {error}") from error


def _json_lines(path: Path, text: str) -> Iterator[str]:
    """Each flat object on one line, each other value with its path."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a JSON file: {error}") from error
    pending: list[tuple[str, Any]] = [("", data)]
    while pending:
        name, value = pending.pop()
        if isinstance(value, dict):
            flat = {key: one for key, one in value.items() if not isinstance(one, dict | list)}
            if flat:
                yield (f"{name}: " if name else "") + "; ".join(f"{k}: {v}" for k, v in flat.items())
            nested = [(f"{name} {key}".strip(), one) for key, one in value.items() if key not in flat]
            pending += reversed(nested)
        elif isinstance(value, list):
            pending += [(name, one) for one in reversed(value)]
        else:
            yield f"{name}: {value}"


# -- looking up --------------------------------------------------------------------------------------------------------


def find_passage(text: str, value: str | None, sources: Sequence[Source | Connector]) -> Passage | None:
    """What carries the claim's value and most of its words in a source; None where there is nothing.

    Without a value, every number of the claim and most of its words have to stand in the line.
    """
    asked = next((found for found in _asked(text, sources) if found.agrees), None)
    if asked is not None:
        return asked
    numbers = {_number(n) for n in _NUMBER.findall(value if value else text)}
    words = _words(text)
    best: tuple[float, Passage] | None = None
    for source, number, line in _lines(sources):
        if not numbers <= {_number(n) for n in _NUMBER.findall(line)}:
            continue
        shared = len(words & _words(line)) / max(1, len(words))
        if shared >= 0.5 and (best is None or shared > best[0]):
            best = (shared, Passage(line, f"{source.name}, {source.unit} {number}"))
    return best[1] if best else None


def find_contradiction(text: str, sources: Sequence[Source | Connector]) -> Passage | None:
    """What says of the same thing another figure, where nothing in the sources says the claim's.

    The same thing: nearly all words are shared both ways, all other numbers (years, versions) are equal, and the one
    quantity of each has the same unit.
    """
    own = _single(text)
    asked = list(_asked(text, sources))
    if any(found.agrees for found in asked):
        return None
    if asked:
        return asked[0]
    if own is None:
        return None
    words = _words(text)
    if len(words) < 2 or find_passage(text, own[0], sources) is not None:
        return None
    for source, number, line in _lines(sources):
        other = _single(line)
        if other is None or other[1:] != own[1:] or _number(other[0]) == _number(own[0]):
            continue
        theirs = _words(line)
        shared = len(words & theirs)
        if shared >= max(2, 0.75 * len(words)) and shared >= 0.6 * len(theirs):
            return Passage(line, f"{source.name}, {source.unit} {number}", agrees=False)
    return None


def _asked(text: str, sources: Sequence[Source | Connector]) -> Iterator[Passage]:
    for source in sources:
        if not isinstance(source, Source) and source.can_verify(text):
            found = source.verify(text)
            if found is not None:
                yield found


def _lines(sources: Sequence[Source | Connector]) -> Iterator[tuple[Source, int, str]]:
    for source in sources:
        if isinstance(source, Source):
            for number, line in source.lines:
                yield source, number, line


def _single(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The one quantity with a unit (or the one number) of a text, its unit, and the other numbers."""
    found = [match[0] for match in _QUANTITY.finditer(text)]
    with_unit = [one for one in found if _unit(one)]
    chosen = with_unit if with_unit else found
    if len(chosen) != 1:
        return None
    others = sorted(_number(one.strip(".,")) for one in found if one is not chosen[0])
    digits = _NUMBER.search(chosen[0])
    return (digits[0] if digits else "", _unit(chosen[0]), tuple(others))


def _unit(quantity: str) -> str:
    return re.sub(r"[\d.,\s]", "", quantity).lower()


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _number(text: str) -> str:
    return text.replace(",", "")
