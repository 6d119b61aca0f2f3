"""One run at a time in a project: a lock of the operating system, so that a killed run leaves none behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from cg_review.errors import InputError


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Hold the lock of the project whose state is in `folder`. Raises InputError at once where another run has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{folder.parent}: another cg-review run is working here; wait until it has ended, or end it"
        ) from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be used: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()
