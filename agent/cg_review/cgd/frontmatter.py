"""Reads a frontmatter with positions and edits it losslessly: an edit is a splice, every other byte stays (FORMAT section 2).

frontmatter = read_frontmatter(text)
text = splice(text, [frontmatter.set(("hitl-pending-count",), 0), frontmatter.delete(("team",))])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cg_review.cgd import nodes, writer
from cg_review.cgd.layout import Layout, line_end, line_start, next_line, take_apart
from cg_review.cgd.nodes import Mapping, Node, Path, Problem, Scalar
from cg_review.cgd.yaml_reader import read_yaml
from cg_review.errors import DocumentRefused

_COLON = re.compile(r"\s*:")
_BLANK = re.compile(r"(?:\s|#[^\r\n]*)*+")


class Splice(NamedTuple):
    """Replace the characters [start, end) by `text`."""

    start: int
    end: int
    text: str


def splice(text: str, splices: Iterable[Splice]) -> str:
    """Return `text` with all splices applied. They may touch, but not overlap; ValueError where they do."""
    parts, position = [], 0
    for start, end, new in sorted(splices, key=lambda one: one[:2]):
        if start < position:
            raise ValueError("two edits of one frontmatter overlap")
        parts += [text[position:start], new]
        position = end
    return "".join([*parts, text[position:]])


class Frontmatter(NamedTuple):
    """A frontmatter as nodes; `root` is empty where there is none or it cannot be read, `problems` says why."""

    layout: Layout
    root: Mapping
    problems: tuple[Problem, ...]
    readable: bool

    @property
    def _text(self) -> str:
        return self.layout.text

    @property
    def data(self) -> dict[str, Any]:
        """All values as dict, list, str and None: a scalar keeps its text, whatever YAML would make of it."""
        found = nodes.plain(self.root)
        return found if isinstance(found, dict) else {}

    def node(self, *path: str | int) -> Node | None:
        """Return the node at a path such as `"hitl-claims", 0, "id"`, or None."""
        node: Node | None = self.root
        for step in path:
            if isinstance(node, Mapping) and isinstance(step, str):
                node = node.get(step)
            elif isinstance(node, nodes.Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
                node = node.items[step]
            else:
                return None
        return node

    def text(self, *path: str | int) -> str | None:
        """Return the text of the scalar at a path; None where it is missing, null or no scalar."""
        node = self.node(*path)
        return node.text if isinstance(node, Scalar) and node.kind not in ("null", "unknown") else None

    def key(self, *path: str | int) -> Scalar | None:
        """Return the key at a path, as a scalar with its place."""
        parent, last = self.node(*path[:-1]), path[-1]
        return parent.key(last) if isinstance(parent, Mapping) and isinstance(last, str) else None

    # Edits. Each returns a splice of the text as read; `splice` applies several at once.

    def set(self, path: Path, value: Any) -> Splice:
        """Give an existing key or entry a new value: a scalar, or a dict or list. Quotes stay where they can."""
        node = self._existing(path)
        start, end = node.start, node.end
        if isinstance(value, dict | list) and not self._in_flow(path) and isinstance(path[-1], str):
            return self._set_block(path, node, value)
        key = path[-1] if isinstance(path[-1], str) else None
        new = writer.render_flow(value, key)
        if isinstance(node, Scalar) and isinstance(value, str) and node.style in ("'", '"'):
            new = writer.quote_like(value, node.style)
        if start == end or self._is_block(node):
            start = self._after_colon(path)
            new = (
                " "
                + new
                + (" " if self._text[end : end + 1] not in ("", "\r", "\n", " ", ",", "}", "]") else "")
            )
        return Splice(start, end, new)

    def insert(
        self, key: str, value: Any, *, after: str | None = None, before: str | None = None, path: Path = ()
    ) -> Splice:
        """Add a key to the mapping at `path`, after or before another of its keys; at its end where neither is given."""
        mapping = self.node(*path)
        if not isinstance(mapping, Mapping):
            raise DocumentRefused(f"{_name(path)}: no mapping to add `{key}` to")
        if not mapping.entries:
            return self._insert_first(key, value, path)
        anchor = after or before or mapping.names()[-1]
        index = next((i for i, entry in enumerate(mapping.entries) if _is_key(entry.key, anchor)), None)
        if index is None:
            raise DocumentRefused(f"no key `{anchor}` to put `{key}` beside")
        place = mapping.entries[index]
        if mapping.flow:
            new = writer.render_flow({key: value})[1:-1]
            return (
                Splice(place.key.start, place.key.start, new + ", ")
                if before
                else Splice(place.value.end, place.value.end, ", " + new)
            )
        column = place.key.start - line_start(self._text, place.key.start)
        lines = writer.render_entry(key, value, column)
        if before:
            return Splice(
                place.key.start,
                place.key.start,
                self._joined(lines)[column:] + self.layout.newline + " " * column,
            )
        end = line_end(self._text, place.value.end)
        return Splice(end, end, self.layout.newline + self._joined(lines))

    def delete(self, path: Path) -> Splice:
        """Remove a key with its value, or a list entry; comments on lines of their own stay."""
        node = self._existing(path)
        parent = self.node(*path[:-1])
        children = (
            [entry.key for entry in parent.entries]
            if isinstance(parent, Mapping)
            else list(getattr(parent, "items", ()))
        )
        start_node = self.key(*path) or node
        index = next(i for i, child in enumerate(children) if child is start_node)
        ends = (
            [entry.value.end for entry in parent.entries]
            if isinstance(parent, Mapping)
            else [child.end for child in children]
        )
        if len(children) == 1:
            return self._emptied(path[:-1])
        if self._in_flow(path):
            following = index + 1 < len(children)
            return (
                Splice(start_node.start, children[index + 1].start, "")
                if following
                else Splice(ends[index - 1], ends[index], "")
            )
        start = start_node.start if isinstance(parent, Mapping) else self._dash(path)
        line = line_start(self._text, start)
        if self._text[line:start].strip():  # the first key of a list entry, behind its dash
            return Splice(start, children[index + 1].start, "")
        return Splice(line, next_line(self._text, ends[index]), "")

    def append(self, path: Path, value: Any) -> Splice:
        """Add an entry to the end of the list at `path`, which may be `[]`."""
        items = self.node(*path)
        if isinstance(items, nodes.Sequence) and items.items:
            last = items.items[-1]
            if items.flow:
                return Splice(last.end, last.end, ", " + writer.render_flow(value))
            dash = self._dash((*path, len(items.items) - 1))
            column = dash - line_start(self._text, dash)
            end = line_end(self._text, last.end)
            return Splice(end, end, self.layout.newline + self._joined(writer.render_item(value, column)))
        return self.set(path, [value])

    def append_block(self, key: str, value: Any) -> Splice:
        """Add a top-level key right before the closing delimiter, as promotion adds `tier`."""
        if self.layout.closing is None:
            raise DocumentRefused("no frontmatter to add to")
        place = self.layout.closing.start
        return Splice(place, place, self._joined(writer.render_entry(key, value)) + self.layout.newline)

    def _set_block(self, path: Path, node: Node, value: Any) -> Splice:
        key = self.key(*path)
        assert key is not None
        assert isinstance(path[-1], str)
        column = key.start - line_start(self._text, key.start)
        lines = writer.render_entry(path[-1], value, column)
        colon = self._after_colon(path)
        head = lines[0][column + len(writer.quote_scalar(path[-1])) + 1 :]
        new = self._joined([head, *lines[1:]])
        rest = self._text[node.end : line_end(self._text, node.end)].strip()
        if rest and len(lines) > 1:  # a comment behind `[]` stays on the key's line
            new = " " + rest + new
            return Splice(colon, line_end(self._text, node.end), new)
        return Splice(colon, node.end, new)

    def _insert_first(self, key: str, value: Any, path: Path) -> Splice:
        if path:
            return self.set(path, {key: value})
        if self.layout.frontmatter is None:
            raise DocumentRefused("no frontmatter to add to")
        place = self.layout.frontmatter.start
        return Splice(place, place, self._joined(writer.render_entry(key, value)) + self.layout.newline)

    def _emptied(self, path: Path) -> Splice:
        if not path:
            raise DocumentRefused("the last key of a frontmatter cannot be removed")
        return self.set(path, [] if isinstance(self.node(*path), nodes.Sequence) else {})

    def _existing(self, path: Path) -> Node:
        node = self.node(*path)
        if node is None or (isinstance(node, Scalar) and node.kind == "unknown"):
            raise DocumentRefused(f"{_name(path)}: missing, given twice or an alias; cannot be edited")
        return node

    def _in_flow(self, path: Path) -> bool:
        ancestors = (self.node(*path[:depth]) for depth in range(len(path)))
        return any(not isinstance(node, Scalar) and node is not None and node.flow for node in ancestors)

    def _is_block(self, node: Node) -> bool:
        return not isinstance(node, Scalar) and not node.flow

    def _after_colon(self, path: Path) -> int:
        """Where a value may start: right behind its key's colon, or its list entry's dash."""
        key = self.key(*path)
        if key is None:
            return self._dash(path) + 1
        colon = _COLON.match(self._text, key.end)
        if colon is None:
            raise DocumentRefused(f"{_name(path)}: a key without a colon cannot be given a value")
        return colon.end()

    def _dash(self, path: Path) -> int:
        """Where the dash of a block list's entry is: the first thing after the entry before it."""
        items, index = self.node(*path[:-1]), path[-1]
        assert isinstance(items, nodes.Sequence)
        assert isinstance(index, int)
        if items.flow:
            raise DocumentRefused(f"{_name(path)}: not an entry of a block list")
        if index == 0:
            return items.start
        blank = _BLANK.match(self._text, items.items[index - 1].end)
        return blank.end() if blank else items.start

    def _joined(self, lines: Sequence[str]) -> str:
        return self.layout.newline.join(lines)


def read_frontmatter(text: str | Layout) -> Frontmatter:
    """Read the frontmatter of a document; never raises, what is wrong is in `problems`."""
    layout = text if isinstance(text, Layout) else take_apart(text)
    if layout.frontmatter is None:
        return Frontmatter(layout, Mapping((), 0, 0, False), (), readable=False)
    tree = read_yaml(layout.text, *layout.frontmatter)
    root = tree.root or Mapping((), layout.frontmatter.start, layout.frontmatter.start, False)
    return Frontmatter(layout, root, tree.problems, readable=tree.root is not None)


def _is_key(node: Node, name: str) -> bool:
    return isinstance(node, Scalar) and node.text == name


def _name(path: Path) -> str:
    return ".".join(str(step) for step in path) or "frontmatter"
