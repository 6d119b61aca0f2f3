"""The JSON that other tools rely on (docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cg_review.results import Review, Tool, as_json


def render(reviews: Sequence[Review], tool: Tool, color: bool = False) -> str:
    """All reviews as one JSON document, keys in the documented order."""
    return json.dumps(as_json(list(reviews), tool), ensure_ascii=False, indent=2) + "\n"
