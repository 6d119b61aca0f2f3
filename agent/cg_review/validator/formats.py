"""Reports as text, JSON and GitHub annotations. Each function returns text; only the command prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cg_review.validator.codes import load_codes
from cg_review.validator.report import Fault, ValidationReport


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
    """Return reports as GitHub workflow commands, errors before warnings: it shows the first ten of each kind a step."""
    from cg_review.github import annotation  # here, as json above: text output needs neither

    return "".join(
        annotation(
            fault.severity,
            path,
            fault.line,
            fault.column,
            f"{fault.code} {load_codes()[fault.code].title}",
            fault.message,
        )
        for path, fault in worst_first(list(reports))
    )


def worst_first(reports: Sequence[ValidationReport]) -> list[tuple[str, Fault]]:
    """Return (path, fault) of all reports, errors before warnings, else in order."""
    every = [(report.path, fault) for report in reports for fault in report.faults]
    return sorted(every, key=lambda one: one[1].severity)
