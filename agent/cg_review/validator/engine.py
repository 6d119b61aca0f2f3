"""Runs the checks: from a text, bytes or a file to a report (FORMAT section 11)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from cg_review.errors import InputError
from cg_review.validator import chunks, claims, exclusions, fields, hashes, limits, state, structure, table  # noqa: F401 - they register
from cg_review.validator.checks import CHECKS
from cg_review.validator.codes import load_codes
from cg_review.validator.report import Fault, Found, ValidationReport, place
from cg_review.validator.subject import Subject

PROFILES = ("base", "rfc002", "rfc004")


def validate(
    source: str | bytes | Path,
    *,
    now: datetime | None = None,
    profile: str = "base",
    path: str | None = None,
    enable: Iterable[str] = (),
) -> ValidationReport:
    """Check a document against the format and report every fault at once.

    `source` is the text, its bytes, or the path of a file. `now` is a moment (UTC where it names no zone; the clock
    where it is not given). `enable` names single codes outside the profile. Raises InputError for a file that cannot
    be read, an unknown profile or an unknown code; a document, whatever is in it, never raises.
    """
    name = path if path is not None else (str(source) if isinstance(source, Path) else "<text>")
    size = _size(source)
    if size > limits.MAX_BYTES:
        message = f"the document has {size} bytes, {limits.MAX_BYTES} are allowed; it was not read"
        return ValidationReport(name, False, False, (Fault("E-PL06", "error", message, 1, 1),))
    raw = _read(source) if isinstance(source, Path) else source
    text, undecodable = _decode(raw)
    return report(Subject(text, _utc(now), undecodable), name, profile, enable)


def report(
    subject: Subject, path: str, profile: str = "base", enable: Iterable[str] = ()
) -> ValidationReport:
    """Run the checks of a profile on a subject."""
    codes = load_codes()
    found: list[tuple[str, str, Found]] = []
    for code in _chosen(profile, frozenset(enable)):
        severity = codes[code].severity
        found += [(code, severity, one) for one in CHECKS[code](subject)]
    faults = place(subject.text, found)  # type: ignore[arg-type]
    valid = all(fault.severity == "warning" for fault in faults)
    return ValidationReport(path, valid, valid and subject.computed.rag_ingestable, faults)


@cache
def _chosen(profile: str, enable: frozenset[str]) -> tuple[str, ...]:
    codes = load_codes()
    if profile not in PROFILES:
        raise InputError(f"unknown profile {profile!r}; there are {', '.join(PROFILES)}")
    unknown = sorted(code for code in enable if code not in CHECKS)
    if unknown:
        raise InputError(f"no document code {', '.join(unknown)}; see `cg-review explain`")
    profiles = {"base", profile}
    return tuple(code for code in CHECKS if codes[code].profile in profiles or code in enable)


def _size(source: str | bytes | Path) -> int:
    if isinstance(source, bytes):
        return len(source)
    if isinstance(source, str):
        wide = len(source) * 4 > limits.MAX_BYTES >= len(source)
        return len(source.encode("utf-8", "surrogatepass")) if wide else len(source)
    try:
        return source.stat().st_size
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from None


def _read(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"{source}: cannot be read: {reason}")


def _decode(raw: str | bytes) -> tuple[str, int | None]:
    """Return the text and the offset of the first character that is not UTF-8."""
    try:
        if isinstance(raw, bytes):
            return raw.decode("utf-8"), None
        raw.encode("utf-8")
    except UnicodeDecodeError as error:
        valid = bytes(raw[: error.start]).decode("utf-8")  # type: ignore[arg-type]
        return bytes(raw).decode("utf-8", "replace"), len(valid)  # type: ignore[arg-type]
    except UnicodeEncodeError as error:
        return str(raw), error.start
    return raw, None


def _utc(now: datetime | None) -> datetime:
    moment = datetime.now(UTC) if now is None else now
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
