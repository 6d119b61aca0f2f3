"""Inline Markdown read with positions: what a reader sees, and where each character of it stands.

markdown-it-py's inline tokens carry no offsets. Every inline rule is therefore wrapped by one that records which part
of the content it consumed; nothing of CommonMark is decided here.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from cg_review.blocks import ask_by_sign

OPAQUE = "￼"
"""Stands in the plain reading for code, an image, math or a bare address: something that is there but is not prose."""

_MARKUP_TOKENS = {"em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close"}
_TRAILING = {"markup", "footnote"}
_OPAQUE_RULES = {"backticks", "image", "math_inline", "autolink"}
_STARTS = {
    "newline": "\n",
    "escape": "\\",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "link": "[",
    "image": "!",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
    "footnote_ref": "[",
    "math_inline": "$",
}
"""What each inline rule begins with; a label's end stops text too, since links look for it."""
_NOT_TEXT = re.compile("[" + re.escape("".join(sorted({*"".join(_STARTS.values()), "]"}))) + "]")

_PLAIN_ADDRESS = re.compile(r"(?:https?://[a-z0-9.-]{1,200}(?=[/?#]|\Z))?[A-Za-z0-9_./?=&#~+-]*")
InlineRule = Callable[[StateInline, bool], bool]
Row = TypeVar("Row", "array[int]", bytearray)


def counting(start: int, end: int) -> array[int]:
    """The numbers [start, end)."""
    return _first_numbers(1 << max(16, (end - 1).bit_length()))[start:end]


@lru_cache(maxsize=4)
def _first_numbers(count: int) -> array[int]:
    return array("I", range(count))


class Piece(NamedTuple):
    """A stretch of the content that does not read as itself: [start, end) in the content."""

    start: int
    end: int
    kind: str  # "markup", "code", "html", "footnote", "text" (an escape or entity, which reads as `reading`)
    reading: str = ""
    detail: str = ""  # the code, a link's target, a footnote's label, the HTML


class LinkPiece(NamedTuple):
    """A link: `[label](target)` covers content [start, end), its label [label_start, label_end)."""

    start: int
    label_start: int
    label_end: int
    end: int
    target: str


@dataclass(frozen=True)
class Inline:
    """The plain reading of one block's content."""

    content: str
    plain: str
    offsets: array[int]  # plain index -> content index
    pieces: tuple[Piece, ...]
    styled: bytes  # one byte a plain character: inside emphasis or a link
    links: tuple[LinkPiece, ...]

    def places(self, offsets: array[int]) -> array[int]:
        """Where each plain character stands, given where each content character does."""
        return _along(offsets, self.pieces, len(self.content))

    def end_of(self, index: int) -> int:
        """Content index right behind the plain character at `index`."""
        start = self.offsets[index]
        if not self.pieces:
            return start + 1
        at = self._index(start)
        if at < len(self.pieces) and self.pieces[at].start == start and self.pieces[at].reading:
            return self.pieces[at].end
        return start + 1

    def closing(self, position: int) -> int:
        """Extend `position` over markup and footnote references that follow it without a gap."""
        if not self.pieces:
            return position
        at = self._index(position)
        while (
            at < len(self.pieces) and self.pieces[at].start == position and self.pieces[at].kind in _TRAILING
        ):
            position = self.pieces[at].end
            at += 1
        return position

    def opening(self, position: int) -> int:
        """Extend `position` backwards over markup that stands right before it."""
        if not self.pieces:
            return position
        at = self._index(position) - 1
        while at >= 0 and self.pieces[at].end == position and self.pieces[at].kind == "markup":
            position = self.pieces[at].start
            at -= 1
        return position

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def _index(self, position: int) -> int:
        """Index of the first piece that starts at or after `position`."""
        return bisect_left(self._starts, position)

    def pieces_in(self, start: int, end: int) -> tuple[Piece, ...]:
        """The pieces that start in the content [start, end)."""
        return self.pieces[self._index(start) : self._index(end)] if self.pieces else ()

    def links_in(self, start: int, end: int) -> list[tuple[str, str]]:
        """Text and target of the links that start in the content [start, end), bare addresses included."""
        if not self.pieces:
            return []
        low = bisect_left(self.links, start, key=lambda link: link.start)
        high = bisect_left(self.links, end, key=lambda link: link.start)
        found = []
        for link in self.links[low:high]:
            first, last = (
                bisect_left(self.offsets, link.label_start),
                bisect_left(self.offsets, link.label_end),
            )
            found.append((self.plain[first:last], link.target))
        addresses = [piece for piece in self.pieces_in(start, end) if piece.kind == "code"]
        return found + [("", piece.detail.strip("<>")) for piece in addresses if piece.detail.startswith("<")]

    def with_code(self) -> str:
        """The plain reading with the text of code spans put back (for a heading's slug)."""
        codes = {piece.start: piece.detail for piece in self.pieces if piece.kind == "code"}
        return "".join(
            codes.get(offset, character) if character == OPAQUE else character  # an author may write it, too
            for character, offset in zip(self.plain, self.offsets, strict=True)
        )


