"""What the formats for programs share: levels, rules, and where a finding ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from cg_review.cgd.tables import is_delimiter_row
from cg_review.findings import FixPlace, Severity
from cg_review.points import Point, load_points
from cg_review.results import Conflict, ConflictPlace, Related, ReviewFinding

LEVELS = {
    Severity.CRITICAL: "error",
    Severity.WARNING: "warning",
    Severity.TEMPORAL: "warning",
    Severity.VERIFIABLE: "note",
}
_LINE_ENDING = re.compile(r"\r\n|\r|\n")


@lru_cache(maxsize=1)
def points_by_id() -> dict[int, Point]:
    """The nine points as shipped."""
    return {point.id: point for point in load_points()}


def title(finding: ReviewFinding) -> str:
    """The leading point's title, with the numbers of all."""
    numbers = ", ".join(map(str, finding.points))
    return (
        f"{points_by_id()[finding.points[0]].title} (point{'s' if len(finding.points) > 1 else ''} {numbers})"
    )


FIXES: dict[FixPlace, str] = {
    "": "Fix",
    "instead": "Paste in its place",
    "above": "Paste above the table",
}
"""What a fix is called, by where it is pasted."""


def fix_label(finding: ReviewFinding) -> str:
    """What the fix of a finding is called. In a quote the line between is part of it, as an empty one would end the quote."""
    between = ", a blank line between" if finding.fix_place == "above" and "\n" not in finding.fix else ""
    return FIXES[finding.fix_place] + between


def message(finding: ReviewFinding) -> str:
    """Reason and fix; a text to paste stands last, so that it can be taken to the end."""
    return f"{finding.reason} {fix_label(finding)}: {finding.fix}" if finding.fix else finding.reason


def disagreement(conflict: Conflict, place: ConflictPlace) -> str:
    """What a place of a conflict says, and where documents say otherwise."""
    others = "; ".join(
        f"{one.path}:{one.line} “{one.value}”"
        for one in conflict.places
        if one is not place and one.value != place.value
    )
    return f"{conflict.subject}: “{place.value}” here; elsewhere {others}"


def table_told(place: Related | ConflictPlace) -> str:
    """A place that is a whole table, in words, since nobody knows it by its cells on one line; empty for any other."""
    _, below, *_ = (*_LINE_ENDING.split(place.quote), "", "")
    return (
        f"the table in line {place.line}" if is_delimiter_row(below.lstrip(" \t>")) and "|" in below else ""
    )


def worst_first(findings: Sequence[ReviewFinding]) -> list[ReviewFinding]:
    """The findings, gravest first, else in order."""
    return sorted(findings, key=lambda finding: finding.severity.rank)


def region(finding: ReviewFinding) -> dict[str, int]:
    """Where a finding's quote starts and ends: lines and columns from 1, in characters; the end column is exclusive."""
    endings = list(_LINE_ENDING.finditer(finding.quote))
    last = len(finding.quote) - endings[-1].end() + 1 if endings else finding.column + len(finding.quote)
    return {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.line + len(endings),
        "endColumn": last,
    }
