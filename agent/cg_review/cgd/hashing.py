"""`document-sha256`: which text it covers and how that text is made canonical (FORMAT section 3)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from cg_review.cgd.layout import BOM, Layout, take_apart
from cg_review.errors import DocumentRefused

HASH_LINE = re.compile(r"\s*document-sha256:")
_NEWLINES = re.compile(r"\n{3,}")
_MARKS = 32  # more combining marks than this on one letter are no writing
_UNBROKEN = re.compile(rf"[^\x00-\u02ff]{{{2 * _MARKS},}}")  # what can hold so many; no Latin text does
_HEX64 = re.compile(r"[0-9a-f]{64}")


def unix_newlines(text: str) -> str:
    """Drop a BOM and turn CRLF and lone CR into LF."""
    return text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def canonicalise(text: str) -> str:
    """Return the canonical form of `text`: LF, no trailing white space, no triple newlines, one final newline, NFC."""
    stripped = "\n".join(map(str.rstrip, unix_newlines(text).split("\n")))
    collapsed = _NEWLINES.sub("\n\n", stripped) if "\n\n\n" in stripped else stripped
    return normalise(collapsed.rstrip("\n") + "\n")


def normalise(text: str) -> str:
    """Return the NFC form of `text` in linear time.

    Python sorts a run of combining marks by insertion: half a million of them would take minutes. Long runs are put
    in canonical order first, which changes nothing about the result.
    """
    return text if text.isascii() else unicodedata.normalize("NFC", _UNBROKEN.sub(_with_sorted_marks, text))


def _with_sorted_marks(found: re.Match[str]) -> str:
    run = found[0]
    if not any(map(_is_mark, run[::_MARKS])):
        return run
    parts = []
    for marks, group in groupby(run, _is_mark):
        characters = "".join(group)
        if marks and len(characters) > _MARKS:
            decomposed = "".join(unicodedata.normalize("NFD", character) for character in characters)
            characters = "".join(sorted(decomposed, key=unicodedata.combining))
        parts.append(characters)
    return "".join(parts)


@lru_cache(maxsize=1024)
def _is_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) != 0


def document_hash(text: str | Layout) -> str:
    """Return the hash of a document, 64 lowercase hex digits.

    Raises DocumentRefused where there is no frontmatter or no end marker, for then nothing says what to hash.
    """
    layout = text if isinstance(text, Layout) else take_apart(text)
    if layout.opening is None or layout.frontmatter is None or layout.closing is None:
        raise DocumentRefused(
            "no frontmatter: the document must start with a line `---` and close it with another"
        )
    if layout.end_marker is None:
        raise DocumentRefused("no end marker outside a fence: nothing says where the hashed text ends")
    kept = without_hash(layout.text[slice(*layout.frontmatter)])
    return body_hash(kept + layout.text[layout.closing.start : layout.body.end])


def stored_hash(text: str | Layout) -> str | None:
    """Return the 64 hex digits that a document declares, or None where it declares none of that form."""
    layout = text if isinstance(text, Layout) else take_apart(text)
    if layout.frontmatter is None:
        return None
    lines = unix_newlines(layout.text[slice(*layout.frontmatter)]).split("\n")
    for start, stop in hash_lines(lines):
        if not lines[start].startswith("document-sha256:"):
            continue
        value = " ".join(lines[start:stop]).partition(":")[2].partition(" #")[0].strip()
        if len(value) == 66 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        return value if _HEX64.fullmatch(value) else None
    return None


def without_hash(frontmatter: str) -> str:
    """Return the YAML without its `document-sha256` lines and the deeper lines that follow each."""
    lines = unix_newlines(frontmatter).split("\n")
    dropped = {number for start, stop in hash_lines(lines) for number in range(start, stop)}
    return "\n".join(line for number, line in enumerate(lines) if number not in dropped)


def hash_lines(lines: list[str]) -> list[tuple[int, int]]:
    """Return the ranges [start, stop) of lines of a frontmatter that the hash leaves out."""
    ranges = []
    number = 0
    while number < len(lines):
        start = number
        number += 1
        if "document-sha256:" in lines[start] and HASH_LINE.match(lines[start]):
            depth = _indent(lines[start])
            while number < len(lines) and _indent(lines[number]) > depth:
                number += 1
            ranges.append((start, number))
    return ranges


def _indent(line: str) -> int:
    """Leading white space of a line; a blank line has none, so that trailing blanks never change the hash."""
    return len(line) - len(line.lstrip()) if line.strip() else 0


@lru_cache(maxsize=2)  # what is sealed is looked at three times
def body_hash(body: str) -> str:
    """Return the SHA-256 of a body alone, in canonical form."""
    return _sha256(canonicalise(body))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
