"""A second review: confirmations survive, changed sentences are new claims, a machine ends nothing."""

from __future__ import annotations

import re
from datetime import date

import pytest
from cg_review import review, validate
from cg_review.annotate import evidence_bracket
from cg_review.api import run_sync
from cg_review.cgd.seal import seal
from cg_review.pipeline import Settings, at_noon, review_document
from drafting import TODAY, body, draft, field, raw, scripted

TEXT = "# Fares\n\nBase fare is $4.\n\nThe night fare is $7.\n"
FINDINGS = (raw(9, 2, kind="PRICING"), raw(9, 3, kind="PRICING"))


def confirmed(cgd: str, *numbers: int) -> str:
    """Confirm claims of a CGD by hand, as a person with an editor would."""
    for number in numbers:
        claim = cgd.split("  - id: ")[number]
        cgd = cgd.replace(
            claim,
            claim.replace(
                "    round: B\n",
                "    round: B\n    confirmed-by: Maria Lund\n    confirmed-date: 2026-11-29\n",
            ),
        )
    pending = len(re.findall(r"^  - id: ", cgd, re.M)) - len(numbers)
    return seal(cgd.replace("hitl-pending-count: 2", f"hitl-pending-count: {pending}"))


def again(cgd: str, *findings: object, name: str = "fares.cgd.md") -> object:
    return review(cgd, name=name, today=date(2026, 12, 5), reviewer=scripted(*(findings or FINDINGS)))  # type: ignore[arg-type]


@pytest.fixture
def half_confirmed() -> str:
    return confirmed(draft(TEXT, *FINDINGS, name="fares.md").cgd_text or "", 1)


def test_a_confirmed_claim_keeps_id_and_confirmation(half_confirmed: str) -> None:
    result = again(half_confirmed)
    assert [claim.status for claim in result.claims] == ["verified", "pending"]
    assert "| 1 | Base fare is $4. | ✓ Confirmed | Maria Lund | 2026-11-29 |" in (result.cgd_text or "")
    assert again(result.cgd_text or "").unchanged


def test_an_edit_of_the_body_reopens_what_it_changed(half_confirmed: str) -> None:
    head, _, rest = half_confirmed.partition("\n# Fares")
    edited = head + "\n# Fares" + rest.replace("Base fare is $4 ", "Base fare is $5 ", 1)
    result = again(edited)
    base = next(claim for claim in result.claims if claim.text.startswith("Base fare"))
    assert (base.text, base.status) == ("Base fare is $5.", "pending")
    assert "$4" not in str(field(result.cgd_text, "hitl-claims"))


def test_an_insertion_before_does_not_move_a_confirmation(half_confirmed: str) -> None:
    edited = half_confirmed.replace("# Fares\n", "# Fares\n\nThe group fare is $3.\n", 1)
    result = again(edited, raw(9, 2), raw(9, 3, kind="PRICING"), raw(9, 4, kind="PRICING"))
    assert [(claim.text, claim.status) for claim in result.claims] == [
        ("The group fare is $3.", "pending"),
        ("Base fare is $4.", "verified"),
        ("The night fare is $7.", "pending"),
    ]
    assert len({claim.location for claim in result.claims}) == 3
    assert result.cgd_text is not None
    twice = again(result.cgd_text, raw(9, 2), raw(9, 3, kind="PRICING"), raw(9, 4, kind="PRICING"))
    assert twice.unchanged


def test_of_two_equal_sentences_one_goes_and_no_confirmation_moves() -> None:
    text = "# Fares\n\nIt is $4.\n\nIt is $4.\n"
    cgd = confirmed(draft(text, raw(9, 2), raw(9, 3), name="fares.md").cgd_text or "", 1)
    body_start = cgd.index("\n# Fares")
    edited = cgd[:body_start] + cgd[body_start:].replace("It is $4 *(unverified: external fact)*.\n\n", "", 1)
    result = again(edited, raw(9, 2))
    assert [(claim.text, claim.status) for claim in result.claims] == [("It is $4.", "pending")]


