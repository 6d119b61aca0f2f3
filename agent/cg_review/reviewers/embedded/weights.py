"""Learned weights: how likely a careful reader would flag a sentence, and under which point (`rules/weights.json`).

Two linear models over `features`: one says whether there is a fault, one which of its points it is. They were trained
on documents written for it (`benchmarks/training`) by `benchmarks/train.py`, which also says how well they do.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat, ValidationError

from cg_review import resources
from cg_review.errors import InputError
from cg_review.points import RuleModel
from cg_review.reviewers.embedded.features import Features

NAME = "weights.json"


class Linear(RuleModel):
    """A bias and the weight of each feature; what is not named weighs nothing."""

    bias: FiniteFloat
    weights: dict[str, FiniteFloat]

    def score(self, features: Features) -> float:
        """The sum of what the features weigh."""
        weigh = self.weights.get
        return self.bias + sum(value * weigh(name, 0.0) for name, value in features.items())


class Weights(RuleModel):
    """rules/weights.json."""

    about: str
    fault: Linear
    points: dict[Annotated[int, Field(ge=1, le=9)], Linear] = Field(min_length=1)

    def probability(self, features: Features) -> float:
        """How likely a reader would flag the sentence (0 to 1)."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.fault.score(features)))))

    def leading_point(self, features: Features) -> int:
        """The point that a reader would most likely file it under."""
        return max(self.points, key=lambda point: (self.points[point].score(features), -point))


@lru_cache(maxsize=8)
def load_weights(overlays: tuple[Path, ...] = ()) -> Weights:
    """Load `weights.json`, shipped or overlaid. Raises InputError naming what is wrong."""
    path = resources.find("rules", NAME, overlays)
    try:
        return Weights.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, ValidationError) as error:
        raise InputError(f"{path}: not weights as benchmarks/train.py writes them: {error}") from error
