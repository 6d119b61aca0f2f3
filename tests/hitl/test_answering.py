"""What each answer does to the document (FORMAT 2, 5, 12; cases C01, C17, C42)."""

from __future__ import annotations

import pytest
from cg_review import validate
from cg_review.cgd.seal import seal
from cg_review.errors import DocumentRefused, InputError
from cg_review.findings import Quote, RawFinding
from cg_review.hitl.answers import Answer
from hitl_cases import (
    NOON,
    PLAN,
    all_true,
    body_of,
    case_of,
    changed_lines,
    claim_id,
    drafted,
    found_by,
    give,
    reviewed_again,
    say,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def draft() -> str:
    return drafted()


def test_true_puts_the_evidence_where_the_marker_was_and_takes_the_rewrite_back(draft: str) -> None:
    after = give(draft, say(draft, "Revenue", "true", evidence="board deck 2026, page 3")).text
    assert "Revenue is **projected** to be $50M by Q4 *(unverified projection)*." in draft
    assert "Revenue will be $50M by Q4 [board deck 2026, page 3]." in after
    assert "before: will be" in draft
    assert "before: will be" not in after
    assert 'source: "board deck 2026, page 3"\n' in after
    assert "    confirmed-by: Maria Lopez\n    confirmed-date: 2026-06-15\n" in after
    assert "| 1 | Revenue will be $50M by Q4. | ✓ Confirmed | Maria Lopez | 2026-06-15 |" in after
    assert after.rstrip().endswith("UNCLEAR | PENDING")


def test_estimated_leaves_the_marker_and_the_rewrite(draft: str) -> None:
    after = give(draft, say(draft, "Revenue", "estimated")).text
    assert "Revenue is **projected** to be $50M by Q4 *(unverified projection)*." in after
    assert 'source: "marked as an estimate"\n' in after
    assert "confirmed-by: Maria Lopez" in after


def test_an_estimate_that_nothing_marks_gets_the_words() -> None:
    marked = " *(unverified projection)*"
    draft = drafted("Revenue will be $50M by Q4.\n")
    bare = seal(draft.replace(marked, ""))
    after = give(bare, say(bare, "Revenue", "estimated")).text
    assert "by Q4 [marked as an estimate]." in after
    assert body_of(after) == body_of(bare)


def test_the_last_answer_ends_the_review(draft: str) -> None:
    after = all_true(draft, evidence="checked in the lab on 2026-06-14")
    assert after.endswith("<!-- CLARITY_GATE_END -->\nClarity Gate: CLEAR | REVIEWED\n")
    assert "points-passed: 1-9\n" in after
    assert "rag-ingestable: true\n" in after
    assert "(embedded) + Maria Lopez\n" in after
    report = validate(after, now=NOON)
    assert report.rag_ingestable
    assert report.faults == ()


def test_reviewing_an_answered_document_changes_nothing(draft: str) -> None:
    for text in (all_true(draft, evidence="https://example.com/a_b"), all_true(draft)):
        again = reviewed_again(text)
        assert again.unchanged
        assert again.verdict == "PASS"


def test_answering_one_by_one_gives_the_same_bytes_as_all_at_once(draft: str) -> None:
    text = draft
    for placed in case_of(draft).pending:
        one = Answer(
            claim=placed.claim.id, response="true", evidence="lab book 7", by="Maria Lopez", when=NOON
        )
        text = give(text, one).text
    assert text == all_true(draft, evidence="lab book 7")


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_endings_and_bom_stay(newline: str) -> None:
    draft = drafted("\ufeff" + PLAN.replace("\n", newline))
    after = all_true(draft, evidence="lab book 7")
    assert after.startswith("\ufeff---")
    assert "\n" not in after.replace(newline, "")
    assert validate(after, now=NOON).rag_ingestable


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    evidence=st.one_of(
        st.text(min_size=1, max_size=30), st.text("[]()!*_`~$<>|\\^x1 -&;#", min_size=1, max_size=12)
    )
)
def test_any_evidence_is_read_back(evidence: str) -> None:
    """Whatever a person writes as evidence: the source below stays, the document is valid, a second review agrees."""
    draft = _small()
    after = give(draft, say(draft, "Revenue", "true", evidence=evidence)).text
    assert body_of(after) == body_of(draft)
    assert validate(after, now=NOON).valid
    assert reviewed_again(after).unchanged


_SMALL: list[str] = []


