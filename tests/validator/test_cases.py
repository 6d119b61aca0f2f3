"""The corpus: every document must give exactly the faults beside it, through the API and on the command line."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cg_review.validator import load_codes, validate
from cg_review.validator.checks import CHECKS
from validator.running import run

CASES = Path(__file__).parent / "cases"
DOCUMENTS = sorted(CASES.rglob("*.cgd.md"))


def expected(document: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        document.with_name(document.name.replace(".cgd.md", ".json")).read_text(encoding="utf-8")
    )
    return found


def places(faults: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return sorted((fault["line"], fault["column"], fault["code"]) for fault in faults)


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.name.removesuffix('.cgd.md')}"
)
def test_api(document: Path) -> None:
    case = expected(document)
    report = validate(
        document,
        now=datetime.fromisoformat(case["now"]),
        profile=case["profile"],
        enable=case.get("enable", ()),
    )
    found = report.to_dict()
    assert places(found["faults"]) == places(case["faults"]), report.faults
    assert (found["valid"], found["rag_ingestable"]) == (case["valid"], case["rag_ingestable"])
    assert [fault["severity"] for fault in found["faults"]] == [
        load_codes()[code].severity for code in report.codes
    ]


def test_command_line_says_the_same_of_all_documents() -> None:
    groups: dict[tuple[str, str, tuple[str, ...]], list[Path]] = defaultdict(list)
    for document in DOCUMENTS:
        case = expected(document)
        groups[case["profile"], case["now"], tuple(case.get("enable", ()))].append(document)
    for (profile, now, enable), documents in groups.items():
        options = [
            "--profile",
            profile,
            "--now",
            now,
            *(word for code in enable for word in ("--enable", code)),
        ]
        result = run("validate", *map(str, documents), *options, "--format", "json")
        answered = json.loads(result.stdout)
        assert answered["schema_version"] == 1
        assert [Path(one["path"]) for one in answered["documents"]] == documents
        for document, found in zip(documents, answered["documents"], strict=True):
            case = expected(document)
            assert places(found["faults"]) == places(case["faults"]), document
            assert (found["valid"], found["rag_ingestable"]) == (case["valid"], case["rag_ingestable"]), (
                document
            )
        assert result.returncode == int(any(not expected(document)["valid"] for document in documents))


def test_every_document_code_has_two_invalid_documents_and_a_near_miss() -> None:
    fired = defaultdict(list)
    for document in DOCUMENTS:
        case = expected(document)
        assert case["why"], document
        for code in {fault["code"] for fault in case["faults"]}:
            fired[code].append(document)
    elsewhere = {"E-PL06"}  # a document of more than 10 MiB: test_hostile.py makes it
    assert {code for code in CHECKS if len(fired[code]) < 2} == elsewhere
    near_misses = {
        code for document in (CASES / "valid").glob("*.cgd.md") for code in expected(document)["near"]
    }
    assert set(CHECKS) - near_misses == elsewhere


def test_every_code_has_a_check_or_belongs_to_a_command() -> None:
    for name, code in load_codes().items():
        assert (name in CHECKS) == (code.scope == "document"), name
        assert code.profile in ("base", "rfc002", "rfc004", "style")
        assert set(code.together) <= set(load_codes())
    assert set(CHECKS) <= set(load_codes())


def test_codes_that_appear_together_are_listed_as_pairs() -> None:
    """One place in a document has one code, save for the pairs that rules/codes.yaml names and plain coincidences."""
    for document in DOCUMENTS:
        seen: dict[tuple[int, int], set[str]] = defaultdict(set)
        for fault in expected(document)["faults"]:
            if fault["line"] > 1:
                seen[fault["line"], fault["column"]].add(fault["code"])
        for codes in seen.values():
            for code in codes:
                others = codes - {code}
                known = all(
                    other in load_codes()[code].together or code in load_codes()[other].together
                    for other in others
                )
                assert known or "many-at-once" in document.name, (document, codes)
