"""A fast reader for the YAML that rule files are written in: a tenth of ruamel.yaml's time, which every start would pay.

It takes block mappings and lists, flow collections, one-line scalars and literal blocks. Whatever else there is makes
it give up, never guess: `read_rules` then asks ruamel.yaml (a test compares the two on every shipped file).
"""

from __future__ import annotations

import json
import re
from typing import Any

_BLANK = re.compile(r"(?:[ ]*(?:\#[^\n]*)?\n)*")
_INDENT = re.compile(r" *")
_KEY = re.compile(r"([A-Za-z_][\w-]*|[1-9]\d*):(?: +|(?=\n))")
_QUOTED = r"""'(?P<single>(?:[^'\n]|'')*)'|"(?P<double>(?:[^"\\\n]|\\[nt"\\])*)\""""
_FIRST = r"""[^\s\[\]{}&*!|>'"%@`,#?:-]"""
_LINE_VALUE = re.compile(
    rf"(?:{_QUOTED}|(?P<block>\|-?)|(?P<plain>{_FIRST}(?:[^\n:#]|:(?=\S)|(?<=\S)\#)*)) *(?=\n)"
)
_FLOW_VALUE = re.compile(rf"{_QUOTED}|(?P<plain>{_FIRST}(?:[^\n,\[\]{{}}:#]|:(?=[^\s,\[\]{{}}])|(?<=\S)\#)*)")
_FLOW_KEY = re.compile(r"""(?:"([\w-]+)"|([A-Za-z_][\w-]*)):\s+""")
_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(\.\d+)?")
_WORDS = {"true": True, "false": False, "null": None}
_UNSURE = re.compile(  # may be no string: a number or a time in some notation, a word of YAML's own
    r"(?i)[-+.\d][-+.\d_:,a-fxotz]*|\d+-\d+-\d+\s.*|[-+]?\.(?:inf|nan)|=|<<|~|true|false|null"
)
_MAX_DEPTH = 20


class NotPlain(Exception):
    """The text has something that this reader does not take."""


def read_plain_rules(text: str) -> Any:
    """The data of a rule file. Raises NotPlain."""
    if not (text.endswith("\n") and text.replace("\n", "").isprintable()) or text.startswith("---"):
        raise NotPlain
    reader = _Reader(text)
    found = reader.block(0)
    if reader.at < len(reader.text):
        raise NotPlain
    return found


