"""Findings as SARIF: a rule a point, the author's own silence as suppressions, what could not be read as notifications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cg_review import sarif
from cg_review.points import Point
from cg_review.reports import Conflicts
from cg_review.reports.places import FIXES, LEVELS, disagreement, message, points_by_id, region, table_told
from cg_review.results import Conflict, ConflictPlace, Related, Review, ReviewFinding, Tool

_Ranked = tuple[int, int, dict[str, Any]]  # severity's rank, order, result


_ACROSS: dict[str, Any] = {
    "id": "CGX",
    "name": "DocumentsDisagree",
    "shortDescription": {"text": "Documents disagree"},
    "fullDescription": {"text": "Do the documents of this folder tell the same thing with the same value?"},
    "help": {"text": "Find out which value is right, and tell it once, or the same everywhere."},
    "defaultConfiguration": {"level": "error"},
    "properties": {"tags": ["clarity-gate", "across"]},
}


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """One run over all documents, the gravest findings first."""
    points = points_by_id()
    kept: list[_Ranked] = []
    count = 0
    problems: list[dict[str, Any]] = []
    for review in reviews:
        for finding in review.findings:
            count += 1
            kept.append((finding.severity.rank, count, _result(review.path, finding)))
        if len(kept) > 2 * sarif.MAX_RESULTS:
            kept = _worst(kept)
        problems += _problems(review)
    for conflict in conflicts() if conflicts else ():
        count += 1
        kept.append((0, count, _conflict(conflict)))
    kept = _worst(kept)
    run: dict[str, Any] = {"executionSuccessful": not problems}
    if problems:
        run["toolExecutionNotifications"] = problems[: sarif.MAX_RESULTS]
    rules = [*(_rule(point) for point in points.values()), *([_ACROSS] if conflicts else [])]
    yield sarif.log(rules, [result for _, _, result in kept], count - len(kept), run)


def _worst(ranked: list[_Ranked]) -> list[_Ranked]:
    return sorted(ranked, key=lambda one: one[:2])[: sarif.MAX_RESULTS]


def _rule(point: Point) -> dict[str, Any]:
    fails, passes = (
        "\n".join(f"- {one.text}" for one in examples) for examples in (point.fails, point.passes)
    )
    return {
        "id": f"CG{point.id}",
        "name": "".join(word.title() for word in point.slug.split("-")),
        "shortDescription": {"text": point.title},
        "fullDescription": {"text": point.question},
        "help": {
            "text": f"{point.fix}\n\nFails:\n{fails}\n\nPasses:\n{passes}",
            "markdown": f"{point.fix}\n\n**Fails**\n\n{fails}\n\n**Passes**\n\n{passes}",
        },
        "defaultConfiguration": {"level": LEVELS[point.severity]},
        "properties": {"tags": ["clarity-gate", point.group]},
    }


def _result(path: str, finding: ReviewFinding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": f"CG{finding.points[0]}",
        "ruleIndex": finding.points[0] - 1,
        "level": LEVELS[finding.severity],
        "message": {"text": message(finding)},
        "locations": [sarif.location(path, region(finding))],
        "partialFingerprints": {"cgReviewFinding/v1": sarif.fingerprint(sarif.uri(path), finding.id)},
        "properties": {"points": list(finding.points), "severity": finding.severity.value},
    }
    if finding.related:
        result["relatedLocations"] = [_other_side(path, place) for place in finding.related]
    if finding.fix_place == "instead":
        result["fixes"] = [_fix(path, finding)]
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.suppressed}]
    return result


def _fix(path: str, finding: ReviewFinding) -> dict[str, Any]:
    """The text to paste as a replacement that an editor can make."""
    replacement = {"deletedRegion": region(finding), "insertedContent": {"text": finding.fix}}
    change = {"artifactLocation": {"uri": sarif.uri(path)}, "replacements": [replacement]}
    return {"description": {"text": FIXES["instead"]}, "artifactChanges": [change]}


def _conflict(conflict: Conflict) -> dict[str, Any]:
    """A result at the first place, with the others as its related locations."""
    first = conflict.places[0]
    told = sorted({(sarif.uri(one.path), one.value) for one in conflict.places})
    return {
        "ruleId": _ACROSS["id"],
        "ruleIndex": len(points_by_id()),
        "level": "error",
        "message": {"text": disagreement(conflict, first)},
        "locations": [sarif.location(first.path, {"startLine": first.line, "startColumn": first.column})],
        "relatedLocations": [_other_side(one.path, one) for one in conflict.places[1:]],
        "partialFingerprints": {"cgReviewConflict/v1": sarif.fingerprint(conflict.subject, *told)},
        "properties": {"severity": "CRITICAL"},
    }


def _other_side(path: str, place: Related | ConflictPlace) -> dict[str, Any]:
    place_in_file = sarif.location(path, {"startLine": place.line, "startColumn": place.column})
    return {**place_in_file, "message": {"text": table_told(place) or place.quote}}


def _problems(review: Review) -> Iterator[dict[str, Any]]:
    if review.status != "complete":
        text = "; ".join(review.notes) or review.status
        artifact = {"physicalLocation": {"artifactLocation": {"uri": sarif.uri(review.path)}}}
        yield {"level": "error", "message": {"text": f"{review.status}: {text}"}, "locations": [artifact]}