def reviewed() -> str:
    cgd = draft(TEXT, *FINDINGS, name="fares.md").cgd_text or ""
    cgd = confirmed(cgd, 1, 2)
    for old, new in (
        ("clarity-status: UNCLEAR", "clarity-status: CLEAR"),
        ("hitl-status: PENDING", "hitl-status: REVIEWED"),
        ("points-passed: 1-8", "points-passed: 1-9"),
        ("rag-ingestable: false", "rag-ingestable: true"),
        ("Clarity Gate: UNCLEAR | PENDING", "Clarity Gate: CLEAR | REVIEWED"),
        ("⏳ Pending | — | —", "✓ Confirmed | Maria Lund | 2026-11-29"),
    ):
        assert old in cgd
        cgd = cgd.replace(old, new)
    return seal(cgd)


def test_a_reviewed_document_stays_reviewed() -> None:
    cgd = reviewed()
    assert validate(cgd, now=at_noon(TODAY)).rag_ingestable
    result = again(cgd)
    assert (result.unchanged, result.verdict, result.hitl_status) == (True, "PASS", "REVIEWED")


def test_a_reviewed_document_that_was_changed_is_pending_again() -> None:
    cgd = reviewed()
    tampered = cgd[: cgd.index("\n# Fares")] + cgd[cgd.index("\n# Fares") :].replace(
        "night fare", "day fare", 1
    )
    result = again(tampered)
    assert result.hitl_status == "PENDING"
    assert any("changed after it was reviewed" in claim.text for claim in result.claims)
    assert not validate(result.cgd_text or "", now=at_noon(date(2026, 12, 5))).rag_ingestable


def test_a_machine_ends_no_review() -> None:
    """The last open claim's sentence is deleted: what remains is confirmed, and still nobody has ended it."""
    cgd = confirmed(draft(TEXT, *FINDINGS, name="fares.md").cgd_text or "", 1)
    start = cgd.index("\n# Fares")
    edited = cgd[:start] + cgd[start:].replace("The night fare is $7 *(unverified: pricing)*.\n", "", 1)
    result = again(edited, FINDINGS[0])
    assert result.hitl_status == "PENDING"
    assert [claim.status for claim in result.claims] == ["verified", "pending"]


def test_a_claim_of_another_reviewer_stands_while_its_sentence_does(half_confirmed: str) -> None:
    result = review(half_confirmed, name="fares.cgd.md", today=date(2026, 12, 5), reviewer=scripted())
    assert [(claim.text, claim.status) for claim in result.claims] == [
        ("Base fare is $4.", "verified"),
        ("The night fare is $7.", "pending"),
    ]


def test_a_changed_source_takes_over_what_was_confirmed_in_its_cgd(half_confirmed: str) -> None:
    evidence = half_confirmed.replace(
        'source: "the vendor', 'source: "Tariff list 2026, page 3; not the vendor', 1
    )
    settings = Settings(now=at_noon(date(2026, 12, 5)), reviewer=scripted(*FINDINGS, raw(1, 4)))
    source = TEXT + "\nOur boats are the best.\n"
    result = run_sync(review_document(source.encode(), "fares.md", settings, seal(evidence).encode()))
    assert [claim.status for claim in result.claims] == ["verified", "pending", "pending"]
    assert f"Base fare is $4 {evidence_bracket(result.claims[0].source)}." in body(result.cgd_text)
    assert "The night fare is $7 *(unverified: pricing)*." in body(result.cgd_text)
    twice = again(result.cgd_text or "", *FINDINGS, raw(1, 4))
    assert twice.unchanged


def test_an_unchanged_source_is_reviewed_as_its_cgd(half_confirmed: str) -> None:
    noted = half_confirmed.replace("hitl-claims:", "team: Harbour  # ours\nhitl-claims:", 1)
    settings = Settings(now=at_noon(date(2026, 12, 5)), reviewer=scripted(*FINDINGS))
    result = run_sync(review_document(TEXT.encode(), "fares.md", settings, seal(noted).encode()))
    assert "team: Harbour  # ours\n" in (result.cgd_text or "")
    assert [TEXT[finding.start : finding.end] for finding in result.findings] == [
        "Base fare is $4.",
        "The night fare is $7.",
    ]
