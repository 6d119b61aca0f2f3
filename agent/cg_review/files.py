"""The edge to the file system: what is read, where a CGD goes, and how it gets there without losing anything."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from cg_review.errors import InputError

MARKDOWN = {".md", ".markdown", ".mdown", ".mkd"}
CGD_SUFFIX = ".cgd.md"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises InputError, with what and where, when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file or folder") from error
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a folder") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def is_cgd_name(path: Path) -> bool:
    """Whether a path is named as a CGD."""
    return path.name.lower().endswith(CGD_SUFFIX)


def cgd_name(name: str) -> str:
    """The file name of the CGD made of a source: plan.md -> plan.cgd.md."""
    path = Path(name)
    if is_cgd_name(path):
        return path.name
    return (path.stem if path.suffix.lower() in MARKDOWN else path.name) + CGD_SUFFIX


def output_path(source: Path, output: str | None, several: bool, root: Path | None = None) -> Path:
    """Where the CGD of `source` goes: beside it, into the folder `output`, or to the file `output`.

    A CGD is rewritten in place. Raises InputError where the output would be the source, or one file is to hold several.
    """
    if output is None:
        return source.with_name(cgd_name(source.name))
    is_folder = output.endswith(("/", os.sep)) or Path(output).is_dir()
    if not is_folder:
        if several:
            raise InputError(
                f"{output}: one file cannot take several documents; give a folder (with a / at its end)"
            )
        target = Path(output)
    else:
        below = source.parent.relative_to(root) if root is not None else Path()
        target = Path(output) / below / cgd_name(source.name)
    if not is_cgd_name(source) and _same_file(source, target):
        raise InputError(f"{target}: the output would overwrite the source document; choose another -o")
    return target


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return one.resolve() == other.resolve()


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: a temporary file beside it, flushed, then renamed over it. Its mode is kept.

    Raises InputError where the folder cannot be made or written; then nothing has changed.
    """
    path = path.resolve() if path.is_symlink() else path
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(
            prefix=temporary_prefix(path), suffix=".tmp", dir=path.parent
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def temporary_prefix(path: Path) -> str:
    """How the names of the temporary files begin that `path` is written through; they end in .tmp."""
    return f".{path.name[:40]}."


def check_writable(path: Path) -> None:
    """Raise InputError where `path` could not be written, before anything is done for it."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise InputError(f"{path}: cannot be written: {folder} is not a folder")
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: cannot be written: no permission in {folder}")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
