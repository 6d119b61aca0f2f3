"""Reports as SARIF 2.1.0, for code-scanning services."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from cg_review.validator.codes import Code, load_codes
from cg_review.validator.explain import meaning
from cg_review.validator.formats import worst_first
from cg_review.validator.report import Fault, ValidationReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# GitHub takes 25,000 results a run and shows 5,000, so the worst come first and the rest is counted.
MAX_RESULTS = 5_000


def as_sarif(reports: Iterable[ValidationReport]) -> str:
    """Return reports as one SARIF run, errors first."""
    every = worst_first(list(reports))
    kept = every[:MAX_RESULTS]
    rules = list(dict.fromkeys(fault.code for _, fault in kept))
    seen: Counter[str] = Counter()
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "cg-review",
                "semanticVersion": _version(),
                "rules": [_rule(load_codes()[code]) for code in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(path, fault, rules.index(fault.code), seen) for path, fault in kept],
    }
    if len(kept) < len(every):
        run["properties"] = {"resultsLeftOut": len(every) - len(kept)}
    return (
        json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)
        + "\n"
    )


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "name": re.sub(r"\W+", "", code.title.title()),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": meaning(code.code) or code.title},
        "help": {"text": f"{code.advice} (Clarity Gate format 2.1, section {code.spec})"},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(path: str, fault: Fault, rule: int, seen: Counter[str]) -> dict[str, Any]:
    return {
        "ruleId": fault.code,
        "ruleIndex": rule,
        "level": fault.severity,
        "message": {"text": fault.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(path)},
                    "region": {"startLine": fault.line, "startColumn": fault.column},
                }
            }
        ],
        "partialFingerprints": {"cgReviewFault/v1": _fingerprint(path, fault, seen)},
    }


def _fingerprint(path: str, fault: Fault, seen: Counter[str]) -> str:
    """A hash that survives edits elsewhere in the file: numbers in messages are lines and counts, which move."""
    identity = f"{_uri(path)}|{fault.code}|{re.sub(r'[0-9]+', '#', fault.message)}"
    seen[identity] += 1
    return hashlib.sha256(f"{identity}|{seen[identity]}".encode()).hexdigest()[:32]


def _uri(path: str) -> str:
    name = PurePath(path)
    return name.as_uri() if name.is_absolute() else quote(name.as_posix())


def _version() -> str:
    try:
        return version("cg-review")
    except PackageNotFoundError:  # read in place from a checkout
        return "0.0.0"
