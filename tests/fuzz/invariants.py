"""What must hold for any bytes at all; the hypothesis suite and the fuzz target check the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.yaml_plain import read_plain
from cg_review.cgd.yaml_reader import read_any
from cg_review.errors import DocumentRefused
from cg_review.validator import may_ingest, validate
from cg_review.validator.fixing import fix

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def check_bytes(raw: bytes) -> None:
    """Validate `raw`, fix it where that is possible, and check what always holds. Raises AssertionError."""
    report = validate(raw, now=NOW, profile="rfc004")
    json.dumps(report.to_dict(), ensure_ascii=False).encode("utf-8")
    assert report.valid == all(fault.severity == "warning" for fault in report.faults)
    assert len(set(report.faults)) == len(report.faults)
    places = [(fault.line, fault.column) for fault in report.faults]
    assert places == sorted(places)
    assert all(line >= 1 and column >= 1 for line, column in places)
    assert report == validate(raw, now=NOW, profile="rfc004")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        assert "E-ST01" in report.codes
        return
    assert report.faults == validate(text, now=NOW, profile="rfc004").faults
    _check_newlines(text)
    _check_readers(text)
    _check_fix(text)


def _check_newlines(text: str) -> None:
    """A document says the same in every line ending (where it has none of its own inside)."""
    if "\r" not in text:
        codes = validate(text, now=NOW).codes
        assert codes == validate(text.replace("\n", "\r\n"), now=NOW).codes


def _check_readers(text: str) -> None:
    frontmatter = read_frontmatter(text)
    span = frontmatter.layout.frontmatter
    quick = read_plain(text, *span) if span else None
    if span and quick is not None:
        assert read_any(text, *span).root == quick


def _check_fix(text: str) -> None:
    """What `fix` returns is valid, sealed, and a fixed point; what was changed never stays ingestable."""
    tampered = "W-HS01" in validate(text, now=NOW).codes
    try:
        fixed, _ = fix(text, NOW, accept_changes=True)
    except DocumentRefused:
        return
    report = validate(fixed, now=NOW)
    assert report.valid
    assert stored_hash(fixed) == document_hash(fixed)
    assert fix(fixed, NOW).text == fixed
    if tampered:
        assert not may_ingest(report)
