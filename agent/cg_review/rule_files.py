"""Rule files as they lie on disk: YAML and JSON read into models, and what a user's own rules folder may hold.

A file of a user's own may be anything: it is read up to a size, and whatever is wrong with it is an error of one line.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from cg_review.errors import InputError
from cg_review.lines import one_line
from cg_review.rules_yaml import NotPlain, read_plain_rules

MAX_BYTES = 300_000  # of a YAML file; the largest shipped one has a sixth
_MAX_JSON_BYTES = 20_000_000
_FILES = ("injection.yaml", "markers.yaml", "traits.yaml", "weights.json")
POINTS = "points"
_MAY_HOLD = f"{POINTS}/*.yaml, {', '.join(_FILES)}, and notes as .md or .txt"
_BESIDE = re.compile(r"\..*|.*~|.*\.(?:md|txt)|LICENSE|NOTICE")  # hidden files, an editor's backups, notes
_SAID = {
    "extra_forbidden": "no such key",
    "missing": "is missing",
    "string_pattern_mismatch": "letters, digits, - and _ alone",
}
_LONGEST = 300  # characters of somebody else's words in a message


class RuleModel(BaseModel):
    """Base of everything read from `rules/`: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Rules = TypeVar("Rules", bound=RuleModel)


def check_template(template: str, known: Collection[str]) -> None:
    """Raise ValueError where a template holds anything but plain names of `known`: an attribute, an index or a width is
    nothing that a text needs, and could raise or cost anything when it is filled in."""
    shown = repr(template[:_LONGEST])
    try:
        fields = [field for field in string.Formatter().parse(template) if field[1] is not None]
    except ValueError as error:  # braces that do not pair
        raise ValueError(f"{shown}: {error}") from error
    if any(name not in known or form or conversion for _, name, form, conversion in fields):
        raise ValueError(f"{shown} may use {', '.join(f'{{{name}}}' for name in sorted(known))} alone")


# -- reading -----------------------------------------------------------------------------------------------------------


def read_rules(path: Path) -> Any:
    """Read a YAML rule file. Raises InputError with file and place when it is not YAML, or is too large."""
    try:
        text = _read(path, MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not readable as YAML: {error}") from error
    try:
        return read_plain_rules(text)
    except (NotPlain, ValueError):
        return _read_any_rules(path, text)


def _read_any_rules(path: Path, text: str) -> Any:
    from ruamel.yaml import YAML  # here: the shipped rules are plain

    try:
        data = YAML(typ="safe", pure=True).load(text)
    except RecursionError:
        raise InputError(f"{path}: not readable as YAML: nested too deeply") from None
    except (
        Exception
    ) as error:  # a scalar that is no date, a key that is a list: its constructors raise anything
        raise InputError(f"{path}: not readable as YAML: {one_line(_wrong(error))}") from error
    if not _is_bounded(data):
        raise InputError(f"{path}: its aliases (*name) unfold to more than a rule file may hold")
    return data


def _wrong(error: Exception) -> str:
    """What ruamel.yaml says is wrong, and on which line: of its advice and its excerpt a message has no use."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None or not problem:
        return str(error)
    return f"line {mark.line + 1}: {problem.partition(' with value ')[0]}"


def _is_bounded(data: Any) -> bool:
    """Whether the values, aliases unfolded, are no more than a file without aliases can hold."""
    waiting, seen = [data], 0
    while waiting and seen <= MAX_BYTES:
        value, seen = waiting.pop(), seen + 1
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
    return not waiting


def read_json(path: Path) -> Any:
    """Read a JSON rule file. Raises InputError when it is not JSON, or is too large."""
    try:
        return json.loads(_read(path, _MAX_JSON_BYTES))
    except RecursionError:
        raise InputError(f"{path}: not JSON: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {one_line(str(error))}") from error


def _read(path: Path, most: int) -> bytes:
    try:
        if path.stat().st_size > most:
            raise InputError(f"{path}: has more than {most} bytes, which no rule file needs")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def validated(model: type[Rules], data: Any, path: Path) -> Rules:
    """`data` of the file `path` as a model. Raises InputError naming the first key that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        said = _SAID.get(first["type"], first["msg"].removeprefix("Value error, "))
        if not first["loc"] and data is None:
            said = "is empty"
        raise InputError(": ".join([str(path), *_place(first["loc"], data), one_line(said)])) from error


def _place(loc: Sequence[int | str], data: Any) -> list[str]:
    """Where a fault is, as people say it: an entry of a list by its id, where it has one."""
    steps: list[str] = []
    for step in loc:
        try:
            data = data[step]
        except (LookupError, TypeError):
            data = None
        name = data.get("id") if isinstance(step, int) and isinstance(data, dict) else None
        steps.append(name if isinstance(name, str) else str(step))
    return [one_line(".".join(steps))] if steps else []


def more_words(
    path: Path, name: str, words: Iterable[str], added: Iterable[str], lower: bool = True
) -> tuple[str, ...]:
    """The words of the vocabulary `name` with those that `path` adds. Raises InputError for one that no text can have."""
    added = tuple(added)
    for word in added:
        if not word or word != word.strip() or (lower and word != word.lower()):
            raise InputError(
                f"{path}: words: {name}: {word!r}: write it in lower case, without blanks around it"
            )
    return tuple(dict.fromkeys((*words, *added)))


# -- a user's own folder -----------------------------------------------------------------------------------------------


def own_files(folder: Path) -> tuple[Path, ...]:
    """The rule files of a user's own folder, in the order of their names.

    Raises InputError where it is missing, has none, or holds a name that nothing would read: a slip would go unnoticed.
    """
    found = []
    for path in _listed(folder):
        if path.name == POINTS and path.is_dir():
            found += _own_points(path)
        elif path.name in _FILES and path.is_file():
            found.append(path)
        elif not _BESIDE.fullmatch(path.name):
            raise InputError(f"{path}: no rule file has this name; a rules folder holds {_MAY_HOLD}")
    if not found:
        raise InputError(f"{folder}: has no rules; a rules folder holds {_MAY_HOLD}")
    return tuple(found)


def extends(data: Any) -> bool:
    """Whether a file says that it changes a part of the shipped rules, and does not replace a shipped file."""
    return isinstance(data, dict) and "extends" in data


def _own_points(folder: Path) -> list[Path]:
    paths = [path for path in _listed(folder) if not _BESIDE.fullmatch(path.name)]
    for path in paths:
        if path.suffix != ".yaml" or not path.is_file():
            raise InputError(f"{path}: no rule file has this name; {POINTS}/ holds NAME.yaml alone")
    return paths


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read as a rules folder: {error.strerror or error}") from error
