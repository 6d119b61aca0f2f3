"""From YAML to nodes, through ruamel.yaml's events: no recursion, no objects built, no alias followed (E-PL07, E-PL08).

ruamel.yaml's C parser is an optional extra with its own dialect, so it is not used: `yaml_plain` reads what nearly all
frontmatters are made of, faster than it would, and is tested to give what ruamel.yaml gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cg_review.cgd.nodes import (
    MAX_DEPTH,
    Entry,
    Kind,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Tree,
    core_kind,
    find_duplicates,
)
from cg_review.cgd.yaml_plain import read_plain

_COLON = re.compile(r"\s*:")
# ruamel.yaml ends lines at U+0085, YAML 1.2 does not: it reads a private character in its place.
_NEL, _STAND_IN = "\x85", "\ue085"


class _TooDeep(Exception):
    pass


def read_yaml(text: str, start: int, end: int) -> Tree:
    """Read the YAML at [start, end) of a document. Never raises: what is wrong is in the tree's problems."""
    quick = read_plain(text, start, end)
    return read_any(text, start, end) if quick is None else Tree(quick, tuple(find_duplicates(quick)))


def read_any(text: str, start: int, end: int) -> Tree:
    """Read the YAML at [start, end) of a document, plain or not, through ruamel.yaml."""
    builder = _Builder(text, start)
    try:
        for event in _events(text[start:end].replace(_NEL, _STAND_IN)):
            builder.feed(event)
    except _TooDeep:
        problem = Problem("depth", f"collections nested deeper than {MAX_DEPTH}", builder.last)
        return Tree(None, (*builder.anchors(), problem))
    except (
        Exception
    ) as error:  # ruamel.yaml raises ValueError, AssertionError and others beside its own errors
        return Tree(None, (*builder.anchors(), _syntax(error, start, end)))
    return builder.tree()


def _events(yaml: str) -> Iterator[Any]:
    from ruamel.yaml.main import YAML  # here: a frontmatter that the plain reader takes never needs it

    return iter(YAML(typ="safe", pure=True).parse(yaml))


def _syntax(error: Exception, start: int, end: int) -> Problem:
    words = getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    if "end of stream" in str(words):  # what was opened and never closed is the place to look at
        marks.reverse()
    mark = marks[0] or marks[1]
    offset = mark.index if mark else getattr(error, "position", 0)
    return Problem(
        "syntax", f"the frontmatter is not YAML: {words}", min(start + int(offset), max(end - 1, start))
    )


class _Builder:
    """Puts events together; a stack instead of recursion."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start, self.last = text, start, start
        self.stack: list[tuple[int, bool, bool, list[Node]]] = []  # start, is a mapping, flow style, children
        self.roots: list[Node] = []
        self.marked: list[int] = []  # offsets of anchors and aliases

    def feed(self, event: Any) -> None:
        name = type(event).__name__
        begin, end = self.start + event.start_mark.index, self.start + event.end_mark.index
        if name == "AliasEvent" or getattr(event, "anchor", None):
            self.marked.append(begin)
        if name == "ScalarEvent":
            self._add(self._scalar(event, begin, end))
        elif name == "AliasEvent":
            self._add(Scalar("", "", begin, end, "unknown"))
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            self.last = begin
            if len(self.stack) == MAX_DEPTH:
                raise _TooDeep
            self.stack.append((begin, name[0] == "M", bool(event.flow_style), []))
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._add(self._close(end))

    def _scalar(self, event: Any, begin: int, end: int) -> Scalar:
        text, style = event.value.replace(_STAND_IN, _NEL), event.style or ""
        if begin == end:
            begin = end = self._empty_place(begin)
        if style in ("|", ">"):
            end = begin + len(self.text[begin:end].rstrip())
        return Scalar(text, style, begin, end, core_kind(text, style, _tag(event)))

    def _empty_place(self, begin: int) -> int:
        """An empty value's place: right after its colon or dash, not where the parser looked for it."""
        if not self.stack:
            return begin
        opened, is_mapping, _, children = self.stack[-1]
        if not is_mapping:
            return self.text.rfind("-", opened, begin) + 1 or begin
        if len(children) % 2 == 0:
            return begin
        colon = _COLON.match(self.text, children[-1].end)
        return colon.end() if colon else children[-1].end

    def _close(self, end: int) -> Node:
        begin, is_mapping, flow, children = self.stack.pop()
        if not flow and children:
            end = children[-1].end
        if not is_mapping:
            return Sequence(tuple(children), begin, end, flow)
        pairs = zip(children[::2], children[1::2], strict=True)
        return Mapping(tuple(Entry(key, value) for key, value in pairs), begin, end, flow)

    def _add(self, node: Node) -> None:
        (self.stack[-1][3] if self.stack else self.roots).append(node)

    def anchors(self) -> list[Problem]:
        if not self.marked:
            return []
        count = len(self.marked)
        message = "YAML anchors and aliases are not allowed" + (
            f" ({count} of them, this is the first)" if count > 1 else ""
        )
        return [Problem("anchor", message, self.marked[0])]

    def tree(self) -> Tree:
        if not self.roots or (len(self.roots) == 1 and _is_null(self.roots[0])):
            return Tree(Mapping((), self.start, self.start, False), tuple(self.anchors()))
        if len(self.roots) > 1:
            problem = Problem(
                "syntax", "the frontmatter holds more than one YAML document", self.roots[1].start
            )
        elif isinstance(self.roots[0], Mapping):
            root = self.roots[0]
            return Tree(root, (*self.anchors(), *find_duplicates(root)))
        else:
            problem = Problem(
                "syntax", "the frontmatter is not a mapping of keys to values", self.roots[0].start
            )
        return Tree(None, (*self.anchors(), problem))


def _is_null(node: Node) -> bool:
    kind: Kind | None = node.kind if isinstance(node, Scalar) else None
    return kind == "null"


def _tag(event: Any) -> str | None:
    return str(event.tag) if event.tag else None