class _RecordingState(StateInline):
    """An inline state that also remembers what each rule consumed."""

    def __init__(self, src: str, md: MarkdownIt, env: dict[str, Any]) -> None:
        super().__init__(src, md, env, [])
        self.pieces: list[Piece] = []
        self.delimiters_seen: list[tuple[Token, int, int]] = []
        self.links: list[LinkPiece] = []


@dataclass(frozen=True)
class Inlines:
    """What contents read as, in a text with these link references."""

    references: dict[str, Any] = field(default_factory=dict)
    by_content: dict[str, Inline] = field(default_factory=dict)


@dataclass
class InlineParser:
    """Parses the inline content of blocks; one for a document, since link references are shared.

    What is in `known`, read in a text with the same references, need not be read again.
    """

    md: MarkdownIt
    env: dict[str, Any] = field(default_factory=dict)
    known: Inlines = field(default_factory=Inlines)

    def __post_init__(self) -> None:
        references = self.env.get("references", {})
        if self.known.references != references:
            self.known = Inlines(references)

    def parse(self, content: str) -> Inline:
        """Read `content`, the inline content of one block (container prefixes and indentation removed)."""
        found = self.known.by_content.get(content)
        if found is None:
            found = self.known.by_content[content] = self._read(content)
        return found

    def _read(self, content: str) -> Inline:
        if not _NOT_TEXT.search(content):
            return Inline(content, content, counting(0, len(content)), (), bytes(len(content)), ())
        state = _RecordingState(content, self.md, self.env)
        self.md.inline.tokenize(state)
        for rule in self.md.inline.ruler2.getRules(""):
            if rule.__name__ == "fragments_join":
                break
            rule(state)
        pieces, styled = _settle(state)
        plain = _read(content, pieces)
        offsets = _along(counting(0, len(content)), pieces, len(content))
        styled = _along(styled, pieces, len(content)) if styled else bytearray(len(plain))
        links = tuple(sorted(state.links, key=lambda link: link.start))
        return Inline(content, plain, offsets, tuple(pieces), bytes(styled), links)


class _Markdown(MarkdownIt):
    """Takes a plain address as it is; to take it apart and put it together again gives the same."""

    def normalizeLink(self, url: str) -> str:
        return url if _PLAIN_ADDRESS.fullmatch(url) else super().normalizeLink(url)


@lru_cache(maxsize=1)
def build_markdown() -> MarkdownIt:
    """The Markdown parser of this package: CommonMark with tables, strikethrough, footnotes and dollar math.

    It keeps nothing of what it parses, so one will do.
    """
    md = _Markdown("commonmark").enable(["table", "strikethrough"])
    md.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    # "$50M, up from $40M" is money: math opens before a non-blank and does not touch a digit on its outside.
    md.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=False)
    md.disable(["inline", "text_join"])
    ask_by_sign(md)
    inline = md.inline.ruler
    inline.__compile__()
    inline.__cache__ = {"": [_rule_of_signs({r.name: r.fn for r in inline.__rules__ if r.enabled})]}
    md.inline.terminator_re = _NOT_TEXT
    return md


def _rule_of_signs(rules: Mapping[str, InlineRule]) -> InlineRule:
    """One rule for all, by name: asks those that the sign at hand may start, and records; other signs are text."""
    by_sign = {
        sign: [_recording(name, rule) for name, rule in rules.items() if sign in _STARTS.get(name, "")]
        for sign in "".join(_STARTS.values())
    }
    text = [rules["text"]]

    def first(state: StateInline, silent: bool) -> bool:
        for rule in by_sign.get(state.src[state.pos], text):  # noqa: SIM110 - no generator for each sign
            if rule(state, silent):
                return True
        return False

    return first


