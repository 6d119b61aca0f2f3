"""The report for a terminal: place, severity, quote, reason and fix of every finding, then what a person has to do."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

import click

from cg_review.findings import Round, Severity
from cg_review.lines import as_lines, one_line
from cg_review.reports import Conflicts
from cg_review.reports.places import fix_label, table_told
from cg_review.results import Conflict, Review, ReviewClaim, ReviewFinding, Tool

_COLORS = {
    Severity.CRITICAL: "red",
    Severity.WARNING: "yellow",
    Severity.TEMPORAL: "magenta",
    Severity.VERIFIABLE: "cyan",
}
_WIDTH = 100


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """All reviews, one after the other, an empty line between."""
    for number, review in enumerate(reviews):
        yield ("\n" if number else "") + _document(review, color)
    for conflict in conflicts() if conflicts else ():
        yield "\n" + "".join(f"{line}\n" for line in _conflict(conflict, color))


def _document(review: Review, color: bool) -> str:
    lines = [_style(review.path, color, bold=True)]
    lines += [line for finding in review.open_findings for line in _finding(finding, review.path, color)]
    silenced = len(review.findings) - len(review.open_findings)
    if silenced:
        lines.append(f"  {silenced} finding(s) silenced by the author")
    for one in review.unanchored:
        lines += _wrapped(
            f"  unanchored (point {one.point}): “{one_line(one.quote)}”: {one_line(one.why)}", "    "
        )
    lines += [line for note in review.notes for line in _wrapped(f"  note: {one_line(note, 1000)}", "    ")]
    lines += _rounds(review)
    lines.append(_summary(review, color))
    return "\n".join(lines) + "\n"


def _finding(finding: ReviewFinding, path: str, color: bool) -> list[str]:
    severity = _style(f"{finding.severity.value:<10}", color, fg=_COLORS[finding.severity])
    points = ", ".join(map(str, finding.points))
    lines = [f"  {finding.line}:{finding.column}  {severity}  point {points}"]
    lines += _wrapped(f"      “{one_line(finding.quote)}”", "       ")
    lines += _wrapped(f"      why: {one_line(finding.reason, 1000)}", "           ")
    for other in finding.related:
        place = table_told(other) or f"{other.line}:{other.column} “{one_line(other.quote)}”"
        lines += _wrapped(f"      see: {place}", "           ")
    label = fix_label(finding).lower()
    if finding.fix_place:  # on lines of its own, unwrapped, to be copied
        lines += [f"      {label}:", *(f"      {line}" for line in as_lines(finding.fix))]
    elif finding.fix:
        lines += _wrapped(f"      {label}: {one_line(finding.fix, 1000)}", "           ")
    return lines


def _conflict(conflict: Conflict, color: bool) -> list[str]:
    """Each place on a line of its own, unwrapped, so that editors can jump to it."""
    head = f"documents disagree about “{one_line(conflict.subject)}”:"
    places = (
        f"  {p.path}:{p.line}:{p.column}  {one_line(p.value)}  “{one_line(p.quote, 120)}”"
        for p in conflict.places
    )
    return [_style(head, color, fg=_COLORS[Severity.CRITICAL]), *places]


def _rounds(review: Review) -> list[str]:
    lines: list[str] = []
    for round_, title in (
        (Round.A, "Round A, did I read the source right?"),
        (Round.B, "Round B, is this true?"),
    ):
        pending = [claim for claim in review.claims if claim.round is round_ and claim.status == "pending"]
        if pending:
            lines.append(f"  {title}")
            lines += [line for claim in pending for line in _claim(claim)]
    return lines


def _claim(claim: ReviewClaim) -> list[str]:
    where = f"line {claim.line}" if claim.line else "whole document"
    text = f"    {claim.id}  {where}: {one_line(claim.text, 200)} ({one_line(claim.why)}; {one_line(claim.source)})"
    return _wrapped(text, "      ")


def _summary(review: Review, color: bool) -> str:
    counts = Counter(finding.severity for finding in review.open_findings)
    found = ", ".join(
        f"{counts[severity]} {severity.value.lower()}" for severity in Severity if counts[severity]
    )
    verdict = review.verdict.value if review.verdict else review.status
    pending = sum(claim.status == "pending" for claim in review.claims)
    parts = [
        _style(verdict, color, bold=True),
        found or "no findings",
        f"{pending} claim(s) await a person",
        f"points passed: {review.points_passed or 'none'}",
        f"{review.clarity_status} | {review.hitl_status}",
    ]
    if review.usage:
        cost = review.usage.get("cost")
        price = f", ${cost:.4f}" if cost is not None else ""
        parts.append(f"{review.usage['input_tokens']} + {review.usage['output_tokens']} tokens{price}")
    return "  " + "; ".join(parts) + (f"\n  {review.cgd}" if review.cgd else "")


def _style(text: str, color: bool, fg: str | None = None, bold: bool | None = None) -> str:
    return click.style(text, fg=fg, bold=bold) if color else text


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
