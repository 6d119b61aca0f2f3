"""The gate before ingestion: yes, or the first reason why not (FORMAT 12.10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cg_review.validator.engine import validate
from cg_review.validator.report import ValidationReport

# Warnings that do not make a document invalid, but that nobody should ingest: tampered, and not understood.
REFUSED_WARNINGS = frozenset({"W-HS01", "W-FC01"})


def refusal(report: ValidationReport) -> str | None:
    """Return the first reason not to ingest a document, or None where it may be ingested."""
    for fault in report.faults:
        if fault.severity == "error" or fault.code in REFUSED_WARNINGS:
            return f"{fault.code} line {fault.line}: {fault.message}"
    return None if report.rag_ingestable else "not CLEAR and REVIEWED, or parts are excluded"


def may_ingest(report: ValidationReport) -> bool:
    """Whether a document may be ingested: stricter than the formula, it also refuses W-HS01 and W-FC01."""
    return refusal(report) is None


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer of the ingestion gate; `reason` is the first thing that speaks against it, None where nothing does."""

    ingestable: bool
    reason: str | None


def check(source: str | bytes | Path, *, now: datetime | None = None) -> Gate:
    """Whether a document may be ingested: `source` is its text, its bytes or its path.

    `now` is a moment (UTC where it names no zone; the clock where it is not given). Raises InputError for a file that
    cannot be read.
    """
    reason = refusal(validate(source, now=now))
    return Gate(reason is None, reason)
