"""Which patterns can match a sentence at all, from its words: most of a hundred patterns need not be tried on most.

What a pattern needs is read off its expression, so nobody has to keep a list in step with it. A pattern whose needs
cannot be read is tried on every sentence; the answer never depends on this module, only the time does (a test holds it
to that).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Generic, TypeVar

_NAMED_LIST = re.compile(r"\\L<([\w-]+)>")
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile("[%€$£×★⭐]")
_DIGIT = "0"  # the key of a text that has a digit
_BORDER = "\0"  # stands for \b and ^ in a spelled-out string
_KEY = 4  # characters of a word that are looked up; a shorter word is looked up whole
_MOST = 800  # spellings of a stretch beyond this are not worth following

_COMMON = frozenset(
    [
        "a",
        "all",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "for",
        "from",
        "has",
        "have",
        "if",
        "in",
        "is",
        "it",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "s",
        "that",
        "the",
        "this",
        "to",
        "was",
        "we",
        "will",
        "with",
    ]
)
_COMMON_COST = 40

T = TypeVar("T", bound=Hashable)
Needs = frozenset[str]


class Prefilter(Generic[T]):
    """Expressions by the words that a text must have for them to match."""

    def __init__(self, entries: Sequence[tuple[T, str, Mapping[str, Sequence[str]]]]) -> None:
        self.always: set[T] = set()
        self.by_key: dict[str, list[T]] = defaultdict(list)
        for item, expression, words in entries:
            needs = needs_of(expression, words)
            if needs is None:
                self.always.add(item)
            for key in needs or ():
                self.by_key[key.lower()].append(item)

    def candidates(self, keys: frozenset[str]) -> set[T]:
        """The expressions that can match a text with these keys."""
        found = set(self.always)
        for key in keys & self.by_key.keys():
            found.update(self.by_key[key])
        return found


def keys_of(text: str) -> frozenset[str]:
    """The keys of a text's words."""
    keys = {word[:_KEY] for word in _WORD.findall(text)}
    keys.update(_SIGNS.findall(text))
    if any(map(str.isdigit, text)):
        keys.add(_DIGIT)
    return frozenset(keys)


def needs_of(expression: str, words: Mapping[str, Sequence[str]]) -> Needs | None:
    """Keys of which every text that `expression` matches has at least one; None where that cannot be told."""

    def spell(match: re.Match[str]) -> str:
        return "(?:" + "|".join(map(re.escape, words[match[1]])) + ")"

    try:
        tree = parser.parse(_NAMED_LIST.sub(spell, expression))
    except (re.error, KeyError):
        return None  # what only `regex` understands
    if tree.state.flags & re.IGNORECASE:
        return None
    return _sequence(list(tree), False)


def _sequence(items: Sequence[Any], opens: bool) -> Needs | None:
    """The most telling need among the parts of a sequence: all must be met, so any one will do.

    `opens` says that the sequence begins at a word's border.
    """
    best: Needs | None = None
    run = {_BORDER if opens else ""}
    for item in items:
        spelled = _spellings(item)
        if spelled is not None and len(run) * len(spelled) <= _MOST:
            run = {left + right for left in run for right in spelled}
            continue
        at_border = all(_ends_at_border(text) for text in run)
        best = _better(best, _needs_of_run(run))
        best = _better(best, _part(item, at_border))
        keeps = at_border or (item[0] in (op.MAX_REPEAT, op.MIN_REPEAT) and item[1][0] > 0)
        run = {_BORDER if keeps and _closes_with_border(item) else ""}
    return _better(best, _needs_of_run(run))


def _ends_at_border(text: str) -> bool:
    return bool(text) and (text[-1] == _BORDER or not _WORD.match(text[-1]))


def _closes_with_border(item: Any) -> bool:
    """Whether a part, where it is there at all, ends with a blank or the like."""
    kind, value = item
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        return _closes_with_border(list(value[2])[-1]) if list(value[2]) else False
    if kind is op.SUBPATTERN:
        return _closes_with_border(list(value[-1])[-1]) if list(value[-1]) else False
    if kind is op.BRANCH:
        return all(list(branch) and _closes_with_border(list(branch)[-1]) for branch in value[1])
    return kind is op.LITERAL and _ends_at_border(chr(value))


def _needs_of_run(run: set[str]) -> Needs | None:
    keys = set()
    for text in run:
        key = _key_in(text)
        if key is None:
            return None
        keys.add(key)
    return frozenset(keys)


def _key_in(text: str) -> str | None:
    """The key of the longest word in a spelled-out stretch whose start is sure, and whose end is if it is short."""
    best = ""
    for match in _WORD.finditer(text):
        whole = match.end() < len(text)
        sure = match.start() > 0 and (whole or len(match[0]) >= _KEY)
        if sure and (not best or best in _COMMON or (match[0] not in _COMMON and len(match[0]) > len(best))):
            best = match[0]
    sign = _SIGNS.search(text)
    if sign and (not best or best in _COMMON):
        return sign[0]
    return best[:_KEY] or None


def _spellings(item: Any) -> set[str] | None:
    """All strings that a part can be, where they are few; what takes no room is an empty string, a border a sign."""
    kind, value = item
    if kind is op.LITERAL:
        return {chr(value)}
    if kind is op.AT:
        return {_BORDER}
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return {""}
    if kind is op.SUBPATTERN:
        return _spell_sequence(list(value[-1]))
    if kind is op.BRANCH:
        return _union([_spell_sequence(list(branch)) for branch in value[1]])
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT) and value[1] == 1:
        inner = _spell_sequence(list(value[2]))
        return None if inner is None else inner | ({""} if value[0] == 0 else set())
    if kind is op.IN and all(part[0] is op.LITERAL for part in value):
        return {chr(part[1]) for part in value}
    return None


def _spell_sequence(items: Sequence[Any]) -> set[str] | None:
    found = {""}
    for item in items:
        spelled = _spellings(item)
        if spelled is None or len(found) * len(spelled) > _MOST:
            return None
        found = {left + right for left in found for right in spelled}
    return found


def _union(sets: Sequence[set[str] | None]) -> set[str] | None:
    union: set[str] = set()
    for one in sets:
        if one is None:
            return None
        union |= one
    return union if len(union) <= _MOST else None


def _part(item: Any, opens: bool) -> Needs | None:
    """The need of a part that cannot be spelled out."""
    kind, value = item
    if kind is op.SUBPATTERN:
        return _sequence(list(value[-1]), opens)
    if kind is op.BRANCH:
        needs = [_sequence(list(branch), opens) for branch in value[1]]
        if any(need is None for need in needs):
            return None
        return frozenset().union(*(need for need in needs if need))
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT) and value[0] >= 1:
        return _sequence(list(value[2]), opens)
    if kind is op.IN and all(part == (op.CATEGORY, op.CATEGORY_DIGIT) for part in value):
        return frozenset({_DIGIT})
    return None


def _better(one: Needs | None, two: Needs | None) -> Needs | None:
    if one is None or two is None:
        return one or two
    return min((one, two), key=_cost)


def _cost(needs: Needs) -> int:
    """How much is let through: a sentence in three has "the"; hardly any has a given other word."""
    return sum(_COMMON_COST if key in _COMMON else 10 if key == _DIGIT else 1 for key in needs)
