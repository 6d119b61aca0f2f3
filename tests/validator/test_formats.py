from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from cg_review.validator import validate
from cg_review.validator.formats import as_github, as_json, as_text, worst_first
from cg_review.validator.report import Fault, ValidationReport
from cg_review.validator.sarif import MAX_RESULTS, as_sarif

HERE = Path(__file__).parent
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCHEMA = json.loads((HERE / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reports() -> list[ValidationReport]:
    documents = sorted((HERE / "cases").rglob("*.cgd.md"))
    return [
        validate(document, now=NOW, profile="rfc004", path=document.relative_to(HERE).as_posix())
        for document in documents
    ]


def test_sarif_of_every_case_fits_the_published_schema(reports: list[ValidationReport]) -> None:
    log = json.loads(as_sarif(reports))
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert all(rule["help"]["text"] and rule["fullDescription"]["text"] for rule in rules)
    levels = [result["level"] for result in run["results"]]
    assert levels == sorted(levels)
    fingerprints = [result["partialFingerprints"]["cgReviewFault/v1"] for result in run["results"]]
    assert len(set(fingerprints)) == len(fingerprints)


def test_sarif_of_nothing_fits_too() -> None:
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(json.loads(as_sarif([])))


def test_fingerprints_survive_edits_elsewhere() -> None:
    def fingerprint(text: str) -> list[str]:
        (run,) = json.loads(as_sarif([validate(text, now=NOW, path="a b/ö.cgd.md")]))["runs"]
        assert (
            run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            == "a%20b/%C3%B6.cgd.md"
        )
        return [result["partialFingerprints"]["cgReviewFault/v1"] for result in run["results"]]

    text = "---\nclarity-status: CLEAR\nclarity-status: CLEAR\n---\nbody\n"
    moved = text.replace("---\n", "---\n# a comment\n", 1)
    assert fingerprint(text) == fingerprint(moved)
    assert fingerprint(text) != fingerprint(text.replace("clarity-status", "hitl-status"))


def test_sarif_keeps_the_worst_within_githubs_limit() -> None:
    warnings = [Fault("W-FM11", "warning", f"key {'x' * n}", n + 1, 1) for n in range(MAX_RESULTS)]
    report = ValidationReport(
        "a.cgd.md", False, False, (*warnings, Fault("E-ST06", "error", "no end marker", 9000, 1))
    )
    (run,) = json.loads(as_sarif([report]))["runs"]
    assert len(run["results"]) == MAX_RESULTS
    assert run["results"][0]["ruleId"] == "E-ST06"
    assert run["properties"]["resultsLeftOut"] == 1


def test_github_commands_are_escaped_and_errors_come_first() -> None:
    faults = (
        Fault("W-HC02", "warning", "50% vague\nsource", 3, 5),
        Fault("E-ST05", "error", "a, b: c", 7, 1),
    )
    report = ValidationReport("docs/a,b:c.cgd.md", False, False, faults)
    assert as_github([report]) == (
        "::error file=docs/a%2Cb%3Ac.cgd.md,line=7,col=1,title=E-ST05 points-passed is not a list of points::a, b: c\n"
        "::warning file=docs/a%2Cb%3Ac.cgd.md,line=3,col=5,title=W-HC02 Vague source::50%25 vague%0Asource\n"
    )
    assert [fault.code for _, fault in worst_first([report])] == ["E-ST05", "W-HC02"]


def test_text_and_json() -> None:
    report = ValidationReport("a.cgd.md", True, False, (Fault("W-HC02", "warning", "vague", 3, 5),))
    assert as_text(report) == "a.cgd.md:3:5: warning W-HC02 vague\n"
    assert as_text(ValidationReport("a.cgd.md", True, True, ())) == "a.cgd.md: valid, ingestable\n"
    assert json.loads(as_json([report])) == {
        "schema_version": 1,
        "documents": [
            {
                "path": "a.cgd.md",
                "valid": True,
                "rag_ingestable": False,
                "faults": [
                    {"code": "W-HC02", "severity": "warning", "message": "vague", "line": 3, "column": 5}
                ],
            }
        ],
    }
