"""YAML as text with positions: nothing is turned into a date, a float or a boolean (FORMAT sections 2 and 7).

Offsets count characters of the whole document, so that a fault can be placed and an edit can splice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["str", "null", "bool", "int", "float", "unknown"]
Path = tuple[str | int, ...]

MAX_DEPTH = 20

# YAML 1.2 core schema. `yes`, `on`, `1_000` and dates are strings there.
_CORE: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("null", re.compile(r"|~|null|Null|NULL")),
    ("bool", re.compile(r"true|True|TRUE|false|False|FALSE")),
    ("int", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")),
    (
        "float",
        re.compile(
            r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
        ),
    ),
)
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar. `style` is "" (plain), "'", '"', "|" or ">"; `kind` is what YAML 1.2 makes of it.

    A scalar that cannot be judged (an alias, a key given twice) has the kind "unknown".
    """

    text: str
    style: str
    start: int
    end: int
    kind: Kind = "str"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value in a mapping."""

    key: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping; `end` of a block mapping is where its last value ends."""

    entries: tuple[Entry, ...]
    start: int
    end: int
    flow: bool

    def get(self, name: str) -> Node | None:
        """Return the value under `name`: None where it is missing, an unknown scalar where it stands twice."""
        found = [entry for entry in self.entries if isinstance(entry.key, Scalar) and entry.key.text == name]
        if len(found) > 1:
            return Scalar("", "", found[0].value.start, found[0].value.end, "unknown")
        return found[0].value if found else None

    def key(self, name: str) -> Scalar | None:
        """Return the key `name` itself, the first where it stands twice."""
        for entry in self.entries:
            if isinstance(entry.key, Scalar) and entry.key.text == name:
                return entry.key
        return None

    def names(self) -> list[str]:
        """The names of all scalar keys, in order."""
        return [entry.key.text for entry in self.entries if isinstance(entry.key, Scalar)]


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list; `start` of a block list is its first dash."""

    items: tuple[Node, ...]
    start: int
    end: int
    flow: bool


Node = Scalar | Mapping | Sequence


@dataclass(frozen=True, slots=True)
class Problem:
    """Why YAML cannot be read, or not trusted. `related` is the other place, for a key that stands twice."""

    kind: Literal["syntax", "duplicate", "depth", "anchor"]
    message: str
    offset: int
    related: int | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """What a frontmatter holds. `root` is None where it could not be read as a mapping."""

    root: Mapping | None
    problems: tuple[Problem, ...] = field(default=())


def core_kind(text: str, style: str, tag: str | None = None) -> Kind:
    """Return what the YAML 1.2 core schema makes of a scalar."""
    if tag and tag.startswith(_TAG):
        named = tag.removeprefix(_TAG)
        return named if named in ("str", "null", "bool", "int", "float") else "unknown"  # type: ignore[return-value]
    if style or tag:
        return "str"
    if text[:1] and text[0] not in "~nNtTfF-+.0123456789":
        return "str"
    for kind, pattern in _CORE:
        if pattern.fullmatch(text):
            return kind
    return "str"


def find_duplicates(root: Mapping) -> list[Problem]:
    """Return a problem for each key that stands twice in one mapping, at any depth."""
    problems = []
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Sequence):
            pending.extend(node.items)
        elif isinstance(node, Mapping):
            seen: dict[str, int] = {}
            for entry in node.entries:
                pending.extend((entry.key, entry.value))
                if isinstance(entry.key, Scalar) and entry.key.kind != "unknown":
                    first = seen.setdefault(entry.key.text, entry.key.start)
                    if first != entry.key.start:
                        message = f"key `{entry.key.text}` stands twice in one mapping"
                        problems.append(Problem("duplicate", message, entry.key.start, first))
    return problems


def plain(node: Node | None) -> object:
    """Return a node as dict, list, str and None; every scalar but null keeps its text."""
    if node is None or isinstance(node, Scalar):
        return None if node is None or node.kind == "null" else node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.text: plain(entry.value) for entry in node.entries if isinstance(entry.key, Scalar)}
