"""Claims of what isn't there, found by what another sentence says of it in words that no rule knows."""

from __future__ import annotations

from datetime import date

import pytest
from cg_review.parse import parse
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer

TODAY = date(2026, 11, 30)
CLAIM = "Our drone finds a person by warmth, even at night."
TAKES_BACK = "We're saving for the drone; the tin holds £212 of the £4,900 on the dealer's offer."
BETWEEN = "The hut on the ridge is manned on Sundays (rota of 2026).\n\n" * 4


def told(text: str) -> list[tuple[str, str]]:
    """Claims of point 7, each with what shows that it isn't so."""
    document = parse(text)
    result = EmbeddedReviewer().ask(7, document, TODAY)
    assert isinstance(result, Found)
    return [
        (document.segment(f.segment).plain, document.segment(f.related[0].segment).plain)
        for f in result.findings
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"# Rescue\n\n{CLAIM}\n\n{BETWEEN}{TAKES_BACK}\n",
        f"# Rescue\n\n{TAKES_BACK}\n\n{BETWEEN}## Equipment\n\n- {CLAIM}\n",
    ],
    ids=["after it", "before it, in a list"],
)
def test_a_claim_is_found_by_the_sentence_that_takes_it_back(text: str) -> None:
    assert told(text) == [(CLAIM, TAKES_BACK)]


@pytest.mark.parametrize(
    "text",
    [
        f"# Rescue\n\n{CLAIM}\n\n{BETWEEN}",
        f"# Rescue\n\n{CLAIM}\n\n{BETWEEN}{TAKES_BACK.replace('the drone', 'the boat')}\n",
        f"# Rescue\n\nOnce it is paid for, the drone will find a person by warmth.\n\n{BETWEEN}{TAKES_BACK}\n",
    ],
    ids=["nothing takes it back", "another thing is missing", "told as to come"],
)
def test_what_nothing_takes_back_is_no_claim_of_point_7(text: str) -> None:
    assert told(text) == []
