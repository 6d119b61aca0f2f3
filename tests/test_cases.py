"""Inputs that made tools of this kind fail, end to end through the embedded reviewer and the draft."""

from __future__ import annotations

import unicodedata

import pytest
from cg_review import review
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.layout import take_apart
from cg_review.results import Review
from drafting import TODAY, body, draft, field, raw


def embedded(text: str) -> Review:
    return review(text, name="plan.md", today=TODAY)


def points_of(result: Review, words: str) -> set[int]:
    return {point for finding in result.findings if words in finding.quote for point in finding.points}


def test_dates_words_and_numbers_of_a_frontmatter_stay_what_they_are() -> None:
    text = "---\nupdated: 2026-11-10 # why\nkeep: Yes\ncount: 1_000\nlist: [a,  b]\n---\n# T\n\nFine.\n"
    cgd = embedded(text).cgd_text or ""
    kept = cgd.partition("hitl-claims:")[2]
    assert "updated: 2026-11-10 # why\nkeep: Yes\ncount: 1_000\nlist: [a,  b]\n---\n" in kept


@pytest.mark.parametrize(
    ("frontmatter", "why"),
    [
        ("a: &x 1\nb: *x\n", "anchors"),
        ("processed-by: me\n", "our key"),
        (": [\nkey: x\n", "not YAML"),
        ("- a\n- b: c\n", "a list"),
    ],
)
def test_a_frontmatter_that_cannot_stand_among_ours_is_kept_as_a_block(frontmatter: str, why: str) -> None:
    cgd = draft(f"---\n{frontmatter}---\n# T\n\nFine.\n").cgd_text
    assert str(field(cgd, "source-frontmatter")).rstrip("\n") == frontmatter.rstrip("\n")


def test_our_hash_line_in_a_sources_frontmatter_cannot_be_smuggled() -> None:
    cgd = draft("---\ndocument-sha256: abc\n---\n# T\n\nFine.\n").cgd_text or ""
    assert field(cgd, "source-frontmatter") == "document-sha256: abc\n"
    assert stored_hash(cgd) == document_hash(cgd)


def test_rules_are_not_frontmatter() -> None:
    text = "---\n\nThe ferry will arrive by 07:40.\n\n---\n\nMore.\n\n---\n\nEnd.\n"
    result = embedded(text)
    assert 2 in points_of(result, "The ferry will arrive")
    assert body(result.cgd_text).count("\n---\n") + body(result.cgd_text).startswith("---\n") == 3


def test_code_is_not_reviewed_and_not_touched() -> None:
    text = "# T\n\n````\n```python\nRevenue will be $9M\n```\n````\n\nThe pump achieves 40 % savings.\n"
    result = embedded(text)
    assert not points_of(result, "Revenue")
    (finding,) = [f for f in result.findings if "pump" in f.quote]
    assert finding.line == 9
    assert "````\n```python\nRevenue will be $9M\n```\n````" in body(result.cgd_text)


def test_where_the_two_fence_rules_differ_the_review_says_so() -> None:
    assert not any("disagree" in note for note in embedded("```\na\n```\n\n> ```\n> b\n> ```\n").notes)
    # in a list item the fence is indented by four: CommonMark opens it, the format's line rule does not
    result = embedded("1.  item\n\n    ```\n    will be $9M\n    ```\n\nEnd.\n")
    assert ["line 3" in note for note in result.notes if "disagree" in note] == [True]


def test_the_marker_of_a_cell_goes_into_its_cell() -> None:
    text = "| Flag | Share | Year |\n|---|---|---|\n| Flag `a|b` | 89 % | 2026 |\n"
    result = draft(text, raw(9, 2, "89 %", kind="STATISTIC"))
    assert body(result.cgd_text).splitlines()[2] == "| Flag `a|b` | 89 % *(unverified: statistic)* | 2026 |"
    assert result.claims[0].value == "89 %"


def test_a_comment_is_not_text() -> None:
    result = embedded("# T\n\n<!-- ## Verified Claims -->\n\n**Uptime is 100 %** <!-- todo: ask Maria -->\n")
    assert points_of(result, "Uptime")
    assert not any("todo" in claim.text for claim in result.claims)
    assert "<!-- todo: ask Maria -->" in body(result.cgd_text)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_endings_stay_and_the_hash_does_not_see_them(newline: str) -> None:
    text = "# T\n\nRevenue will be $9M.\n"
    one, other = embedded(text).cgd_text or "", embedded(text.replace("\n", newline)).cgd_text or ""
    assert other == one.replace("\n", newline)
    assert stored_hash(one) == stored_hash(other)


def test_a_byte_order_mark_stays() -> None:
    cgd = embedded("\ufeff# T\n\nRevenue will be $9M.\n").cgd_text or ""
    assert cgd.startswith("\ufeff---\n")
    assert stored_hash(cgd) == stored_hash(cgd[1:])


