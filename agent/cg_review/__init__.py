"""cg-review: find the claims that a language model would mistake for facts, and write a Clarity-Gated Document.

    from cg_review import review, validate
    result = review("Revenue will be $50M by Q4.", name="plan.md")

Names are imported when they are used, so that a validator in a hook stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "review": "cg_review.api",
    "areview": "cg_review.api",
    "review_folder": "cg_review.api",
    "Review": "cg_review.results",
    "Settings": "cg_review.pipeline",
    "FakeReviewer": "cg_review.reviewers",
    "validate": "cg_review.validator",
    "check": "cg_review.validator",
    "ValidationReport": "cg_review.validator",
    "CgReviewError": "cg_review.errors",
}

__all__ = ["__version__", *_WHERE]

if TYPE_CHECKING:
    from cg_review.api import areview as areview
    from cg_review.api import review as review
    from cg_review.api import review_folder as review_folder
    from cg_review.errors import CgReviewError as CgReviewError
    from cg_review.pipeline import Settings as Settings
    from cg_review.results import Review as Review
    from cg_review.reviewers import FakeReviewer as FakeReviewer
    from cg_review.validator import ValidationReport as ValidationReport
    from cg_review.validator import check as check
    from cg_review.validator import validate as validate


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'cg_review' has no attribute {name!r}")
