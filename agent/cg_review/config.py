"""A project's settings: `[tool.cg-review]` in pyproject.toml, or cg-review.toml. Environment and flags go before them.

[tool.cg-review]
model = "embedded"
fail-on = "critical"
ignore = [3]                                  # points silenced in every document
per-path = {"archive/**" = {ignore = [8]}}    # and below a path, as .gitignore writes them
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cg_review.errors import InputError
from cg_review.project import CONFIGURATION, project_root

_PARAMETERS = {"format": "format_", "source": "sources"}
_PATHS = {"source", "rules", "prompts", "answers", "output"}


class Config(NamedTuple):
    """What a configuration file says. `options` are values by the name of a command's parameter."""

    file: Path | None = None
    options: Mapping[str, Any] = MappingProxyType({})
    ignore: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def root(self) -> str:
        """The folder that `ignore`'s paths are below; "" without a file."""
        return str(self.file.parent) if self.file else ""


def load_config(start: Path) -> Config:
    """The configuration in force at `start`: the file at the root of its project, if there is one.

    Raises InputError, with file and key, where it is not TOML or a value has the wrong form.
    """
    root = project_root(start)
    for name, table in ((CONFIGURATION, ()), ("pyproject.toml", ("tool", "cg-review"))):
        file = root / name
        if not file.is_file() or (table and not _mentions(file, ".".join(table))):
            continue
        content = _read(file)
        for step in table:
            content = content.get(step, {}) if isinstance(content, dict) else {}
        if content:
            return _config(file, content)
    return Config()


def _mentions(file: Path, table: str) -> bool:
    """Whether a file names a table at all: most pyproject.toml do not, and need not be parsed."""
    try:
        return table.encode() in file.read_bytes()
    except OSError:
        return False


def _read(file: Path) -> dict[str, Any]:
    import tomllib  # here: a hook without a configuration does not pay for it

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not TOML: {error}") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error


def _config(file: Path, content: dict[str, Any]) -> Config:
    options: dict[str, Any] = {}
    ignore = [("**", _points(file, "ignore", content.get("ignore", [])))]
    for key, value in content.items():
        if key == "per-path":
            ignore += _per_path(file, value)
        elif key != "ignore":
            options[_PARAMETERS.get(key, key.replace("-", "_"))] = (
                _below(file, value) if key in _PATHS else value
            )
    return Config(file, options, tuple((pattern, points) for pattern, points in ignore if points))


def _below(file: Path, value: Any) -> Any:
    """Paths of a configuration are relative to its file."""
    if isinstance(value, list):
        return [_below(file, one) for one in value]
    if not isinstance(value, str):
        return value
    return str(file.parent / value) + ("/" if value.endswith("/") else "")


def _per_path(file: Path, value: Any) -> list[tuple[str, tuple[int, ...]]]:
    if not isinstance(value, dict):
        raise InputError(f"{file}: per-path: expected a table of paths")
    found = []
    for pattern, settings in value.items():
        unknown = set(settings) - {"ignore"} if isinstance(settings, dict) else {"?"}
        if unknown:
            raise InputError(f"{file}: per-path: {pattern!r}: expected {{ignore = [points]}}")
        found.append((pattern, _points(file, f"per-path: {pattern!r}: ignore", settings.get("ignore", []))))
    return found


def _points(file: Path, key: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(one) is int and 1 <= one <= 9 for one in value):
        raise InputError(f"{file}: {key}: expected a list of points, such as [3, 8]")
    return tuple(value)


def check_options(config: Config, known: set[str]) -> None:
    """Raise InputError for a key that no command knows."""
    unknown = sorted(set(config.options) - known)
    if unknown:
        raise InputError(f"{config.file}: {unknown[0].replace('_', '-')}: no such setting")
