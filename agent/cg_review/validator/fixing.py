"""What `fix` writes: the computed fields and the hash, and the one edit that keeps a changed document honest."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.layout import take_apart
from cg_review.cgd.seal import seal
from cg_review.errors import DocumentRefused
from cg_review.validator.engine import validate
from cg_review.validator.reopen import reopen
from cg_review.validator.report import Fault
from cg_review.validator.subject import Subject

# Without these parts nothing can be sealed; every other error is judged on the text as it would be written.
_NEEDED = frozenset({"E-ST01", "E-ST02", "E-ST06", "E-PL06", "E-PL07", "E-PL08"})


class Fixed(NamedTuple):
    """The text after fixing, and whether a review had to be reopened for it."""

    text: str
    reopened: bool


def fix(text: str, now: datetime, *, accept_changes: bool = False) -> Fixed:
    """Return `text` with its computed fields right, everything else byte for byte.

    Raises DocumentRefused, saying which, where faults remain that a person has to settle, and where the stored hash
    does not match the text unless `accept_changes`: then a finished review becomes pending (FORMAT 12.10).
    """
    subject = Subject(text, now)
    _refuse_doubt(subject)
    changed = is_changed(text)
    if changed and not accept_changes:
        raise DocumentRefused(
            "the document changed since it was sealed (W-HS01); --accept-changes seals it as it is now"
        )
    reopened = changed and subject.hitl in ("REVIEWED", "REVIEWED_WITH_EXCEPTIONS")
    if reopened:
        text = reopen(text, now.date().isoformat())
    text = seal(_with_status_line(seal(text, computed=True)), computed=True)
    _refuse_errors(text, now)
    return Fixed(text, reopened)


def is_changed(text: str) -> bool:
    """Whether a document declares a hash that is not its own."""
    layout = take_apart(text)
    stored = stored_hash(layout)
    return stored is not None and layout.end_marker is not None and stored != document_hash(layout)


def _refuse_doubt(subject: Subject) -> None:
    """A hash line that hides text must be looked at by a person, not sealed over."""
    faults = validate(subject.text, now=subject.now).faults
    blocking = [
        fault
        for fault in faults
        if fault.code in _NEEDED or (fault.code == "E-HS01" and "outside the hash" in fault.message)
    ]
    if blocking:
        raise DocumentRefused(_listed(blocking))


def _refuse_errors(text: str, now: datetime) -> None:
    errors = [fault for fault in validate(text, now=now).faults if fault.severity == "error"]
    if errors:
        raise DocumentRefused(_listed(errors))


def _listed(faults: list[Fault]) -> str:
    shown = [f"{fault.code} in line {fault.line} ({fault.message})" for fault in faults[:3]]
    more = f" and {len(faults) - 3} more" if len(faults) > 3 else ""
    return f"a person has to settle this first: {'; '.join(shown)}{more}"


def _with_status_line(text: str) -> str:
    """Bring the status line to what the frontmatter says, where it is well-formed and only disagrees."""
    subject = Subject(text, datetime.min)
    status, clarity, hitl = subject.status, subject.clarity, subject.hitl
    if (
        status is None
        or not status.exact
        or clarity is None
        or hitl is None
        or status.words == (clarity, hitl)
    ):
        return text
    line = text[status.start : status.end]
    return (
        text[: status.start]
        + f"Clarity Gate: {clarity} | {hitl}"
        + line[len(line.rstrip()) :]
        + text[status.end :]
    )
