"""What the edit guard lets pass."""

from __future__ import annotations

import pytest
from cg_review.guard import allows
from cg_review.markers import load_markers

MARKERS = load_markers()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Revenue will be $50M by Q4.",
            "Revenue is **projected** to be $50M by Q4 *(unverified projection)*.",
        ),
        ("The feature will reduce churn", "The feature is **expected** to reduce churn"),
        ("The system processes 10,000 rps.", "The system is **designed to** process 10,000 rps."),
        ("It carries 5 t.", "It **may** carry 5 t."),
        ("Shorter prompts improve quality.", "Shorter prompts **may** improve quality."),
        ("Costs 5 €.", "Costs 5 €."),
    ],
)
def test_allowed(before: str, after: str) -> None:
    assert allows(before, after, MARKERS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Revenue will be $50M.", "Revenue is projected to be $5M."),
        ("Revenue will be $50M.", "Revenue is projected to be $50M in 2027."),
        ("Revenue will be $50M by Q4.", "Revenue is projected to be $50M."),
        ("Revenue will be $50M.", "Revenue of Acme is projected to be $50M."),
        ("Revenue will be $50M.", "Revenue is not projected to be $50M."),
        ("Night sailing is not allowed.", "Night sailing is allowed."),
        ("A beats B.", "B beats A."),
        ("It saves 1,000 t.", "It saves 1.000 t."),
        ("It is fast.", "It is fast [assuming 5 users]."),
        ("It processes data.", "It producess data."),
    ],
)
def test_refused(before: str, after: str) -> None:
    assert not allows(before, after, MARKERS)
