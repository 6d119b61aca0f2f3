"""Commands that a person runs on one document: read it, change it, log it, write it; all under the project's lock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from cg_review.cgd.hashing import stored_hash
from cg_review.errors import CgReviewError, InputError
from cg_review.files import read_bytes, write_text
from cg_review.hitl import audit
from cg_review.hitl.lock import locked
from cg_review.project import document_name, state_folder


def read_text(path: Path) -> str:
    """The text of a document. Raises InputError where it cannot be read."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from error


def change(
    path: Path, event: str, by: str, now: datetime, note: str, edit: Callable[[str], str | None]
) -> bool:
    """Write what `edit` makes of a document, and a record of it; False where it makes nothing of it.

    An error of `edit` gets the document's name.
    """
    text = read_text(path)
    try:
        edit(text)  # what cannot be done is told before anything is made
    except CgReviewError as error:
        raise _named(error, path) from error
    with locked(state_folder(path)):
        text = read_text(path)
        new = edit(text)
        if new is None:
            return False
        record = audit.event_record(
            document_name(path),
            event,
            by,
            now.isoformat(timespec="seconds"),
            stored_hash(text) or "",
            stored_hash(new) or "",
            note,
        )
        audit.append(audit.log_of(path), [record])
        write_text(path, new)
    return True


def _named(error: CgReviewError, path: Path) -> CgReviewError:
    message = str(error)
    return error if message.startswith((path.name, str(path))) else type(error)(f"{path}: {message}")
