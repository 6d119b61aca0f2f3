"""A fast reader for the plain YAML that frontmatters are written in; whatever is not plain is left to ruamel.yaml.

It accepts block mappings and lists of scalars, of which the plain ones may be wrapped, comments and blank lines, and
gives the same nodes at the same places as `yaml_reader` (a property test compares them). Anything else makes it return
None, never a guess.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cg_review.cgd.nodes import Entry, Mapping, Node, Scalar, Sequence, core_kind

_LINE = re.compile(
    r"""(\ *+)(-\ ++)?                                    # indentation, dash
        (?:([A-Za-z_][A-Za-z0-9_.-]{0,99}):(?:\ ++|$))?    # key
        (\[\]|\{\}|"(?:[^"\\]|\\["\\])*+"|'[^']*+'
                 |(?:[A-Za-z0-9_/(.+$<^;~]|[^\x00-\x7f]|-(?=[^\ ]))(?:[^\ :#]++|:(?=[^\ ])|(?<=[^\ ])\#|\ ++(?!\#|$))*+)?
        \ *+(?:(?<=\ )\#.*)?""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([\"\\])")  # in double quotes; what else stands behind a backslash is not plain
_SKIPPED = re.compile(r" *(?:#.*)?")
_MAX_WRAPPED = 2_000  # characters of a wrapped value, which is put together line by line
_MAX_COLUMN = 30  # far below the depth limit: an indent of two a level


class _Token(NamedTuple):
    kind: str  # "dash", "key" or "value"
    column: int
    start: int
    key: Scalar | None
    value: Node | None
    after: int  # right behind the colon: where an empty value stands


class _NotPlain(Exception):
    pass


def read_plain(text: str, start: int, end: int) -> Mapping | None:
    """Return the mapping at [start, end) of a document, or None where it is not plain YAML."""
    yaml = text[start:end]
    if not yaml.replace("\n", "").isprintable():
        return None
    try:
        tokens = _tokens(yaml, start)
        if not tokens or tokens[0].column or tokens[0].kind != "key":
            return None
        root, index = _mapping(tokens, 0)
    except _NotPlain:
        return None
    return root if index == len(tokens) else None


def _tokens(yaml: str, start: int) -> list[_Token]:
    tokens: list[_Token] = []
    offset, goes_on = start, False  # whether the last token's value may go on in this line
    for line in yaml.split("\n"):
        if _SKIPPED.fullmatch(line):
            goes_on = False
        else:
            found = _LINE.fullmatch(line)
            if found is None:
                raise _NotPlain
            if found[2] is None and found[3] is None:
                if not goes_on:
                    raise _NotPlain
                tokens[-1] = _continued(tokens, found, offset)
            else:
                tokens += _line_tokens(found, offset)
            goes_on = "#" not in line[found.end(4) if found[4] else 0 :]
        offset += len(line) + 1
    return tokens


def _continued(tokens: list[_Token], found: re.Match[str], offset: int) -> _Token:
    """The last token with a line more of its value, which YAML joins with a blank."""
    last, more = tokens[-1], _value(found, offset)
    parent = tokens[-2] if last.kind == "value" else last
    if len(found[1]) <= parent.column or not (isinstance(more, Scalar) and not more.style):
        raise _NotPlain
    if last.value is None:
        return last._replace(value=more)
    if not isinstance(last.value, Scalar) or last.value.style:
        raise _NotPlain
    text = f"{last.value.text} {more.text}"
    if len(text) > _MAX_WRAPPED:
        raise _NotPlain
    return last._replace(value=Scalar(text, "", last.value.start, more.end, core_kind(text, "")))


def _line_tokens(found: re.Match[str], offset: int) -> list[_Token]:
    tokens = []
    indent, dash, name, _ = found.groups()
    column = len(indent)
    if column > _MAX_COLUMN:
        raise _NotPlain
    if dash:
        tokens.append(_Token("dash", column, offset + column, None, None, 0))
        column += len(dash)
    value = _value(found, offset)
    if name is not None:
        begin, stop = offset + column, offset + column + len(name)
        tokens.append(
            _Token("key", column, begin, Scalar(name, "", begin, stop, core_kind(name, "")), value, stop + 1)
        )
    elif value is not None and dash:
        tokens.append(_Token("value", column, value.start, None, value, 0))
    else:
        raise _NotPlain
    return tokens


def _value(found: re.Match[str], offset: int) -> Node | None:
    text = found[4]
    if text is None:
        return None
    start = offset + found.start(4)
    end = start + len(text)
    if text[0] in "'\"":
        inner = text[1:-1] if text[0] == "'" else _ESCAPED.sub(r"\1", text[1:-1])
        return Scalar(inner, text[0], start, end, "str")
    if text == "[]":
        return Sequence((), start, end, True)
    if text == "{}":
        return Mapping((), start, end, True)
    if text.startswith(("---", "...")):
        raise _NotPlain
    return Scalar(text, "", start, end, core_kind(text, ""))


def _mapping(tokens: list[_Token], index: int) -> tuple[Mapping, int]:
    first = tokens[index]
    entries: list[Entry] = []
    while index < len(tokens) and tokens[index].column == first.column and tokens[index].kind == "key":
        token = tokens[index]
        assert token.key is not None
        index += 1
        value = token.value
        if value is None:
            value, index = _block_value(tokens, index, token)
        entries.append(Entry(token.key, value))
    _must_not_be_deeper(tokens, index, first.column)
    return Mapping(tuple(entries), first.start, entries[-1].value.end, False), index


def _block_value(tokens: list[_Token], index: int, parent: _Token) -> tuple[Node, int]:
    if index < len(tokens):
        following = tokens[index]
        if following.kind == "dash" and following.column >= parent.column:
            return _sequence(tokens, index)
        if following.kind == "key" and following.column > parent.column:
            return _mapping(tokens, index)
    return Scalar("", "", parent.after, parent.after, "null"), index


def _sequence(tokens: list[_Token], index: int) -> tuple[Sequence, int]:
    first = tokens[index]
    items: list[Node] = []
    while index < len(tokens) and tokens[index].column == first.column and tokens[index].kind == "dash":
        item = tokens[index + 1]
        if item.kind == "key":
            node: Node
            node, index = _mapping(tokens, index + 1)
        else:
            assert item.value is not None
            node, index = item.value, index + 2
        items.append(node)
    _must_not_be_deeper(tokens, index, first.column)
    return Sequence(tuple(items), first.start, items[-1].end, False), index


def _must_not_be_deeper(tokens: list[_Token], index: int, column: int) -> None:
    """A line deeper than the block before it would continue a scalar, or be a mistake."""
    if index < len(tokens) and tokens[index].column > column:
        raise _NotPlain
