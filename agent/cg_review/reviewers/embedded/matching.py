"""Regular expressions from rule files, compiled so that a mistake is an error at load and no document can hang them.

The engine is `regex` (syntok brings it): its `\\L<name>` takes a vocabulary by name, hashed rather than tried word by
word, and its searches take a time limit, which every expression of a user's own folder gets. A linear-time engine
(RE2) was the alternative; it has no look-around and would have been a compiled dependency of its own. Where nothing is
to be cut short, the standard library's says first whether there is anything to match at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import regex

from cg_review.errors import InputError
from cg_review.lines import one_line

_compile: Any = regex.compile  # its stubs don't know named lists
# Latin letters and the usual signs, of which `re` and `regex` agree what belongs to a word. (A test holds them to it.)
ALIKE = re.compile(
    "[\t-\r -\xb1\xb4-\xb8\xba\xbb\xbf-\u02ff\u2010-\u203e\u20a0-\u20c0\u2190-\u23ff\u2500-\u2775\u2794-\u27bf\ufffc]*"
)


def one_of_words(words: Iterable[str]) -> str:
    """An expression for any of `words`, branching letter by letter: `re` tries an alternation word after word."""
    ordered = sorted(set(words)) or [""]
    first, last = ordered[0], ordered[-1]
    differs = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    shared = first[: next(differs, len(first))]
    rests = groupby((word[len(shared) :] for word in ordered), key=lambda rest: rest[:1])
    branches = [one_of_words(its) for first, its in rests if first]
    if not branches:
        return re.escape(shared)
    return f"{re.escape(shared)}(?:{'|'.join(branches)}){'?' if shared in ordered else ''}"


OWN_TIMEOUT = 1.0
"""Seconds that a search with an expression of a user's own may take; a whole book's paragraph takes a thousandth of it."""
_MOST_CHARACTERS = 10_000  # of an expression; the longest shipped one has a fifth
_MOST_STEPS = 100_000  # of an expression with its repeats written out, as it is compiled


class PatternTimeout(Exception):
    """A rule took too long on one segment."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: where it is, what it is, and its named groups."""

    start: int
    end: int
    text: str
    groups: dict[str, str]


class Matcher:
    """An expression, compiled when it is first needed. `timeout` is in seconds a search; None trusts it."""

    def __init__(
        self, name: str, expression: str, words: Mapping[str, Sequence[str]], timeout: float | None
    ) -> None:
        self.name, self.expression, self.words, self.timeout = name, expression, words, timeout

    @cached_property
    def compiled(self) -> Any:
        """The compiled expression. Raises InputError naming the rule when it is none, or names no vocabulary."""
        used = {key: tuple(words) for key, words in self.words.items() if f"\\L<{key}>" in self.expression}
        try:
            return _compiled(self.expression, tuple(used.items()))
        except (regex.error, ValueError, OverflowError) as error:
            raise InputError(f"{self.name}: {one_line(repr(self.expression))}: {error}") from error
        except RecursionError:
            raise InputError(
                f"{self.name}: {one_line(repr(self.expression))}: is nested too deeply"
            ) from None

    @cached_property
    def _quick(self) -> Any:
        """The expression for `re`, its vocabularies spelled out, which says yes or no in half the time."""
        expression = self.expression
        for key, words in self.words.items():
            if f"\\L<{key}>" in expression:
                expression = expression.replace(f"\\L<{key}>", f"(?:{one_of_words(words)})")
        try:
            return re.compile(expression)
        except re.error:
            return self.compiled  # what only `regex` understands

    def found_in(self, text: str) -> bool:
        """Whether it matches anywhere in `text`. Raises PatternTimeout."""
        if self.timeout is None:
            engine = self._quick if is_alike(text) else self.compiled
            return engine.search(text) is not None
        try:
            return self.compiled.search(text, timeout=self.timeout) is not None
        except TimeoutError:
            raise self._too_slow() from None

    def _too_slow(self) -> PatternTimeout:
        return PatternTimeout(f"{self.name}: took longer than {self.timeout} s on one segment")

    def matches(self, text: str) -> Iterator[Match]:
        """Its matches in `text`, left to right; empty ones are left out. Raises PatternTimeout."""
        try:
            for match in self.compiled.finditer(text, timeout=self.timeout):
                if match.end() > match.start():
                    groups = {name: value or "" for name, value in match.groupdict().items()}
                    yield Match(match.start(), match.end(), match.group(), groups)
        except TimeoutError:
            raise self._too_slow() from None


@lru_cache(maxsize=64)  # one sentence is searched for many expressions
def is_alike(text: str) -> bool:
    """Whether `re`, which is faster, and `regex` find the same words in `text`."""
    return ALIKE.fullmatch(text) is not None


@lru_cache(maxsize=2048)  # a user's own rules are mostly the shipped ones
def _compiled(expression: str, words: tuple[tuple[str, tuple[str, ...]], ...]) -> Any:
    return _compile(expression, **{name: list(listed) for name, listed in words})


def compile_matcher(
    expression: str, words: Mapping[str, Sequence[str]], timeout: float | None, name: str
) -> Matcher:
    """A matcher for `expression`, in which `\\L<vocabulary>` stands for the words of `words[vocabulary]`.

    One with a timeout comes from a user's folder and is checked at once, so that a mistake is an error at load; the
    shipped ones are compiled when they are first needed (a test compiles them all). Raises InputError.
    """
    matcher = Matcher(name, expression, words, timeout)
    if timeout is not None:
        _check(matcher)
    return matcher


def _check(matcher: Matcher) -> None:
    """Raise InputError where an expression of a user's own is none, is one for nothing, or would be too large."""
    shown = f"{matcher.name}: {one_line(repr(matcher.expression))}"
    if len(matcher.expression) > _MOST_CHARACTERS or steps_of(matcher.expression) > _MOST_STEPS:
        raise InputError(f"{shown}: is too large; write fewer repeats, or several rules")
    try:
        matches_nothing = matcher.compiled.search("", timeout=matcher.timeout) is not None
    except TimeoutError:
        raise InputError(f"{shown}: takes longer than {matcher.timeout} s on no text at all") from None
    if matches_nothing:
        raise InputError(f"{shown}: matches the empty string, and so every text; make it need a word")


_STEP = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\()|(?P<close>\))|\{(?P<times>\d+)[^}]*\}|.", re.DOTALL
)


def steps_of(expression: str) -> int:
    """How many steps an expression has with its repeats written out: about what it takes to compile it."""
    open_groups, total, last = [], 0, 0  # `last` is what a repeat repeats: a character, a class, a group
    for step in _STEP.finditer(expression):
        if step["open"]:
            open_groups.append(total)
            total, last = 0, 0
        elif step["close"]:
            last = total
            total += open_groups.pop() if open_groups else 0
        elif step["times"]:
            total += last * (min(int(step["times"][:9]), _MOST_STEPS) - 1)
        else:
            total, last = total + 1, 1
    return total + sum(open_groups)


def lower(text: str) -> str:
    """`text` in lower case, character for character: no offset moves."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
