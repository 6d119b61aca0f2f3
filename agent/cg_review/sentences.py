"""Sentences of a plain text, with offsets. The segmenter is syntok's; what it was measured against is in docs/design.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from syntok import segmenter
from syntok._segmentation_states import State

from cg_review.inline import OPAQUE

# syntok takes "1.6m.", "4 ms.", "20 min.", a code span and the end of an address before a full stop for abbreviations.
_MISSED_BREAK = re.compile(
    r"[.!?](?:(?<=[\ufffc%)].)|(?<=\d[A-Za-z].)|(?<=\d[A-Za-z]{2}.)) +(?=[\"“(]?[A-Z])"
    r"|\d (?:ms|min)\. +(?=[\"“(]?[A-Z])"
    r"|https?://\S+[.!?] +(?=[\"“(]?[A-Z])"
)
# Where nothing that ends a sentence is followed by more text, there is one sentence.
_MAY_BREAK = re.compile(r"[^\w\s,:()/'-][\"'”’)\]]?\s+\S")

# syntok reads token by token, which takes long, and always breaks where a word that it has no abbreviation for ends
# before a capital: what follows is read as if the text began there. Only an open bracket would make it look beyond.
_SURE_BREAK = re.compile(r"(?<!\S)(?:[A-Za-z]+-)?([A-Za-z][a-z]{2,})[.!?] (?=[A-Z])")
# It breaks nowhere but at these signs, and not before a small letter or a digit of the same word; and at brackets, over
# which it passes where a sentence goes on after less than 50 tokens.
_OPENING = r"(\[{\u2329\u2983\u2985\u3018\u301a\ufd3e\ufe59\ufe5b\ufe5d\uff08\uff3b\uff5b\uff5f"
_CLOSING = r")\]}\u232a\u2984\u2986\u3019\u301b\ufd3f\ufe5a\ufe5c\ufe5e\uff09\uff3d\uff5d\uff60"
_MAY_BREAK_AT = re.compile(
    r"[.!?;\u203c\u203d\u2047-\u2049\u3002\ufe52\ufe57\uff01\uff0e\uff1f\uff61](?! *[a-z]|\d|\Z)|\n|"
    rf"[{_OPENING}]"
)
# Between two small words it is in the midst of a sentence, of which it need not know the beginning.
_WORDS = r"(?<= )[a-z]{2,} (?=(?P<second>[a-z]{2,}) )"
_WORDS_BEFORE = re.compile(_WORDS)
_BRACKETS = re.compile(rf"(?P<open>[{_OPENING}])|[{_CLOSING}]")
_BRACKETS_OR_WORDS = re.compile(rf"{_BRACKETS.pattern}|(?P<words>{_WORDS})")
_NEAR = 60
# Signs that stand together between blanks are one token to it, and neither a bracket nor an end.
_SIGNS = re.compile(r"(?<!\S)(?!\.\.\.(?!\S))(?:[^\w\s]|_){2,}(?!\S)")
_INSIDE = r"\([#~+=*$€@<≥≤]?[^\W_](?:[\w ,;:.!?'’\"“”/%#~+=*$€@<>≥≤&|…–—\ufffc-]{0,45}[^\W_])?[%+.!?'’\"”]?\)"
# Over brackets behind the second word of a sentence, or a later one, it passes whatever follows.
_ASIDE = re.compile(rf"(?<=\S ){_INSIDE}(?= [a-z]|[,:]|\.?\Z)|(?<=[a-z] )[a-z]{{2,}} {_INSIDE}(?=[ ,:.]|\Z)")


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
    if "\u200b" in plain:  # a blank to it, and to no expression
        yield from _starts(plain.rstrip())
        return
    quiet = _quiet(plain.rstrip())
    start = counted = depth = 0
    for match in _SURE_BREAK.finditer(quiet):
        for bracket in _BRACKETS.finditer(quiet, counted, match.end()):
            depth = depth + 1 if bracket["open"] else max(0, depth - 1)
        counted = match.end()
        if depth == 0 and match[1] not in State.abbreviations:
            yield from _breaks_within(plain, quiet, start, match.end() - 1)
            yield match.end()
            start = match.end()
    yield from _breaks_within(plain, quiet, start, len(quiet))


def _quiet(plain: str) -> str:
    """A text with a sign that says nothing for each character that syntok passes over."""
    plain = _SIGNS.sub(_blanked, plain)
    return _ASIDE.sub(_blanked, plain) if "(" in plain else plain


def _blanked(match: re.Match[str]) -> str:
    return OPAQUE * len(match[0])


def _breaks_within(plain: str, quiet: str, start: int, end: int) -> Iterator[int]:
    """Where it does in [start, end): it reads from the words before a sign at which it may, to those behind."""
    quiet = quiet[start:end]
    at = 0
    while unsure := _MAY_BREAK_AT.search(quiet, at):
        before = list(_WORDS_BEFORE.finditer(quiet, max(at, unsure.start() - _NEAR), unsure.start()))
        first = before[-1].start() if before else at
        behind = _words_behind(quiet, unsure.start())
        at, last = (behind.start(), behind.end("second")) if behind else (len(quiet), len(quiet))
        yield from (start + first + offset for offset in _starts(plain[start + first : start + last]))


def _starts(plain: str) -> list[int]:
    """Where syntok, reading all of it, starts a sentence, but for the first."""
    return [s[0].offset for paragraph in segmenter.analyze(plain) for s in paragraph if s][1:]


def _words_behind(quiet: str, start: int) -> re.Match[str] | None:
    """The first two small words from `start` on that stand in no brackets."""
    depth = 0
    for match in _BRACKETS_OR_WORDS.finditer(quiet, start):
        if not match["words"]:
            depth = depth + 1 if match["open"] else max(0, depth - 1)
        elif depth == 0:
            return match
    return None