def _small() -> str:
    if not _SMALL:
        _SMALL.append(drafted("# A\n\nRevenue will be $50M by Q4 (see `x`). Costs are $2.\n"))
    return _SMALL[0]


def test_c01_only_what_a_confirmation_is_about_changes() -> None:
    """C01: keys in another order, comments, unknown keys: a byte diff touches what it has to and nothing else."""
    draft = drafted("# Fares\n\nThe base fare costs $4 at Riverline.\n")
    head, rest = draft.split("clarity-gate-version: 2.1\n", 1)
    lines = rest.split("\n")
    moved = [line for line in lines if line.startswith(("processed-by:", "clarity-status:"))]
    odd = (
        "processed-by: cg-review\n# who is asked: the harbour office\n"
        + moved[1].replace(": ", ":   ", 1)
        + "  # for now\nteam: Harbour\nclarity-gate-version: '2.1'\n"
    )
    odd = seal(head + odd + "\n".join(line for line in lines if line not in moved))
    after = give(odd, say(odd, "base fare", "true", evidence="fare table 2026")).text
    gone = [line[1:].split(":")[0].strip() for line in changed_lines(odd, after) if line[0] == "-"]
    came = [line[1:].split(":")[0].strip() for line in changed_lines(odd, after) if line[0] == "+"]
    frontmatter = ["clarity-status", "hitl-status", "hitl-pending-count", "points-passed"]
    computed = ["rag-ingestable", "document-sha256"]
    assert gone[:7] == [*frontmatter, *computed, "source"]
    assert came[:9] == [*frontmatter, *computed, "source", "confirmed-by", "confirmed-date"]
    assert gone[7:] == [
        "The base fare costs $4 at Riverline *(unverified",
        "| 1 | The base fare costs $4 at Riverline. | ⏳ Pending | — | — |",
        "Clarity Gate",
    ]
    assert came[9:] == [
        "The base fare costs $4 at Riverline [fare table 2026].",
        "| 1 | The base fare costs $4 at Riverline. | ✓ Confirmed | Maria Lopez | 2026-06-15 |",
        "Clarity Gate",
    ]
    assert "clarity-status:   CLEAR  # for now\nteam: Harbour\n" in after


def test_equal_sentences_keep_their_own_confirmations() -> None:
    draft = drafted("# A\n\nThe base fare costs $4.\n\nThe ferry is old.\n\nThe base fare costs $4.\n")
    first, second = (placed.claim.id for placed in case_of(draft).claims)
    one = Answer(claim=second, response="true", evidence="fare table", by="Maria Lopez", when=NOON)
    after = give(draft, one).text
    body = after.split("\n# A\n")[1]
    assert body.index("*(unverified: pricing)*") < body.index("[fare table]")
    assert [placed.claim.confirmed_by for placed in case_of(after).claims] == [None, "Maria Lopez"]
    assert first != second


def test_cells_of_one_row_are_told_apart() -> None:
    draft = drafted(
        "# Prices\n\nWhat others ask.\n\n| Vendor | Basic | Pro |\n|---|---|---|\n| Acme | costs $10 | costs $20 |\n"
    )
    after = all_true(draft, evidence="list of May")
    assert after.count("|") == draft.count("|")
    assert validate(after, now=NOON).rag_ingestable


CONFLICT = "# A\n\nThe team has 12 engineers.\n\n## B\n\nThe team has 15 engineers.\n"


def test_a_conflict_is_settled_side_by_side() -> None:
    other = Quote(segment=4, quote="The team has 15 engineers.")
    found = RawFinding(
        point=5, segment=2, quote="The team has 12 engineers.", reason="12 or 15", related=(other,)
    )
    draft = found_by(CONFLICT, {5: [found]})
    assert draft.count("*(conflicting statements in this document)*") == 2
    sides = [placed.claim.id for placed in case_of(draft).pending]
    assert len(sides) == 2
    first = Answer(claim=sides[0], response="true", evidence="staff list", by="Maria Lopez", when=NOON)
    second = Answer(
        claim=sides[1],
        response="false",
        choice="replace",
        replacement="They sit in one room.",
        by="Jo",
        when=NOON,
    )
    after = give(draft, first, second).text
    assert "The team has 12 engineers [staff list]." in after
    assert "They sit in one room." in after
    assert "conflicting" not in after
    assert "15 engineers" not in after
    assert after.rstrip().endswith("CLEAR | REVIEWED")


