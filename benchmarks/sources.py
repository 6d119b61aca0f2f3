"""What weights are learned from, told apart by its hash: those of other rules or documents are out of date."""

from __future__ import annotations

import hashlib
from pathlib import Path


def hash_of_sources(root: Path) -> str:
    """SHA-256 over names and bytes of the rules and the training documents below the project's root."""
    files = [
        *(root / "rules" / "points").glob("*.yaml"),
        root / "rules" / "traits.yaml",
        *(root / "benchmarks" / "training").rglob("*.md"),
    ]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
