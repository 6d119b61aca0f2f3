"""Where `rules/` and `prompts/` are: at the top of a checkout, inside the package in a wheel, or in a user's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cg_review.errors import InputError

_PACKAGE = Path(__file__).resolve().parent


def shipped(kind: str) -> Path:
    """Return the shipped folder `kind` ("rules" or "prompts")."""
    in_wheel = _PACKAGE / "_data" / kind
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parent.parent / kind


def find(kind: str, name: str, overlays: Sequence[Path] = ()) -> Path:
    """Return the file `name` below `kind`; the last overlay folder that has it wins over the shipped one.

    Raises InputError when no folder has it.
    """
    for folder in [*reversed(overlays), shipped(kind)]:
        candidate = folder / name
        if candidate.is_file():
            return candidate
    raise InputError(f"{kind}/{name}: no such file in the package or in {[str(o) for o in overlays]}")


def names(kind: str, folder: str, suffix: str, overlays: Sequence[Path] = ()) -> list[str]:
    """Names (relative to `kind`) of all files `folder/*suffix`, shipped and overlaid, sorted."""
    found = {
        f"{folder}/{path.name}"
        for base in [*overlays, shipped(kind)]
        for path in (base / folder).glob(f"*{suffix}")
        if path.is_file()
    }
    return sorted(found)
