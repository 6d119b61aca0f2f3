"""Where a project is, and where its state lives (DESIGN, "Errors, exits, output")."""

from __future__ import annotations

import os
from pathlib import Path

STATE = ".cg-review"
DRAFTS = "drafts"
CONFIGURATION = "cg-review.toml"


def project_root(path: Path) -> Path:
    """The nearest folder at or above `path` with a configuration file or a .git; else the folder of `path` itself."""
    folder = path.resolve()
    if not folder.is_dir():
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        if _is_root(candidate):
            return candidate
    return folder


def state_folder(path: Path) -> Path:
    """The folder that holds the journal, the audit log and the cache for documents at `path`. It is not made."""
    return project_root(path) / STATE


def document_name(path: Path) -> str:
    """How a project's records name a document: its path below the root, with forward slashes."""
    return Path(os.path.relpath(path.resolve(), project_root(path))).as_posix()


def draft_path(path: Path) -> Path:
    """Where the draft of the CGD `path` is kept that cannot be written yet (FORMAT 12.8, 12.9)."""
    return state_folder(path) / DRAFTS / document_name(path)


def _is_root(folder: Path) -> bool:
    if (folder / ".git").exists() or (folder / CONFIGURATION).is_file():
        return True
    try:
        return "[tool.cg-review" in (folder / "pyproject.toml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
