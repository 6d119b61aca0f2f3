"""SARIF 2.1.0, the format of code-scanning services: what all our reports in it share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# GitHub takes 25,000 results a run and shows 5,000, so the worst come first and the rest is counted.
MAX_RESULTS = 5_000


def log(
    rules: Sequence[dict[str, Any]],
    results: Sequence[dict[str, Any]],
    left_out: int,
    invocation: dict[str, Any] | None = None,
) -> str:
    """One run as text. `left_out` results are only counted; `invocation` says how the run itself went."""
    driver = {"name": "cg-review", "semanticVersion": _version(), "rules": list(rules)}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    if invocation is not None:
        run["invocations"] = [invocation]
    run["results"] = list(results)
    if left_out:
        run["properties"] = {"resultsLeftOut": left_out}
    return (
        json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)
        + "\n"
    )


def location(path: str, region: dict[str, int]) -> dict[str, Any]:
    """A place in a file."""
    return {"physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": region}}


def uri(path: str) -> str:
    """A file's name as SARIF wants it: relative where the path is."""
    name = PurePath(path)
    return name.as_uri() if name.is_absolute() else quote(name.as_posix())


def fingerprint(*parts: object) -> str:
    """A short hash of what identifies a result, from one run to the next."""
    return hashlib.sha256("|".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _version() -> str:
    try:
        return version("cg-review")
    except PackageNotFoundError:  # read in place from a checkout
        return "0.0.0"
