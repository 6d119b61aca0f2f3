"""Rules folders for tests."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from cg_review.parse import parse
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer

HOUSE = """extends: 1
patterns:
  - id: zugzwang
    match: '\\bzugzwang\\b|\\b\\L<moods> mood\\b'
    reason: '"{match}" is a mood'
    fix: '… (asked on [date])'
    confidence: 0.61
    fires: [{text: The gate stands in zugzwang.}, {text: We are in a foul mood.}]
    silent: [{text: The gate stands open.}]
words:
  moods: [foul]
"""


def rules(folder: Path, **files: str) -> Path:
    """A rules folder: `house="…"` is points/house.yaml, `traits="…"` traits.yaml."""
    (folder / "points").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        inner = folder if name in {"traits", "markers", "injection"} else folder / "points"
        (inner / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def found(reviewer: EmbeddedReviewer, text: str) -> list[tuple[int, str, float]]:
    """Point, reason and confidence of everything that is found in a text."""
    results = [reviewer.ask(point, parse(text), date(2026, 11, 30)) for point in reviewer.points]
    assert all(isinstance(result, Found) for result in results), results
    return [(one.point, one.reason, one.confidence) for result in results for one in result.findings]