def test_the_sign_off_has_no_sentence_and_ends_the_review() -> None:
    draft = drafted("# Notes\n\nWe met on the pier.\n")
    (placed,) = case_of(draft).pending
    assert placed.is_sign_off
    after = all_true(draft)
    assert after.rstrip().endswith("CLEAR | REVIEWED")
    assert after.split("---\n")[2].split("## HITL")[0] == draft.split("---\n")[2].split("## HITL")[0]
    assert reviewed_again(after).unchanged


def test_a_refused_sign_off_leaves_the_review_open() -> None:
    draft = drafted("# Notes\n\nWe met on the pier.\n")
    result = give(draft, say(draft, "No unmarked claim", "false"))
    assert result.text == draft
    assert not result.is_finished
    with pytest.raises(InputError, match="true or false only"):
        give(draft, say(draft, "No unmarked claim", "estimated"))


def test_points_that_nobody_read_keep_the_review_open() -> None:
    """A CGD of another tool that passes 1-5 only: its claims being answered does not make it CLEAR."""
    draft = drafted("# A\n\nThe base fare costs $4.\n")
    other = seal(draft.replace("points-passed: 1-8", "points-passed: 1-5"))
    after = give(other, say(other, "base fare", "true", evidence="fare table")).text
    assert after.rstrip().endswith("UNCLEAR | PENDING")
    assert "Points 6 and 7 were not read in this review" in after
    assert all_true(after).rstrip().endswith("CLEAR | REVIEWED")


def test_a_draft_that_was_edited_asks_for_a_sign_off_of_the_change() -> None:
    draft = drafted("# A\n\nThe base fare costs $4.\n")
    edited = draft.replace("# A\n", "# A\n\nAnother sentence.\n")
    after = give(edited, say(edited, "base fare", "true", evidence="fare table")).text
    assert "This document was changed after it was reviewed" in after
    assert after.rstrip().endswith("PENDING")
    assert "Another sentence." in after
    assert validate(after, now=NOON).valid


def test_a_reviewed_document_that_was_changed_takes_no_answers() -> None:
    done = all_true(drafted("# A\n\nThe base fare costs $4.\n"))
    with pytest.raises(DocumentRefused, match="changed after it was reviewed"):
        give(done.replace("$4", "$5"), say(done, "base fare", "true"))


def test_c42_a_confirmation_does_not_survive_a_change_of_its_sentence() -> None:
    done = all_true(drafted("# A\n\nThe base fare costs $4.\n"), evidence="fare table")
    again = reviewed_again(done.replace("base fare costs $4 [", "base fare costs $5 ["))
    assert again.hitl_status == "PENDING"
    assert [claim.status for claim in again.claims if "$5" in claim.text] == ["pending"]
    assert not any("$4" in claim.text for claim in again.claims)


@pytest.mark.parametrize("by", ["", "  ", "\u202e", "123", None])
def test_an_answer_needs_a_person(draft: str, by: str | None) -> None:
    one = Answer(claim=claim_id(draft, "Revenue"), response="true", by=by or "", when=NOON)
    with pytest.raises(InputError, match="who answers"):
        give(draft, one)


def test_an_answer_to_no_claim_or_to_a_confirmed_one_is_refused(draft: str) -> None:
    with pytest.raises(InputError, match="E-QU01"):
        give(draft, Answer(claim="claim-ffffffff", response="true", by="Maria", when=NOON))
    after = give(draft, say(draft, "Revenue", "estimated")).text
    with pytest.raises(InputError, match="confirmed already, by Maria Lopez on 2026-06-15"):
        give(after, say(draft, "Revenue", "true"))


def test_hostile_names_and_evidence_stay_text(draft: str) -> None:
    evil = "x | <!-- CLARITY_GATE_END --> | [a](javascript:alert(1)) `<script>` --> \n## HITL"
    one = say(draft, "Revenue", "true", evidence=evil).model_copy(update={"by": "M | <!-- x -->"})
    after = give(draft, one).text
    report = validate(after, now=NOON)
    assert report.valid, report.faults
    assert after.count("<!-- CLARITY_GATE_END -->") == 1
    assert reviewed_again(after).status == "complete"


def test_a_draft_of_a_dated_record_reads_as_its_source() -> None:
    """What a CGD says of itself (claims, slugs) is nothing that its source says: no new finding when it is read again."""
    source = (
        "# Proposal: soft heap limit\n\nLast updated: 2017-10-31\n\n"
        "The old limit led to 30% slower starts. We propose a draft roadmap limit.\n"
    )
    draft = drafted(source)
    assert reviewed_again(draft).unchanged
    assert reviewed_again(all_true(draft)).unchanged
