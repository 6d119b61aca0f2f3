"""Text that addresses the reviewer, and text that a person would not see: reported as notes, nothing more.

What such text asks for cannot reach the result: counts, status and hash are computed, and a person still signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

from cg_review import resources
from cg_review.document import Document, Span
from cg_review.errors import InputError
from cg_review.keys import keys_of
from cg_review.reviewers.embedded.matching import OWN_TIMEOUT, compile_matcher
from cg_review.reviewers.embedded.prefilter import Prefilter
from cg_review.rule_files import RuleModel, read_rules, validated

NAME = "injection.yaml"

# Zero-width and bidirectional controls, soft hyphen, tag characters; the joiners stay, scripts and emoji need them.
INVISIBLE = re.compile(
    "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_IMAGE = re.compile(r"!\[([^\]\n]*)\]")
_LENGTH = 100
# One or two soft hyphens or byte-order marks are typography; a run, or a tag character, hides something.
_HIDING = re.compile(
    "[\U000e0000-\U000e007f]|[\u202a-\u202e\u2066-\u2069]"
    "|(?<=[^\\W\\d_])[\u200b\u2060-\u2064\ufeff](?=[^\\W\\d_])|[\u200b\u2060-\u2064\ufeff]{2,}"
)


class AddressPattern(RuleModel):
    """A way in which text addresses whoever reviews it; `fires` and `silent` are its examples."""

    id: str
    match: str
    case_sensitive: bool = False
    fires: tuple[str, ...]
    silent: tuple[str, ...]


class _Patterns(RuleModel):
    patterns: tuple[AddressPattern, ...]


# Letters beyond ASCII that an expression without regard to case takes for ASCII ones, and lower case does not.
_FOLDED = re.compile("[\u0130\u0131\u017f]")


class Compiled:
    """Expressions in order, and which of them the words of a text call for."""

    def __init__(
        self, patterns: Sequence[AddressPattern], shipped: Collection[AddressPattern], path: Path
    ) -> None:
        """Those that are not among the `shipped` ones come from a user's file, `path`. Raises InputError."""
        self.searches = [
            compile_pattern(pattern).search if pattern in shipped else _own_search(pattern, path)
            for pattern in patterns
        ]
        self.prefilter = Prefilter([(at, pattern.match, {}) for at, pattern in enumerate(patterns)])

    def search(self, text: str, keys: frozenset[str]) -> re.Match[str] | None:
        """The match of the first expression that matches a text with these keys. Raises TimeoutError for a user's own."""
        called: Iterable[int] = range(len(self.searches))
        if text.isascii() or not _FOLDED.search(text):
            called = sorted(self.prefilter.candidates(keys))
        if not called:
            return None
        words = " ".join(text.split())
        return next((m for at in called if (m := self.searches[at](words))), None)


@lru_cache(maxsize=8)
def load_patterns(overlays: tuple[Path, ...] = ()) -> tuple[AddressPattern, ...]:
    """The patterns of `rules/injection.yaml`. Raises InputError when the file is wrong."""
    path = resources.find("rules", NAME, overlays)
    return validated(_Patterns, read_rules(path), path).patterns


@lru_cache(maxsize=8)
def load_injection(overlays: tuple[Path, ...]) -> Compiled:
    """The patterns, ready to run. Raises InputError where one is wrong."""
    return Compiled(load_patterns(overlays), load_patterns(), resources.find("rules", NAME, overlays))


def _own_search(pattern: AddressPattern, path: Path) -> Callable[[str], re.Match[str] | None]:
    """The search of a user's own pattern, which is checked, and takes a time limit. Raises InputError."""
    expression = pattern.match if pattern.case_sensitive else f"(?i){pattern.match}"
    matcher = compile_matcher(expression, {}, OWN_TIMEOUT, f"{path}: {pattern.id}")
    return partial(matcher.compiled.search, timeout=OWN_TIMEOUT)


def compile_pattern(pattern: AddressPattern) -> re.Pattern[str]:
    """The pattern's expression. Raises InputError when it is none."""
    try:
        return re.compile(pattern.match, 0 if pattern.case_sensitive else re.IGNORECASE)
    except re.error as error:
        raise InputError(f"rules/injection.yaml: {pattern.id}: {error}") from error


def injection_notes(document: Document, overlays: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """One note for each line with text that addresses the reviewer or hides from the reader, in order."""
    notes: dict[int, str] = {}
    patterns = load_injection(overlays)
    for where, span, text, keys in _readings(document):
        seen = INVISIBLE.sub("", text) if not text.isascii() and INVISIBLE.search(text) else text
        try:
            found = patterns.search(seen, keys if seen is text else keys_of(seen.lower()))
        except TimeoutError:
            line = document.position(span.start)[0]
            notes[line] = (
                f"line {line}: a rule of {NAME} took longer than {OWN_TIMEOUT} s; it was not read on for such text"
            )
            break
        if found is not None:
            line = document.position(span.start)[0]
            notes.setdefault(line, f'line {line}: {where} addresses the reviewer: "{_around(found)}"')
    body = document.body.of(document.text)
    for match in _HIDING.finditer(body) if INVISIBLE.search(body) else ():
        line = document.position(document.body.start + match.start())[0]
        notes.setdefault(line, f"line {line}: has invisible characters (U+{ord(match[0][0]):04X})")
    return tuple(notes[line] for line in sorted(notes))


def _readings(document: Document) -> Iterator[tuple[str, Span, str, frozenset[str]]]:
    """What there is to read: what it is, its place, its text and that text's keys."""
    for segment, keys in zip(document.segments, document.keys, strict=True):
        yield "this text", segment.span, segment.plain, keys
        for image in _IMAGE.finditer(segment.text) if "![" in segment.text else ():
            yield "an image's text", segment.span, image[1], keys_of(image[1].lower())
    for comment in document.comments:
        yield "a comment", comment.span, comment.text, keys_of(comment.text.lower())


def _around(match: re.Match[str]) -> str:
    """The matched words with what fits around them."""
    words = match.string
    start = max(0, min(match.start() - (_LENGTH - len(match[0])) // 2, len(words) - _LENGTH))
    start = min(start, match.start())
    end = start + _LENGTH
    return ("…" if start else "") + words[start:end].strip() + ("…" if end < len(words) else "")
