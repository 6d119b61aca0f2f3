"""Which findings become claims, in which round, with what to look up."""

from __future__ import annotations

from pathlib import Path

import pytest
from cg_review import review
from cg_review.rounds import single_quantity
from cg_review.sources import read_sources
from drafting import TODAY, draft, raw, scripted


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("Revenue will be $50M by Q4.", "$50M"),
        ("Base price is $99/mo", "$99"),
        ("It saves 33.33 % fuel.", "33.33 %"),
        ("It handles 10,000 requests per second.", "10,000 requests per second"),
        ("It opened on 2026-03-04.", None),
        ("From 500 to 750 users.", None),
        ("Nothing here.", None),
        ("About 40% of users in March 2026 agreed.", "40%"),
    ],
)
def test_a_claim_has_a_value_where_it_has_one_quantity(plain: str, value: str | None) -> None:
    assert single_quantity(plain) == value


@pytest.mark.parametrize(
    ("point", "sentence", "is_claim"),
    [
        (1, "Our engine is best.", True),
        (2, "The feature will follow.", False),
        (2, "The feature will cost $5.", True),
        (2, "The feature will follow in March.", True),
        (2, "Then the feature of Acme will follow.", True),
        (3, "The system scales.", False),
        (3, "The system answers in 50 ms.", True),
        (6, "Shorter prompts improve quality.", False),
        (6, "Shorter prompts improve quality by 5 %.", True),
        (9, "The rival is slow.", True),
    ],
)
def test_what_becomes_a_claim(point: int, sentence: str, is_claim: bool) -> None:
    result = draft(f"{sentence}\n", raw(point, 1))
    assert (result.findings[0].claim is not None) is is_claim
    assert [claim.text for claim in result.claims] == (
        [sentence] if is_claim else ["No unmarked claim was found in this document"]
    )


def test_a_conflict_makes_one_claim_a_side() -> None:
    text = "Night sailing is allowed.\n\nNight sailing is not allowed.\n"
    result = draft(text, raw(5, 1, related=((2, ""),)))
    assert [claim.text for claim in result.claims] == [
        "Night sailing is allowed.",
        "Night sailing is not allowed.",
    ]
    assert len({claim.id for claim in result.claims}) == 2
    assert result.verdict == "BLOCKED"
    both = draft(text, raw(5, 1, related=((2, ""),)), raw(5, 2, related=((1, ""),)))
    assert [claim.id for claim in both.claims] == [claim.id for claim in result.claims]


def test_an_open_referent_keeps_the_sentence_and_goes_to_round_b() -> None:
    result = draft("They doubled it last year.\n", raw(1, 1))
    (claim,) = result.claims
    assert (claim.text, claim.round) == ("They doubled it last year.", "B")
    assert "referent unclear" in claim.why


@pytest.fixture
def price_list(tmp_path: Path) -> Path:
    path = tmp_path / "prices.csv"
    path.write_text("product,price\nthe base plan of Harbour costs,$99\n", encoding="utf-8")
    return path


def test_round_a_needs_a_source_and_a_person(price_list: Path) -> None:
    text = "The base plan of Harbour costs $99.\n"

    def claim(**more: object) -> object:
        result = review(
            text, name="plan.md", today=TODAY, reviewer=scripted(raw(9, 1, kind="PRICING")), **more
        )  # type: ignore[arg-type]
        return result.claims[0]

    attended = claim(sources=[price_list], attended=True)
    where = "prices.csv, line 2: “product: the base plan of Harbour costs; price: $99”"
    assert (attended.round, attended.source) == ("A", where)
    assert "$99" in attended.why
    unattended = claim(sources=[price_list])
    assert (unattended.round, unattended.source) == ("B", f"Compare with {where}")
    assert claim(attended=True).round == "B"


def test_a_source_with_another_value_is_no_evidence(price_list: Path) -> None:
    result = review(
        "The base plan of Harbour costs $89.\n",
        name="plan.md",
        today=TODAY,
        reviewer=scripted(raw(9, 1)),
        sources=[price_list],
        attended=True,
    )
    assert result.claims[0].round == "B"


def test_sources_are_read_in_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "c.exe"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert [source.name for source in read_sources([tmp_path])] == ["a.txt", "b.md"]
