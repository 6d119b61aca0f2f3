"""Sentences of a plain text, with offsets. The segmenter is syntok's; what it was measured against is in docs/design.md."""

from __future__ import annotations

import re

from syntok import segmenter

# syntok takes "1.6m.", a code span and the end of an address before a full stop for abbreviations.
_MISSED_BREAK = re.compile(
    r"(?:https?://\S+|(?<=[\ufffc%)])|(?<=\d[A-Za-z])|(?<=\d[A-Za-z]{2}))[.!?] +(?=[\"“(]?[A-Z])"
)
# Where nothing that ends a sentence is followed by more text, there is one sentence.
_MAY_BREAK = re.compile(r"[^\w\s,:()/'-][\"'”’)\]]?\s+\S")


def sentence_ranges(plain: str) -> list[tuple[int, int]]:
    """Half-open ranges of the sentences of `plain`, without surrounding white space; together they cover all words."""
    if not plain.strip():
        return []
    if not _MAY_BREAK.search(plain):
        left = len(plain) - len(plain.lstrip())
        return [(left, len(plain.rstrip()))]
    starts = [
        sentence[0].offset
        for paragraph in segmenter.analyze(plain)
        for sentence in paragraph
        if len(sentence) > 0
    ]
    starts = sorted({0, *starts[1:], *(match.end() for match in _MISSED_BREAK.finditer(plain))})
    ranges = []
    for start, end in zip(starts, [*starts[1:], len(plain)], strict=True):
        part = plain[start:end]
        left = len(part) - len(part.lstrip())
        if part.strip():
            ranges.append((start + left, start + len(part.rstrip())))
    return ranges
