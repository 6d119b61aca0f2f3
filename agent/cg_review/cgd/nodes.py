"""YAML as text with positions: nothing is turned into a date, a float or a boolean (FORMAT sections 2 and 7).

Offsets count characters of the whole document, so that a fault can be placed and an edit can splice.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["str", "null", "bool", "int", "float", "unknown"]
Path = tuple[str | int, ...]

MAX_DEPTH = 20

# YAML 1.2 core schema. `yes`, `on`, `1_000` and dates are strings there.
_WORDS: dict[str, Kind] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), "null"),
    **dict.fromkeys(("true", "True", "TRUE", "false", "False", "FALSE"), "bool"),
}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_NUMBER_STARTS = frozenset("-+.0123456789")
_TAG = "tag:yaml.org,2002:"


class Scalar(NamedTuple):
    """One scalar. `style` is "" (plain), "'", '"', "|" or ">"; `kind` is what YAML 1.2 makes of it.

    A scalar that cannot be judged (an alias, a key given twice) has the kind "unknown".
    """

    text: str
    style: str
    start: int
    end: int
    kind: Kind = "str"


class Entry(NamedTuple):
    """A key and its value in a mapping."""

    key: Node
    value: Node


class Mapping:
    """A mapping; `end` of a block mapping is where its last value ends. Never changed once made."""

    __slots__ = ("_named", "_repeated", "end", "entries", "flow", "start")

    def __init__(self, entries: tuple[Entry, ...], start: int, end: int, flow: bool) -> None:
        self.entries, self.start, self.end, self.flow = entries, start, end, flow
        self._named: dict[str, Entry] = {}  # the first entry of each name
        self._repeated: set[str] = set()
        for entry in entries:
            if isinstance(entry.key, Scalar) and self._named.setdefault(entry.key.text, entry) is not entry:
                self._repeated.add(entry.key.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Mapping{self._parts()}"

    def _parts(self) -> tuple[tuple[Entry, ...], int, int, bool]:
        return self.entries, self.start, self.end, self.flow

    def get(self, name: str) -> Node | None:
        """Return the value under `name`: None where it is missing, an unknown scalar where it stands twice."""
        entry = self._named.get(name)
        if entry is None or name not in self._repeated:
            return entry.value if entry else None
        return Scalar("", "", entry.value.start, entry.value.end, "unknown")

    def key(self, name: str) -> Scalar | None:
        """Return the key `name` itself, the first where it stands twice."""
        entry = self._named.get(name)
        return entry.key if entry and isinstance(entry.key, Scalar) else None

    def names(self) -> list[str]:
        """The names of all scalar keys, in order."""
        return [entry.key.text for entry in self.entries if isinstance(entry.key, Scalar)]

    def duplicates(self) -> list[tuple[Scalar, Scalar]]:
        """Return (key, first key of that name) for each key that stands again."""
        found = []
        for entry in self.entries if self._repeated else ():
            first = self.key(entry.key.text) if isinstance(entry.key, Scalar) else None
            if (
                first
                and isinstance(entry.key, Scalar)
                and first is not entry.key
                and entry.key.kind != "unknown"
            ):
                found.append((entry.key, first))
        return found


class Sequence(NamedTuple):
    """A list; `start` of a block list is its first dash."""

    items: tuple[Node, ...]
    start: int
    end: int
    flow: bool


Node = Scalar | Mapping | Sequence


class Problem(NamedTuple):
    """Why YAML cannot be read, or not trusted. `related` is the other place, for a key that stands twice."""

    kind: Literal["syntax", "duplicate", "depth", "anchor"]
    message: str
    offset: int
    related: int | None = None


class Tree(NamedTuple):
    """What a frontmatter holds. `root` is None where it could not be read as a mapping."""

    root: Mapping | None
    problems: tuple[Problem, ...] = ()


def core_kind(text: str, style: str, tag: str | None = None) -> Kind:
    """Return what the YAML 1.2 core schema makes of a scalar."""
    if tag and tag.startswith(_TAG):
        named = tag.removeprefix(_TAG)
        return named if named in ("str", "null", "bool", "int", "float") else "unknown"  # type: ignore[return-value]
    if style or tag:
        return "str"
    if text[:1] not in _NUMBER_STARTS:
        return _WORDS.get(text, "str")
    return "int" if _INT.fullmatch(text) else "float" if _FLOAT.fullmatch(text) else _WORDS.get(text, "str")


def find_duplicates(root: Mapping) -> list[Problem]:
    """Return a problem for each key that stands twice in one mapping, at any depth."""
    problems = []
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Sequence):
            pending.extend(node.items)
        elif isinstance(node, Mapping):
            for key, first in node.duplicates():
                message = f"key `{key.text}` stands twice in one mapping"
                problems.append(Problem("duplicate", message, key.start, first.start))
            for entry in node.entries:
                pending += [one for one in (entry.key, entry.value) if not isinstance(one, Scalar)]
    return problems


def plain(node: Node | None) -> object:
    """Return a node as dict, list, str and None; every scalar but null keeps its text."""
    if node is None or isinstance(node, Scalar):
        return None if node is None or node.kind == "null" else node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.text: plain(entry.value) for entry in node.entries if isinstance(entry.key, Scalar)}
