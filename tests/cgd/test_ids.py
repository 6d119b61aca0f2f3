from __future__ import annotations

import pytest
from cg_review.cgd.ids import CLAIM_ID, HASH_CLAIM_ID, VECTORS, Slugger, claim_id, slugify
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(("text", "location", "expected"), VECTORS)
def test_vectors(text: str, location: str, expected: str) -> None:
    assert claim_id(text, location) == expected
    assert claim_id(f"  {text.replace(' ', chr(10))} ", f" {location} ") == expected
    assert claim_id(text, location, 12).startswith(expected)


def test_length_is_bounded() -> None:
    with pytest.raises(ValueError, match="8 to 64"):
        claim_id("a", "b/1", 7)


@given(st.text(), st.text())
def test_every_id_has_the_formats_form(text: str, location: str) -> None:
    assert HASH_CLAIM_ID.fullmatch(claim_id(text, location))
    assert CLAIM_ID.fullmatch(claim_id(text, location))


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("API & Pricing (v2.0)", "api-pricing-v20"),
        ("  Über  Größe ", "ber-gre"),
        ("日本語", ""),
        ("--a -- b--", "a-b"),
        ("A_b*c*", "abc"),
    ],
)
def test_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_slugs_of_a_document_are_distinct() -> None:
    slugger = Slugger()
    titles = ["Pricing", "Pricing 2", "Pricing", "日本語", "Pricing", "…"]
    assert [slugger.slug(title) for title in titles] == [
        "pricing",
        "pricing-2",
        "pricing-3",
        "section-4",
        "pricing-4",
        "section-6",
    ]


@given(st.lists(st.sampled_from(["a", "a 2", "a-2", "A", "", "section 3", "b"]), max_size=30))
def test_slugs_never_repeat(titles: list[str]) -> None:
    slugger = Slugger()
    slugs = [slugger.slug(title) for title in titles]
    assert len(set(slugs)) == len(slugs)
