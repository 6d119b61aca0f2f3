"""Reports as text, JSON and GitHub annotations. Each function returns text; only the command prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cg_review.validator.codes import load_codes
from cg_review.validator.report import Fault, ValidationReport

# GitHub shows the first ten annotations of each kind a step; the worst have to come first.
_GITHUB_ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))


def as_text(report: ValidationReport) -> str:
    """Return a report for a terminal: a line a fault, or one line that says that there is none."""
    if not report.faults:
        return f"{report.path}: valid, {'ingestable' if report.rag_ingestable else 'not ingestable'}\n"
    return "".join(f"{report.path}:{_line(fault)}\n" for fault in report.faults)


def _line(fault: Fault) -> str:
    return f"{fault.line}:{fault.column}: {fault.severity} {fault.code} {fault.message}"


def as_json(reports: Iterable[ValidationReport]) -> str:
    """Return reports as the JSON that docs/conformance.md describes."""
    import json  # here: text output needs none

    content = {"schema_version": 1, "documents": [report.to_dict() for report in reports]}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def as_github(reports: Iterable[ValidationReport]) -> str:
    """Return reports as GitHub workflow commands, errors before warnings."""
    return "".join(
        f"::{fault.severity} file={_property(path)},line={fault.line},col={fault.column},"
        f"title={_property(f'{fault.code} {load_codes()[fault.code].title}')}::{_escaped(fault.message)}\n"
        for path, fault in worst_first(list(reports))
    )


def worst_first(reports: Sequence[ValidationReport]) -> list[tuple[str, Fault]]:
    """Return (path, fault) of all reports, errors before warnings, else in order."""
    every = [(report.path, fault) for report in reports for fault in report.faults]
    return sorted(every, key=lambda one: one[1].severity)


def _escaped(text: str) -> str:
    for character, escape in _GITHUB_ESCAPES:
        text = text.replace(character, escape)
    return text


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
