"""Sentences of a plain text, with offsets. The segmenter is syntok's; what it was measured against is in docs/design.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from syntok import segmenter
from syntok._segmentation_states import State

# syntok takes "1.6m.", "4 ms.", "20 min.", "5 €.", a code span and the end of an address before a full stop for
# abbreviations, and a number for none that begins a sentence: "It costs £5. 126 of them replied."
_MISSED_BREAK = re.compile(
    r"[.!?](?:(?<=[\ufffc)].)|(?<=\d[A-Za-z].)|(?<=\d[A-Za-z]{2}.)) +(?=[\"“(]?[A-Z])"
    r"|(?:[%€$£¥₹]|[€$£¥₹]\d(?:[\d.,]*\d)?(?:k|m|bn)?)[.!?] +(?=[\"“(]?[A-Z\d])"
    r"|\d (?:ms|min)\. +(?=[\"“(]?[A-Z])"
    r"|(?<!\S)(?=\S*?https?://\S)\S++(?<=[.!?]) +(?=[\"“(]?[A-Z])"
)
# Where nothing that ends a sentence is followed by more text, there is one sentence.
_MAY_BREAK = re.compile(r"[^\w\s,:()/'-][\"'”’)\]]?\s+\S")

# syntok reads token by token, which takes long, and always breaks where a word that it has no abbreviation for ends
# before a capital: what follows is read as if the text began there. Only an open bracket would make it look beyond.
_SURE_BREAK = re.compile(r"(?<!\S)(?:[A-Za-z]+-)?([A-Za-z][a-z]{2,})[.!?] (?=[A-Z])")
# It breaks nowhere but at these signs, and not before a small letter or a digit of the same word; and at brackets, over
# which it passes where a sentence goes on after less than 50 tokens.
_OPENING = re.compile(r"[(\[{\u2329\u2983\u2985\u3018\u301a\ufd3e\ufe59\ufe5b\ufe5d\uff08\uff3b\uff5b\uff5f]")
_MAY_BREAK_AT = re.compile(
    r"[.!?;\u203c\u203d\u2047-\u2049\u3002\ufe52\ufe57\uff01\uff0e\uff1f\uff61](?! *[a-z]|\d|\Z)|\n|"
    + _OPENING.pattern
)
_ASIDE = re.compile(r"(?<=\S )\([^\W_](?:[\w ,;:.'’\"“”/%\ufffc-]{0,45}[^\W_])?\)(?= [a-z]|[,:]|\.?\Z)")


def sentence_ranges(plain: str) -> list[tuple[int, int]]:
    """Half-open ranges of the sentences of `plain`, without surrounding white space; together they cover all words."""
    if not plain.strip():
        return []
    if not _MAY_BREAK.search(plain):
        left = len(plain) - len(plain.lstrip())
        return [(left, len(plain.rstrip()))]
    starts = sorted({0, *_breaks(plain), *(match.end() for match in _MISSED_BREAK.finditer(plain))})
    ranges = []
    for start, end in zip(starts, [*starts[1:], len(plain)], strict=True):
        part = plain[start:end]
        left = len(part) - len(part.lstrip())
        if part.strip():
            ranges.append((start + left, start + len(part.rstrip())))
    return ranges


def _breaks(plain: str) -> Iterator[int]:
    """Where syntok starts a sentence, but for the first."""
    start = 0
    for match in _SURE_BREAK.finditer(plain):
        if match[1] in State.abbreviations:
            continue
        if _OPENING.search(_ASIDE.sub("", plain[start : match.end()])):
            break
        yield from _breaks_within(plain, start, match.end())
        yield match.end()
        start = match.end()
    yield from _breaks_within(plain, start, len(plain))


def _breaks_within(plain: str, start: int, end: int) -> Iterator[int]:
    part = plain[start:end].rstrip()
    if _MAY_BREAK_AT.search(_ASIDE.sub("", part)):
        sentences = [s[0].offset for paragraph in segmenter.analyze(part) for s in paragraph if s]
        yield from (start + offset for offset in sentences[1:])
