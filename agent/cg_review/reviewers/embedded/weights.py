"""Learned weights: how likely a careful reader would flag a sentence, and under which point (`rules/weights.json`).

Linear models over `features`: whether there is a fault, in a document as companies write them for themselves and in a
published one; and which of the points it is. `benchmarks/train.py` trains them and says how well they do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat

from cg_review import resources
from cg_review.reviewers.embedded.features import Features
from cg_review.rule_files import RuleModel, read_json, validated

NAME = "weights.json"
_FEW = 5  # sentences that weigh as much as what is thought of a document before it is read,
_UNKNOWN = 0.12  # which is that of its sentences this many are faulty


class Linear(RuleModel):
    """A bias and the weight of each feature; what is not named weighs nothing."""

    bias: FiniteFloat
    weights: dict[str, FiniteFloat]

    def score(self, features: Features) -> float:
        """The sum of what the features weigh."""
        weigh, total = self.weights.get, 0.0
        for name, value in features.items():
            total += value * weigh(name, 0.0)
        return self.bias + total


class Company(RuleModel):
    """How a sentence is judged by the company it keeps: a document is careful or careless as a whole, so a sentence that
    sounds faulty is likelier so among others that do."""

    bias: FiniteFloat
    own: FiniteFloat
    others: FiniteFloat

    def probabilities(self, scores: Sequence[float]) -> list[float]:
        """The probability of each sentence of a document, of the scores of all."""
        return [
            probability_of(self.bias + self.own * score + self.others * others)
            for score, others in zip(scores, of_others(scores), strict=True)
        ]


def of_others(scores: Sequence[float]) -> list[float]:
    """For each sentence of a document, the logarithm of the mean probability of the others; of few, little is known."""
    alone = [probability_of(score) for score in scores]
    total, count = sum(alone) + _FEW * _UNKNOWN, len(alone) - 1 + _FEW
    return [math.log((total - one) / count) for one in alone]


def probability_of(score: float) -> float:
    """A score as a probability (0 to 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


class Model(RuleModel):
    """How likely a sentence is faulty, by itself and in its document."""

    sentence: Linear
    company: Company

    def probabilities(self, document: Sequence[Features]) -> list[float]:
        """How likely a reader would flag each of the sentences of a document (0 to 1)."""
        return self.company.probabilities([self.sentence.score(features) for features in document])


class Counterparts(RuleModel):
    """What sounds like a claim that another sentence takes back, what like such a sentence, and which belong together
    (`counterparts`)."""

    claim: Linear
    absence: Linear
    pair: Linear


class Weights(RuleModel):
    """rules/weights.json."""

    about: str
    learned_from: str
    """Hash of the rules and documents (`benchmarks/learning.py`)."""
    in_house: Model
    published: Model
    counterparts: Counterparts
    points: dict[Annotated[int, Field(ge=1, le=9)], Linear] = Field(min_length=1)

    def leading_point(self, features: Features) -> int:
        """The point that a reader would most likely file it under."""
        return max(self.points, key=lambda point: (self.points[point].score(features), -point))


@lru_cache(maxsize=8)
def load_weights(overlays: tuple[Path, ...] = ()) -> Weights:
    """Load `weights.json` as benchmarks/train.py writes it, shipped or overlaid. Raises InputError naming what is wrong."""
    path = resources.find("rules", NAME, overlays)
    return validated(Weights, read_json(path), path)
