"""Points passed, sign-off, statuses, verdict: FORMAT 12.7 to 12.9, 12.18."""

from __future__ import annotations

import pytest
from cg_review.cgd.hashing import body_hash
from cg_review.state import format_points, parse_points
from drafting import body, draft, field, raw


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8, 9), "1-9"),
        ((1, 2, 3, 4, 7), "1-4,7"),
        ((2, 9), "2,9"),
        ((5,), "5"),
        ((1, 2, 4, 5), "1-2,4-5"),
        ((), ""),
    ],
)
def test_points_passed_as_text(points: tuple[int, ...], text: str) -> None:
    assert format_points(points) == text
    if text:
        assert parse_points(text) == points


@pytest.mark.parametrize("text", ["0", "10", "", "4-1", "1;2", "a", "1-", "1,,2"])
def test_what_is_no_list_of_points(text: str) -> None:
    with pytest.raises(ValueError, match="points"):
        parse_points(text)


def test_nothing_found_still_waits_for_a_person() -> None:
    text = "# Plan\n\nNothing to see.\n"
    result = draft(text)
    (claim,) = result.claims
    assert (claim.text, claim.location, claim.round, claim.line) == (
        "No unmarked claim was found in this document",
        "root/1",
        "B",
        None,
    )
    assert claim.value == body_hash(text.strip())
    assert (result.points_passed, result.clarity_status, result.hitl_status) == ("1-9", "CLEAR", "PENDING")
    assert result.verdict == "PENDING CONFIRMATION"
    assert field(result.cgd_text, "rag-ingestable") == "false"


@pytest.mark.parametrize("point", [1, 2, 3, 4, 6, 7])
def test_a_marker_settles_its_point(point: int) -> None:
    result = draft("It costs 5 € in March.\n", raw(point, 1))
    assert (result.points_passed, result.clarity_status) == ("1-9", "CLEAR")


@pytest.mark.parametrize("point", [5, 8, 9])
def test_these_stay_open_until_a_person_settles_them(point: int) -> None:
    result = draft("It costs 5 € in March.\n", raw(point, 1))
    assert set(parse_points(result.points_passed)) == set(range(1, 10)) - {point}
    assert (result.clarity_status, result.hitl_status) == ("UNCLEAR", "PENDING")


def test_every_point_of_a_finding_counts() -> None:
    result = draft("Revenue will be $5.\n", raw(2, 1), raw(9, 1))
    assert result.findings[0].points == (2, 9)
    assert result.points_passed == "1-8"


def test_a_failed_pass_is_an_incomplete_review() -> None:
    result = draft("Revenue will be $5.\n", raw(2, 1), failed={7: "timed out after 300 s"})
    assert (result.status, result.verdict, result.points_passed) == ("incomplete", "INCOMPLETE", "1-6,8-9")
    assert len(result.findings) == 1
    assert [p.reason for p in result.passes if p.status == "failed"] == ["timed out after 300 s"]
    assert any(claim.text == "Point 7 was not read in this review" for claim in result.claims)
    assert field(result.cgd_text, "clarity-status") == "UNCLEAR"


def test_points_that_were_not_asked_are_not_passed() -> None:
    result = draft("Fine.\n", points=(1, 2))
    assert result.points_passed == "1-2"
    assert [p.status for p in result.passes] == ["found"] * 2 + ["not asked"] * 7
    assert result.claims[0].text == "Points 3, 4, 5, 6, 7, 8 and 9 were not read in this review"


def test_where_no_point_passes_no_cgd_is_written() -> None:
    result = draft("Fine.\n", raw(9, 1), points=(9,))
    assert result.cgd_text is None
    assert any("none of the nine points passes" in note for note in result.notes)
    assert len(result.findings) == 1


def test_a_silenced_finding_is_listed_in_the_sign_off() -> None:
    text = '<!-- cg-review: ignore 2 reason="agreed with finance" -->\nRevenue will be $5.\n'
    result = draft(text, raw(2, 1))
    assert result.findings[0].suppressed == "agreed with finance"
    assert result.open_findings == ()
    assert "agreed with finance" in result.claims[0].text
    assert body(result.cgd_text) == text.strip()
