"""One at a time: a lock that processes and threads of one project share, freed when its holder dies."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from cg_review.errors import InputError

try:
    import fcntl
except ImportError:  # not on this system: threads of one process still take turns
    fcntl = None  # type: ignore[assignment]

_THREADS = threading.RLock()
_held: list[Path] = []


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a state folder. Raises InputError where the folder cannot be made or written."""
    with _THREADS, contextlib.ExitStack() as stack:
        folder = folder.resolve()
        if folder in _held:  # by this thread
            yield
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(open(folder / "answers.lock", "a", encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from error
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        _held.append(folder)
        try:
            yield
        finally:
            _held.remove(folder)
