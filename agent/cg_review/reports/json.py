"""The JSON that other tools rely on (docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cg_review.reports import Conflicts
from cg_review.results import SCHEMA_VERSION, Review, Tool


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """One JSON document, keys in the documented order, a part a review; the comparison of the documents comes after them."""
    head = {"schema_version": SCHEMA_VERSION, "tool": tool.model_dump(mode="json"), "documents": []}
    yield _text(head).removesuffix("]\n}")
    between = "\n    "
    for review in reviews:
        yield between + _text(review.model_dump(mode="json")).replace("\n", "\n    ")
        between = ",\n    "
    end = "]" if between.startswith("\n") else "\n  ]"
    if conflicts is not None:
        found = [conflict.model_dump(mode="json") for conflict in conflicts()]
        end += ',\n  "across": ' + _text(found).replace("\n", "\n  ")
    yield end + "\n}\n"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
