"""Sentences of a plain text, with offsets. The segmenter is syntok's; what it was measured against is in docs/design.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from syntok import segmenter
from syntok._segmentation_states import State

# syntok takes "1.6m.", "4 ms.", "20 min.", "5 €.", a code span and the end of an address before a full stop for
# abbreviations, and a number for none that begins a sentence: "It costs £5. 126 of them replied."
_MISSED_BREAK = re.compile(
    r"[.!?](?:(?<=[\ufffc)].)|(?<=\d[A-Za-z].)|(?<=\d[A-Za-z]{2}.)|(?<=\d ms\.)|(?<=\d min\.)) +(?=[\"“(]?[A-Z])"
)
_AFTER_AMOUNT = re.compile(r"[%€$£¥₹](?:(?<!%)\d(?:[\d.,]*\d)?(?:k|m|bn)?)?[.!?] +(?=[\"“(]?[A-Z\d])")
_AFTER_ADDRESS = re.compile(r"(?<!\S)(?=\S*?https?://\S)\S++(?<=[.!?]) +(?=[\"“(]?[A-Z])")
# Where nothing that ends a sentence is followed by more text, there is one sentence.
_MAY_BREAK = re.compile(r"[^\w\s,:()/'-][\"'”’)\]]?\s+\S")

# syntok reads token by token, which takes long, and always breaks where a word that it has no abbreviation for ends
# before a capital: what follows is read as if the text began there. Only an open bracket would make it look beyond.
_SURE_BREAK = re.compile(r"[.!?] (?=[A-Z\ufffc])")
_SURE_WORD = re.compile(r"(?:[A-Za-z]+-)*+([A-Za-z][a-z]+|[A-Z]{2,}|\d{2,})")
_UNSURE = State.abbreviations | State.roman_numerals | {"no", "No", "NO"}
_MONTHS = tuple(State.months)
# It breaks nowhere but at these signs, and not before a small letter or a digit of the same word; and at brackets.
_OPENING = "[" + re.escape("".join(sorted(State.opening_brackets))) + "]"
_CLOSING = "[" + re.escape("".join(sorted(State.closing_brackets))) + "]"
# syntok sees no bracket that closes behind a sign, as in "(80%+)"
_BRACKET = re.compile(rf"{_OPENING}|(?<=[^\W_]){_CLOSING}")
_MAY_BREAK_AT = re.compile(
    r"[.!?;\u203c\u203d\u2047-\u2049\u3002\ufe52\ufe57\uff01\uff0e\uff1f\uff61](?! *[a-z]|\d|\Z)|\n|"
    + _OPENING
)
# A short aside within a sentence neither ends it nor is one (syntok breaks before one that closes with a code span).
_ASIDE = re.compile(
    r"[(\[](?:(?<=[^\s.!?;\u2026(\[{] .)(?<![.!?][\"'”’] .)|(?<=[\w%)\]\ufffc].))[^()\[\]{}\n]{1,68}[)\]]"
)


def sentence_ranges(plain: str) -> list[tuple[int, int]]:
    """Half-open ranges of the sentences of `plain`, without surrounding white space; together they cover all words."""
    if not plain.strip():
        return []
    read = _ASIDE.sub(_as_word, plain)
    starts = [0]
    if _MAY_BREAK.search(read):
        missed = (_MISSED_BREAK, _AFTER_AMOUNT, *([_AFTER_ADDRESS] if "://" in read else []))
        starts = sorted({0, *(match.end() for its in missed for match in its.finditer(read))})
        for start, end in zip(starts.copy(), [*starts[1:], len(read)], strict=True):
            starts.extend(start + at for at in _breaks(read[start:end]))
    ranges = []
    starts.sort()
    for start, end in zip(starts, [*starts[1:], len(plain)], strict=True):
        part = plain[start:end]
        left = len(part) - len(part.lstrip())
        if part.strip():
            ranges.append((start + left, start + len(part.rstrip())))
    return ranges


def _as_word(aside: re.Match[str]) -> str:
    return "x" * len(aside[0])


def _breaks(plain: str) -> Iterator[int]:
    """Where syntok starts a sentence, but for the first."""
    start = seen = depth = 0
    for match in _SURE_BREAK.finditer(plain):
        depth, seen = _open_brackets(plain[seen : match.end()], depth), match.end()
        word = _SURE_WORD.fullmatch(plain, plain.rfind(" ", 0, match.start()) + 1, match.start())
        is_day = word is not None and word[1].isdigit() and plain.startswith(_MONTHS, match.end())
        if depth or word is None or word[1] in _UNSURE or is_day:
            continue
        yield from _breaks_within(plain, start, match.end())
        yield match.end()
        start = match.end()
    yield from _breaks_within(plain, start, len(plain))


def _open_brackets(text: str, depth: int) -> int:
    """How many brackets are open behind `text` where `depth` were before it."""
    for bracket in _BRACKET.findall(text):
        depth = depth + 1 if bracket in State.opening_brackets else max(0, depth - 1)
    return depth


def _breaks_within(plain: str, start: int, end: int) -> Iterator[int]:
    part = plain[start:end].rstrip()
    if _MAY_BREAK_AT.search(part):
        sentences = [s[0].offset for paragraph in segmenter.analyze(part) for s in paragraph if s]
        yield from (start + offset for offset in sentences[1:])
