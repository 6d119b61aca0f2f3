"""JUnit XML, for servers that show test results: a suite a document, a test a finding or, where there is none, the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from cg_review.reports import Conflicts
from cg_review.reports.places import disagreement, message, title
from cg_review.results import Conflict, Review, ReviewFinding, Tool

# What XML 1.0 cannot hold, in any spelling.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """One XML document, a part a review."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="cg-review">\n'
    for review in reviews:
        yield "".join(_suite(review))
    found = conflicts() if conflicts else ()
    if found:
        yield f'  <testsuite name="documents against each other" tests="{len(found)}" failures="{len(found)}" errors="0" skipped="0">\n'
        yield from map(_conflict, found)
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def _suite(review: Review) -> Iterator[str]:
    cases = [_case(review.path, finding) for finding in review.findings]
    error = review.status != "complete"
    if error or not cases:
        cases.insert(0, _whole(review, error))
    counts = (
        f'tests="{len(cases)}" failures="{len(review.open_findings)}" errors="{int(error)}" '
        f'skipped="{len(review.findings) - len(review.open_findings)}"'
    )
    yield f"  <testsuite name={_attribute(review.path)} {counts}>\n"
    yield from cases
    yield "  </testsuite>\n"


def _case(path: str, finding: ReviewFinding) -> str:
    name = f"{finding.id} line {finding.line}: {title(finding)}"
    if finding.suppressed is not None:
        inside = f"<skipped message={_attribute(finding.suppressed)}/>"
    else:
        place = f"{path}:{finding.line}:{finding.column}: “{finding.quote}”"
        kind = _attribute(finding.severity.value)
        inside = f"<failure type={kind} message={_attribute(message(finding))}>{_text(place)}</failure>"
    return f"    <testcase classname={_attribute(path)} name={_attribute(name)}>{inside}</testcase>\n"


def _conflict(conflict: Conflict) -> str:
    first = conflict.places[0]
    places = "\n".join(f"{p.path}:{p.line}:{p.column}: {p.value}: “{p.quote}”" for p in conflict.places)
    inside = f'<failure type="CRITICAL" message={_attribute(disagreement(conflict, first))}>{_text(places)}</failure>'
    name = _attribute(f"documents disagree: {conflict.subject}")
    return f"    <testcase classname={_attribute(first.path)} name={name}>{inside}</testcase>\n"


def _whole(review: Review, error: bool) -> str:
    text = _text("; ".join(review.notes) or review.status)
    inside = f"<error type={_attribute(review.status)}>{text}</error>" if error else ""
    return f'    <testcase classname={_attribute(review.path)} name="document">{inside}</testcase>\n'


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _attribute(text: str) -> str:
    flat = " ".join(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text).split())
    return quoteattr(flat)
