"""What a text must have for an expression to match it, read off the expression: words (by their keys), signs, a digit.

Nobody has to keep a list in step with the rules. What cannot be read off is left open, never guessed: a text that an
expression matches always meets what is found here (a test holds it to that).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from cg_review.keys import DIGIT, DIGITS, KEY, SIGN, WORD

Needs = frozenset[str]
"""Keys of which a text has to have at least one."""
Terms = frozenset[Needs]
"""Needs that have all to be met."""

_NAMED_LIST = re.compile(r"\\L<([\w-]+)>")
_GROUP_NAME = re.compile(r"(?<!\\)\(\?P<\w+>")  # `regex` takes one twice
_BORDER = "\0"  # stands for \b, ^ and the like in a spelled-out string
_MOST = 50  # spellings of a stretch beyond this are not worth following
_FIRST_LIST = 0xF0000  # from here on, private characters stand for the named lists of an expression
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)

_SHARES = (  # how many of a hundred sentences have a key (in benchmarks/training); others hardly any
    ". 88 the 55 , 46 0 43 a 29 and 25 in 23 of 22 to 22 is 19 on 16 it 16 for 14 ' 14 ’ 14 ( 13 ) 13 : 13 that 13 ￼ 12 "
    "- 12 we 11 with 11 are 8 at 8 by 8 ; 8 from 7 s 7 one 7 be 6 has 6 this 6 you 6 t 5 two 5 as 5 have 5 no 5 not 5 "
    "can 5 an 5 if 5 was 4 so 4 its 4 or 4 up 4 i 4 our 3 may 3 each 3 what 3 out 3 before 3 first 3 which 3 them 3 they 3 "
    "more 3 there 3 than 3 when 3 all 3 were 3 after 3 would 3 three 3 ? 3 new 2 us 2 same 2 second 2 your 2 every 2 will 2 "
    "only 2 back 2 had 2 time 2 year 2 been 2 four 2 who 2 per 2 about 2 people 2 their 2"
)
_SHARE = {key: float(share) for key, share in re.findall(r"(\S+) (\d+)", _SHARES)}
_RARE = 0.2


def cost(needs: Needs) -> float:
    """How many of a hundred sentences meet the needs, about."""
    return sum(_SHARE.get(key, _RARE) for key in needs)


def needs_of(expression: str, words: Mapping[str, Collection[str]]) -> frozenset[Terms] | None:
    """The alternatives of which every text that `expression` matches meets at least one; None where that is not told."""
    lists: list[tuple[str, ...]] = []

    def stand_in(match: re.Match[str]) -> str:
        lists.append(tuple(words[match[1]]))
        return chr(_FIRST_LIST + len(lists) - 1)

    try:
        return _needs_of(_GROUP_NAME.sub("(", _NAMED_LIST.sub(stand_in, expression)), tuple(lists))
    except (re.error, KeyError, RecursionError, OverflowError):
        return None  # what only `regex` understands


@cache
def shared(needs: Needs) -> Needs:
    """One object for equal needs: each that is kept costs the garbage collector time, in every review."""
    return needs


@lru_cache(maxsize=1024)  # a user's own rules are mostly the shipped ones
def _needs_of(expression: str, lists: tuple[tuple[str, ...], ...]) -> frozenset[Terms] | None:
    tree = parser.parse(expression)
    if tree.state.flags & re.IGNORECASE:
        return None
    found = _Reader(lists).alternatives(list(tree), "", False)
    alternatives = {frozenset(map(shared, terms)) for terms in found}
    if not all(alternatives):
        return None
    return frozenset(terms for terms in alternatives if not any(other < terms for other in alternatives))


class _Reader:
    """Reads the parsed items of one expression; `lists` are its named lists, by their stand-ins."""

    def __init__(self, lists: Sequence[Collection[str]]) -> None:
        self.lists = lists

    def alternatives(self, items: Sequence[Any], before: str, closes: bool) -> list[list[Needs]]:
        """The needs of a sequence: of one of the lists all have to be met.

        `before` is what stands right before it (a border, a word's beginning), where that is known; `closes` says that it
        ends at a word's border. Where it branches more than once, the widest branching gives the alternatives.
        """
        found: list[Needs] = []
        branching: list[list[Needs]] = []
        run = {before}
        spellings = list(map(self._spellings, items))
        for at, (item, spelled) in enumerate(zip(items, spellings, strict=True)):
            if spelled is not None and len(run) * len(spelled) <= max(_MOST, len(run), len(spelled)):
                run = {left + right for left in run for right in spelled}
                if item[0] is op.ASSERT:
                    ahead = item[1][0] > 0
                    opens = _BORDER if ahead and _at_border(run) else ""
                    found += _either(self.alternatives(list(item[1][1]), opens, False))
                continue
            at_border = _at_border(run)
            parts = list(zip(items, spellings, strict=True))
            found += _needs_of_run(run, _begin_with_border(parts[at:], closes))
            if spelled is not None:
                run = {(_BORDER if at_border else "") + text for text in spelled}
                continue
            ends = _begin_with_border(parts[at + 1 :], closes)
            opens = _BORDER if at_border else min(run) if len(run) == 1 else ""
            inner = self._inside(item, opens, ends)
            if len(inner) > len(branching):
                branching, inner = inner, branching
            found += _either(inner)
            keeps = at_border or not _is_optional(item)
            run = {_BORDER if keeps and _has_border(item, -1) else ""}
        if not found and not branching:
            end = _BORDER if closes else ""
            return [[frozenset({key}) for key in _keys_in(text + end)] for text in run]
        found += _needs_of_run(run, closes)
        return [[*found, *inner] for inner in branching] or [found]

    def _inside(self, item: Any, before: str, closes: bool) -> list[list[Needs]]:
        """The alternatives of a part that cannot be spelled out; none where nothing is needed."""
        kind, value = item
        if kind is op.SUBPATTERN or (kind in _REPEATS and value[0] >= 1):
            return self.alternatives(list(value[-1]), before, closes and kind is op.SUBPATTERN)
        if kind is op.BRANCH:
            branches = [self.alternatives(list(branch), before, closes) for branch in value[1]]
            return [needs for branch in branches for needs in branch]
        if kind is op.IN and all(part == (op.CATEGORY, op.CATEGORY_DIGIT) for part in value):
            return [[frozenset({DIGIT})]]
        return []

    def _spellings(self, item: Any) -> set[str] | None:
        """All strings that a part can be, where they are few; what takes no room is an empty string, a border a sign."""
        kind, value = item
        if kind is op.LITERAL:
            return self._literal(value)
        if kind is op.AT:
            return {"" if value is op.AT_NON_BOUNDARY else _BORDER}
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return {_BORDER if kind is op.ASSERT_NOT and _is_word(list(value[1])) else ""}
        if kind is op.SUBPATTERN:
            return self._spell_sequence(list(value[-1]))
        if kind is op.BRANCH:
            return _union(self._spell_sequence(list(branch)) for branch in value[1])
        if kind in _REPEATS and value[1] == 1:
            inner = self._spell_sequence(list(value[2]))
            return None if inner is None else inner | ({""} if value[0] == 0 else set())
        if kind is op.IN and all(part[0] is op.LITERAL for part in value):
            return _union(self._literal(part[1]) for part in value)
        return None

    def _literal(self, code: int) -> set[str]:
        at = code - _FIRST_LIST
        return set(self.lists[at]) if 0 <= at < len(self.lists) else {chr(code)}

    def _spell_sequence(self, items: Sequence[Any]) -> set[str] | None:
        found = {""}
        for item in items:
            spelled = self._spellings(item)
            if spelled is None or len(found) * len(spelled) > _MOST:
                return None
            found = {left + right for left in found for right in spelled}
        return found


def _union(sets: Iterable[set[str] | None]) -> set[str] | None:
    union: set[str] = set()
    for one in sets:
        if one is None:
            return None
        union |= one
    return union


# -- borders of words --------------------------------------------------------------------------------------------------


def _is_border(character: str) -> bool:
    return WORD.match(character) is None


def _at_border(run: set[str]) -> bool:
    return all(text and _is_border(text[-1]) for text in run)


def _is_optional(item: Any) -> bool:
    return item[0] in _REPEATS and item[1][0] == 0


def _begin_with_border(parts: Sequence[tuple[Any, set[str] | None]], closes: bool) -> bool:
    """Whether parts, given with their spellings, begin with a blank, a border or the like, whichever of them are there.

    `closes` says that one stands behind them.
    """
    for item, spelled in parts:
        if spelled is not None:
            return all(text and _is_border(text[0]) for text in spelled)
        if not _has_border(item, 0):
            return False
        if not _is_optional(item):
            return True
    return closes


def _has_border(item: Any, end: int) -> bool:
    """Whether a part, where it is there at all, begins (`end` 0) or ends (-1) with a blank or the like."""
    kind, value = item
    if kind in _REPEATS or kind is op.SUBPATTERN:
        return _have_border(list(value[-1]), end)
    if kind is op.BRANCH:
        return all(_have_border(list(branch), end) for branch in value[1])
    if kind is op.AT:
        return value is not op.AT_NON_BOUNDARY
    if kind is op.IN:
        return all(_is_no_word(part) for part in value)
    return kind is op.LITERAL and value < _FIRST_LIST and _is_border(chr(value))


def _have_border(items: Sequence[Any], end: int) -> bool:
    """Whether a sequence does, whichever of its parts are there."""
    for item in items[:: 1 if end == 0 else -1]:
        if not _has_border(item, end):
            return False
        if not _is_optional(item):
            return True
    return False


def _is_word(items: Sequence[Any]) -> bool:
    """Whether any character of a word will do, as in `(?<![\\w-])`."""
    return len(items) == 1 and items[0][0] is op.IN and (op.CATEGORY, op.CATEGORY_WORD) in items[0][1]


def _is_no_word(part: Any) -> bool:
    kind, value = part
    if kind is op.CATEGORY:
        return value in (op.CATEGORY_SPACE, op.CATEGORY_NOT_WORD)
    return kind is op.LITERAL and value < _FIRST_LIST and _is_border(chr(value))


# -- keys of what is spelled out ---------------------------------------------------------------------------------------


def _either(alternatives: Sequence[Sequence[Needs]]) -> list[Needs]:
    """One need for what is needed in alternatives, where each needs something."""
    if not alternatives or not all(alternatives):
        return []
    return [frozenset().union(*(min(needs, key=cost) for needs in alternatives))]


def _needs_of_run(run: set[str], closes: bool) -> list[Needs]:
    """The best key of every spelling is a need, the second best of every one another."""
    end = _BORDER if closes else ""
    return [frozenset(keys) for keys in zip(*(_keys_in(text + end) for text in run), strict=False)]


def _keys_in(text: str) -> list[str]:
    """The keys of a spelled-out stretch, the most telling first.

    A word counts where its start is sure, and its end too if it is short.
    """
    words: dict[str, int] = {}
    for match in WORD.finditer(text):
        sure = match.end() < len(text) or len(match[0]) >= KEY
        if match.start() > 0 and sure:
            words.setdefault(match[0][:KEY].lower(), len(match[0]))
    keys = sorted(words, key=lambda key: (_SHARE.get(key, _RARE), -words[key]))
    keys += sorted(set(SIGN.findall(text)), key=lambda sign: (sign in _SHARE, sign))
    if DIGITS.search(text):
        keys.append(DIGIT)
    return keys