def test_decomposed_text_is_found_by_a_composed_quote_and_stays_decomposed() -> None:
    text = unicodedata.normalize("NFD", "# T\n\nThe café will reach 9 %.\n")
    result = draft(text, raw(2, 2, unicodedata.normalize("NFC", "The café will reach 9 %.")))
    assert result.unanchored == ()
    assert unicodedata.normalize("NFD", "café") in body(result.cgd_text)


def test_a_marker_never_falls_into_a_number() -> None:
    result = draft("The new hull saves 33.33 % fuel vs. the old one. It cost £1.6m.\n", raw(1, 1), raw(1, 2))
    assert body(result.cgd_text) == (
        "The new hull saves 33.33 % fuel vs. the old one *(hypothesis, not validated)*."
        " It cost £1.6m *(hypothesis, not validated)*."
    )


def test_equal_amounts_in_two_notations_are_no_conflict() -> None:
    text = "Fuel: 1.355,90 € per trip.\n\n| Item | Cost |\n|---|---|\n| Fuel per trip | 1355.90 EUR |\n"
    assert not any(5 in finding.points for finding in embedded(text).findings)


def test_day_first_is_forced_by_a_sibling() -> None:
    result = embedded("# Changelog\n\n- v1.0 — 25/03/2026\n- v1.1 — 03/04/2026\n- v1.2 — 02/04/2026\n")
    assert any(8 in finding.points for finding in result.findings)
    (lone,) = embedded("The board met on 03/04/2026.\n").findings
    assert lone.points == (8,)
    assert "ambiguous" in lone.reason


def test_opposites_are_two_claims_and_one_conflict() -> None:
    result = embedded("# Rules\n\nNight sailing is allowed.\n\n## Safety\n\nNight sailing is not allowed.\n")
    assert any(5 in finding.points for finding in result.findings)
    texts = [claim.text for claim in result.claims]
    assert texts == ["Night sailing is allowed.", "Night sailing is not allowed."]
    assert body(result.cgd_text).count("*(conflicting statements in this document)*") == 2


def test_hedged_and_sourced_text_is_left_alone() -> None:
    text = "Revenue is **projected** to be $50M by Q4 *(estimate, board deck p. 3)*.\n"
    result = embedded(text)
    assert not {1, 2} & points_of(result, "Revenue")
    assert body(result.cgd_text) == text.strip()


def test_the_seeds_example() -> None:
    result = embedded("Revenue will be $50M by Q4.\n")
    assert body(result.cgd_text) == "Revenue is **projected** to be $50M by Q4 *(unverified projection)*."


def test_a_heading_keeps_its_slug() -> None:
    text = "# Revenue will be $9M\n\nText.\n"
    result = draft(text, raw(2, 1))
    assert body(result.cgd_text) == "# Revenue will be $9M\n\n*(unverified projection)*\n\nText."
    assert result.claims[0].location == "revenue-will-be-9m/1"


@pytest.mark.parametrize(
    ("sentence", "annotated"),
    [
        ("Costs will fall by 5 %.", "Costs are **expected** to fall by 5 % *(unverified projection)*."),
        ("We will ship in May.", "We are **expected** to ship in May *(unverified projection)*."),
        ("The tide and the wind will turn.", "The tide and the wind will turn *(unverified projection)*."),
        ("It will not fail.", "It will not fail *(unverified projection)*."),
        ("**It will be 9.**", "**It will be 9.** *(unverified projection)*"),
        ("Churn falls below 2 % by May 2027.", "Churn falls below 2 % by May 2027 *(unverified projection)*."),
        ("It will rise and will fall.", "It will rise and will fall *(unverified projection)*."),
    ],
)  # fmt: skip
def test_rewrites_of_point_2(sentence: str, annotated: str) -> None:
    assert body(draft(sentence + "\n", raw(2, 1)).cgd_text) == annotated


def test_a_rewrite_is_recorded_where_a_marker_alone_is_not() -> None:
    cgd = draft("# A\n\nRevenue will be $5.\n\nChurn falls by May.\n", raw(2, 2), raw(2, 3)).cgd_text
    assert field(cgd, "annotations") == [
        {"location": "a/1", "before": "will be", "after": "is **projected** to be"}
    ]


def test_a_source_with_exclusion_blocks_gets_its_report_first() -> None:
    text = "# A\n\n<!-- CG-EXCLUSION:BEGIN id=old-1 -->\nRevenue will be $5.\n<!-- CG-EXCLUSION:END id=old-1 -->\n\nRevenue will be $6M by 2028.\n"
    result = embedded(text)
    assert [finding.quote for finding in result.findings] == ["Revenue will be $6M by 2028."]
    assert result.cgd_text is None
    assert any("exclusion" in note for note in result.notes)


def test_end_of_the_document() -> None:
    for end in ("", "\n", "\n\n", "\n\n\n", "  \n"):
        text = "# A\n\nFine." + end
        cgd = draft(text).cgd_text or ""
        assert take_apart(cgd).body_text.startswith("\n" + text)
        assert "\n\n## HITL Verification Record\n" in cgd