class _Reader:
    """Walks over a text; `at` is where it stands, between blocks always at the start of a line that is not blank."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self._skip_blank_lines()

    def _match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _skip_blank_lines(self) -> None:
        self._match(_BLANK)

    def _indent(self) -> int:
        """The column of the first character of the line, -1 at the end."""
        found = _INDENT.match(self.text, self.at)
        return found.end() - self.at if found and found.end() < len(self.text) else -1

    def _end_line(self) -> None:
        if not self.text.startswith("\n", self.at):
            raise NotPlain
        self.at += 1
        self._skip_blank_lines()

    # -- blocks ----------------------------------------------------------------------------------------------------

    def block(self, column: int) -> Any:
        """The mapping or list whose lines start at `column`."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise NotPlain
        is_list = self.text.startswith("- ", self.at + column)
        found = self._list(column) if is_list else self._mapping(column, self.at + column)
        self.depth -= 1
        return found

    def _list(self, column: int) -> list[Any]:
        items = []
        while self._indent() == column and self.text.startswith("- ", self.at + column):
            inside = self.at + column + 2
            if _KEY.match(self.text, inside):
                items.append(self._mapping(column + 2, inside))
            else:
                self.at = inside
                items.append(self._value(column))
        if self._indent() > column:
            raise NotPlain
        return items

    def _mapping(self, column: int, first: int) -> dict[str | int, Any]:
        """A mapping whose first key stands at `first`, the others at `column` of the lines that follow."""
        found: dict[str | int, Any] = {}
        self.at = first
        while True:
            key = self._match(_KEY)
            if key is None:
                raise NotPlain
            name = int(key[1]) if key[1].isdigit() else key[1]
            if name in found or key[1] in _WORDS:
                raise NotPlain
            found[name] = (
                self._block_below(column) if self.text.startswith("\n", self.at) else self._value(column)
            )
            indent = self._indent()
            if indent != column or self.text.startswith("- ", self.at + column):
                break
            self.at += column
        if indent > column:
            raise NotPlain
        return found

    def _block_below(self, column: int) -> Any:
        self._end_line()
        indent = self._indent()
        is_list = indent == column and self.text.startswith("- ", self.at + indent)
        if indent <= column and not is_list:
            raise NotPlain
        return self.block(indent)

    def _value(self, column: int) -> Any:
        """What stands behind a key or a dash, with its line; `column` is that of the key or dash."""
        value: Any
        if self.text.startswith(("[", "{"), self.at):
            value = self._flow()
        else:
            found = self._match(_LINE_VALUE)
            if found is None:
                raise NotPlain
            if found["block"]:
                return self._literal(column, found["block"] == "|")
            value = _scalar(found)
        self._match(_INDENT)
        self._end_line()
        if self._indent() > column:
            raise NotPlain
        return value

    def _literal(self, column: int, keeps_end: bool) -> str:
        """The lines of a literal block, which are blank or deeper than `column`; the first is not blank."""
        self.at += 1
        indent = self._indent()
        lines = []
        while self.at < len(self.text):
            end = self.text.index("\n", self.at)
            line = self.text[self.at : end]
            if line[:indent].strip():
                break
            lines.append(line[indent:])
            self.at = end + 1
        if indent <= column or any(line and not line.strip() for line in (lines[0] or " ", *lines)):
            raise NotPlain
        self._skip_blank_lines()
        if self._indent() > column:
            raise NotPlain
        return "\n".join(lines).rstrip("\n") + ("\n" if keeps_end else "")

    # -- flow ------------------------------------------------------------------------------------------------------

    def _flow(self) -> Any:
        opening = self.text[self.at : self.at + 1]
        if opening not in ("[", "{"):
            found = self._match(_FLOW_VALUE)
            if found is None:
                raise NotPlain
            return _scalar(found)
        self.at += 1
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise NotPlain
        collected = self._flow_list() if opening == "[" else self._flow_mapping()
        self.depth -= 1
        return collected

    def _flow_list(self) -> list[Any]:
        items: list[Any] = []
        self._match(_SPACE)
        while not self._closes("]", bool(items)):
            items.append(self._flow())
        return items

    def _flow_mapping(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._match(_SPACE)
        while not self._closes("}", bool(found)):
            key = self._match(_FLOW_KEY)
            name = key[1] or key[2] if key else ""
            if not key or name in found or (key[2] and key[2].lower() in _WORDS):
                raise NotPlain
            found[name] = self._flow()
        return found

    def _closes(self, bracket: str, has_items: bool) -> bool:
        """Whether the collection ends here; else what parts its items is passed over."""
        self._match(_SPACE)
        character = self.text[self.at : self.at + 1]
        if character == bracket:
            self.at += 1
            return True
        if has_items:
            if character != ",":
                raise NotPlain
            self.at += 1
            self._match(_SPACE)
        return False


def _scalar(found: re.Match[str]) -> Any:
    single, double, plain = found["single"], found["double"], found["plain"]
    if single is not None:
        return single.replace("''", "'")
    if double is not None:
        return json.loads(f'"{double}"') if "\\" in double else double
    plain = plain.rstrip()
    if plain in _WORDS:
        return _WORDS[plain]
    number = _NUMBER.fullmatch(plain)
    if number:
        return float(plain) if number[1] else int(plain)
    if _UNSURE.fullmatch(plain):
        raise NotPlain
    return plain
