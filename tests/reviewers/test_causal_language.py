"""The traits that tell how a sentence speaks of causes: an effect, a comparison, advice, a guard."""

from __future__ import annotations

from datetime import date

import pytest
from cg_review.parse import parse
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.traits import load_traits

TRAITS = load_traits()
TOLD = {"causal", "compared", "advised", "guarded"}


def traits_of(text: str) -> set[str]:
    [reading] = (analysis := Analysis(parse(text), date(2026, 11, 30), TRAITS)).readings
    return {trait for trait in TOLD if analysis.has(trait, reading)}


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("The new feed reduces losses of lambs.", {"causal"}),
        ("Shade had no effect on the yield.", {"causal"}),
        ("The drought led to smaller apples.", {"causal"}),
        ("Walking after lunch significantly improved sleep.", {"causal"}),
        ("Bird boxes may lower the damage by moths.", {"causal", "guarded"}),
        ("Music could be helpful to tired nurses.", {"causal", "guarded"}),
        ("Yield was higher in fields near the river.", {"compared"}),
        ("Shift work is associated with short sleep.", {"compared"}),
        ("Farms differed by region.", {"compared"}),
        ("Longer trials are needed.", {"advised"}),
        ("Growers should prune in March.", {"advised"}),
        ("The orchard has ninety trees.", set()),
        ("We counted the bees twice a day.", set()),
    ],
)
def test_traits_of_causal_language(text: str, traits: set[str]) -> None:
    assert traits_of(text) == traits
