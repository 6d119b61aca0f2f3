"""Reports as SARIF 2.1.0, for code-scanning services."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from cg_review.sarif import MAX_RESULTS, fingerprint, location, log, uri
from cg_review.validator.codes import Code, load_codes
from cg_review.validator.explain import meaning
from cg_review.validator.formats import worst_first
from cg_review.validator.report import Fault, ValidationReport

__all__ = ["MAX_RESULTS", "as_sarif"]


def as_sarif(reports: Iterable[ValidationReport]) -> str:
    """Return reports as one SARIF run, errors first."""
    every = worst_first(list(reports))
    kept = every[:MAX_RESULTS]
    rules = list(dict.fromkeys(fault.code for _, fault in kept))
    seen: Counter[str] = Counter()
    results = [_result(path, fault, rules.index(fault.code), seen) for path, fault in kept]
    return log([_rule(load_codes()[code]) for code in rules], results, len(every) - len(kept))


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
        "locations": [location(path, {"startLine": fault.line, "startColumn": fault.column})],
        "partialFingerprints": {"cgReviewFault/v1": _fingerprint(path, fault, seen)},
    }


def _fingerprint(path: str, fault: Fault, seen: Counter[str]) -> str:
    """A hash that survives edits elsewhere in the file: numbers in messages are lines and counts, which move."""
    identity = f"{uri(path)}|{fault.code}|{re.sub(r'[0-9]+', '#', fault.message)}"
    seen[identity] += 1
    return fingerprint(identity, seen[identity])