def _recording(name: str, rule: InlineRule) -> InlineRule:
    def recorded(state: StateInline, silent: bool) -> bool:
        if silent or not isinstance(state, _RecordingState):
            return rule(state, silent)
        start, first = state.pos, len(state.tokens)
        seen = len(state.pieces)
        label_end = state.md.helpers.parseLinkLabel(state, start) if name == "link" else -1
        if not rule(state, silent):
            return False
        _record(name, state, start, first, seen, label_end)
        return True

    return recorded


def _record(name: str, state: _RecordingState, start: int, first: int, seen: int, label_end: int) -> None:
    end, tokens, source = state.pos, state.tokens[first:], state.src
    if name in {"emphasis", "strikethrough"}:
        position = end
        for token in reversed(tokens):  # the first may be earlier text, flushed on the way
            position -= len(token.content)
            if position < start:
                break
            state.delimiters_seen.append((token, position, len(token.content)))
    elif name == "newline":
        while start and source[start - 1] == " ":  # a hard break is no wider
            start -= 1
        state.pieces.append(Piece(start, end, "text", " "))
    elif name in {"escape", "entity"}:
        reading = tokens[-1].content if tokens else ""
        state.pieces.append(
            Piece(start, end, "text", " " if source[start : start + 2] == "\\\n" else reading)
        )
    elif name == "link":
        target = next((str(token.attrs["href"]) for token in tokens if token.type == "link_open"), "")
        inner = state.pieces[seen:]
        state.pieces[seen:] = [Piece(start, start + 1, "markup"), *inner, Piece(label_end, end, "markup")]
        state.links.append(LinkPiece(start, start + 1, label_end, end, target))
    elif name == "html_inline":
        state.pieces.append(Piece(start, end, "html", detail=source[start:end]))
    elif name == "footnote_ref":
        state.pieces.append(Piece(start, end, "footnote", detail=source[start + 2 : end - 1]))
    elif name in _OPAQUE_RULES and tokens:
        detail = tokens[-1].content if name == "backticks" else source[start:end]
        state.pieces.append(Piece(start, end, "code", OPAQUE, detail))


def _settle(state: _RecordingState) -> tuple[list[Piece], bytearray]:
    """Turn the delimiter runs that became emphasis into markup, and mark what emphasis and links enclose."""
    pieces = list(state.pieces)
    if not (state.delimiters_seen or state.links):
        return pieces, bytearray()
    change: Counter[int] = Counter()  # by place: how many more enclose what follows
    open_at: list[int] = []
    for token, position, width in sorted(state.delimiters_seen, key=lambda seen: seen[1]):
        if token.type in _MARKUP_TOKENS or token.content == "":
            pieces.append(Piece(position, position + width, "markup"))
        if token.nesting > 0:
            open_at.append(position)
        elif token.nesting < 0 and open_at:
            change[open_at.pop()] += 1
            change[position + width] -= 1
    for link in state.links:
        change[link.start] += 1
        change[link.end] -= 1
    pieces.sort(key=lambda piece: (piece.start, piece.end))
    return pieces, _enclosed(change, len(state.src))


def _enclosed(change: Counter[int], length: int) -> bytearray:
    enclosed = bytearray(length)
    depth = reached = 0
    for place in sorted(change):
        if depth > 0:
            enclosed[reached:place] = b"\1" * (place - reached)
        depth, reached = depth + change[place], place
    return enclosed


def _read(content: str, pieces: Sequence[Piece]) -> str:
    parts: list[str] = []
    position = 0
    for piece in pieces:
        parts.append(content[position : piece.start])
        parts.append(piece.reading)
        position = piece.end
    parts.append(content[position:])
    return "".join(parts)


def _along(row: Row, pieces: Sequence[Piece], length: int) -> Row:
    """What `row` has for each plain character, of what it has for each of the `length` characters of the content."""
    found, position = row[:0], 0
    for piece in pieces:
        found += row[position : piece.start]
        if piece.reading:
            found += row[piece.start : piece.start + 1] * len(piece.reading)
        position = piece.end
    found += row[position:length]
    return found
