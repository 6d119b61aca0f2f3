"""What weights are learned from, told apart by its hash: those of other rules or documents are out of date."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from cg_review.rule_files import read_rules

PROSE = frozenset(
    {"reason", "fix", "paste", "caption", "why", "about", "title", "question", "does_not_count"}
)
"""Keys of the rules that only readers see; no weight depends on their words."""


def hash_of_sources(root: Path) -> str:
    """SHA-256 over what the rules match and learn from, and over the training documents, below the project's root."""
    rules = [*(root / "rules" / "points").glob("*.yaml"), root / "rules" / "traits.yaml"]
    training = (root / "benchmarks" / "training").rglob("*.md")
    digest = hashlib.sha256()
    for path in sorted([*rules, *training]):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(_learned(path))
    return digest.hexdigest()


def _learned(path: Path) -> bytes:
    if path.suffix == ".md":
        return path.read_bytes()
    return json.dumps(_without_prose(read_rules(path)), ensure_ascii=False).encode()


def _without_prose(rules: Any) -> Any:
    if isinstance(rules, dict):
        kept = {key: value for key, value in rules.items() if key not in PROSE}
        return {key: value if key == "words" else _without_prose(value) for key, value in kept.items()}
    return [_without_prose(one) for one in rules] if isinstance(rules, list) else rules
