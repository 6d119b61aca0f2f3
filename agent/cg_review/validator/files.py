"""Which documents a command was given, and how one is written back: the edge between paths and texts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cg_review.errors import InputError
from cg_review.validator.limits import MAX_BYTES
from cg_review.validator.report import printable

SUFFIX = ".cgd.md"


class Input(NamedTuple):
    """One document: the name to show, and its path or (from stdin) its bytes."""

    name: str
    source: Path | bytes


def collect(paths: Sequence[str], stdin: BinaryIO) -> Iterator[Input | InputError]:
    """Yield the documents that `paths` name, in order: files as given, folders as the *.cgd.md below them, `-` stdin.

    What cannot be used is yielded as the error it is, so that the other paths still run.
    """
    for path in paths:
        if path == "-":
            yield Input("<stdin>", stdin.read(MAX_BYTES + 1))
        else:
            yield from _below(path)


def _below(path: str) -> Iterator[Input | InputError]:
    try:
        is_folder = Path(path).is_dir()
    except (OSError, ValueError) as error:
        yield InputError(f"{printable(path)}: not a path: {error}")
        return
    if not is_folder:
        yield _file(path)
        return
    found = False
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(SUFFIX):
                found = True
                yield _file(os.path.join(folder, name))
    if not found:
        yield InputError(f"{printable(path)}: no *{SUFFIX} files in this folder")


def _file(path: str) -> Input | InputError:
    shown = printable(path)
    try:
        if not os.path.exists(path):
            return InputError(f"{shown}: no such file")
        if not os.path.isfile(path):
            return InputError(f"{shown}: not a file")
        with open(path, "rb") as stream:
            start = stream.read(8192)
    except (OSError, ValueError) as error:
        return InputError(f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}")
    if b"\0" in start and not path.endswith(SUFFIX):
        return InputError(f"{shown}: not text (a binary file, or UTF-16); documents are UTF-8")
    return Input(shown, Path(path))


def read_document(given: Input) -> str:
    """Return the text of a document, every byte of it.

    Raises InputError where it cannot be read, is not UTF-8, or is larger than any document may be (E-PL06).
    """
    try:
        size = len(given.source) if isinstance(given.source, bytes) else given.source.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{given.name}: E-PL06: {size} bytes, {MAX_BYTES} are allowed")
        raw = given.source if isinstance(given.source, bytes) else given.source.read_bytes()
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{given.name}: not UTF-8 at byte {error.start}") from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{given.name}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None


def write_document(path: Path, text: str) -> None:
    """Replace a file by `text`, whole or not at all. Raises InputError where it cannot be written."""
    import tempfile  # here: validating writes nothing

    temporary: str | None = None
    try:
        target = path.resolve()
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, target.stat().st_mode & 0o7777 if target.exists() else 0o644)
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{printable(str(path))}: cannot be written: {getattr(error, 'strerror', None) or error}"
        ) from None
    finally:
        if temporary:
            os.unlink(temporary)
