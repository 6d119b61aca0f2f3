"""What a `false` does: held until the last answer, then an exclusion block, other words, or no sentence (FORMAT 12.9)."""

from __future__ import annotations

import pytest
from cg_review import validate
from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.hitl.answering import answer
from cg_review.hitl.answers import Answer
from hitl_cases import NOON, TODAY, all_true, case_of, drafted, found_by, give, reviewed_again, say
from hypothesis import event, given
from hypothesis import strategies as st


def codes(text: str) -> set[str]:
    """What the validator says, but that much is excluded, which is so in small documents."""
    return set(validate(text, now=NOON).codes) - {"W-EC01"}


def finish(draft: str, words: str, **fields: object) -> str:
    """Everything true but the claim with `words`, which is false."""
    others = [
        Answer(claim=p.claim.id, response="true", by="Jo Berg", when=NOON)
        for p in case_of(draft).pending
        if words not in p.claim.text
    ]
    after = give(draft, *others, say(draft, words, "false", **fields)).text
    assert codes(after) == set()
    again = reviewed_again(after)
    assert again.unchanged
    return after


def test_a_false_is_held_while_another_claim_waits() -> None:
    draft = drafted()
    result = give(draft, say(draft, "base plan", "false"))
    assert result.text == draft
    assert [one.claim for one in result.held] == [say(draft, "base plan", "false").claim]
    assert not result.is_finished


def test_the_default_excludes_the_block_and_loses_nothing() -> None:
    draft = drafted()
    after = finish(draft, "base plan", notes="price of last year")
    id_ = say(draft, "base plan", "false").claim
    block = (
        f"<!-- CG-EXCLUSION:BEGIN id={id_} -->\n- The base plan costs $99/mo.\n- Competitor X charges $120/mo.\n"
        f"<!-- CG-EXCLUSION:END id={id_} -->\n"
    )
    assert block in after
    assert "exceptions-reason: price of last year (Maria Lopez)\n" in after
    assert f"exceptions-ids:\n  - {id_}\n" in after
    assert "hitl-status: REVIEWED_WITH_EXCEPTIONS\n" in after
    assert "rag-ingestable: false\n" in after
    assert id_ not in after.split("hitl-claims:")[1].split("\n---\n")[0]
    assert "Competitor X" not in after.split("## HITL")[1]  # its claim stood in the block


def test_a_replacement_stands_instead() -> None:
    after = finish(drafted(), "base plan", choice="replace", replacement="The base plan is monthly.")
    assert "- The base plan is monthly.\n- Competitor X charges $120/mo [confirmed by Jo Berg].\n" in after
    assert "$99" not in after
    assert after.rstrip().endswith("CLEAR | REVIEWED")


def test_a_replacement_takes_its_evidence_with_it() -> None:
    after = finish(
        drafted(),
        "base plan",
        choice="replace",
        replacement="The base plan costs $89/mo.",
        evidence="price list of May 2026",
    )
    assert "- The base plan costs $89/mo [price list of May 2026].\n" in after


def test_a_replacement_is_reviewed_before_it_goes_in() -> None:
    draft = drafted()
    with pytest.raises(InputError, match="the replacement would need a review itself: point 9"):
        give(
            draft,
            say(draft, "base plan", "false", choice="replace", replacement="The base plan costs $89/mo."),
        )


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        ("", "without words"),
        ("# A heading", "plain words"),
        ("```", "plain words"),
        ("- a", "plain words"),
        ("> quoted", "plain words"),
        ("<div>x</div>", "plain words"),
        ("[x]: https://example.com", "plain words"),
    ],
)
def test_a_replacement_cannot_change_the_structure(replacement: str, why: str) -> None:
    draft = drafted("# A\n\nThe base fare costs $4.\n\nThe ferry is old.\n")
    with pytest.raises(InputError, match=why):
        give(draft, say(draft, "base fare", "false", choice="replace", replacement=replacement))


def test_removal_takes_the_sentence_and_no_more() -> None:
    after = finish(drafted(), "Users prefer", choice="remove")
    assert "Revenue will be $50M by Q4 [confirmed by Jo Berg].\nThe system" in after
    after = finish(drafted(), "base plan", choice="remove")
    assert "## Pricing\n\n- Competitor X" in after
    after = finish(drafted(), "The system", choice="remove")
    assert "competitor [confirmed by Jo Berg].\n\n## Pricing" in after


def test_a_claim_of_a_table_can_be_excluded() -> None:
    source = "# A\n\nIt rains.\n\n| Metric | Score |\n|---|---|\n| Speed | 87.3% |\n| Size | 12.5% |\n"
    draft = found_by(source, {4: [RawFinding(point=4, segment=3, reason="no source")]})
    table = [p for p in case_of(draft).pending if p.claim.text == "Metric | Score"]
    assert table
    after = finish(draft, "Metric | Score")
    assert "BEGIN id=" in after
    assert "*(unvalidated data" not in after
    assert "| Size | 12.5% |\n<!-- CG-EXCLUSION:END" in after


def test_every_claim_gone_leaves_no_record() -> None:
    draft = drafted("# A\n\nThe base fare costs $4.\n")
    after = give(draft, say(draft, "base fare", "false")).text
    assert "hitl-claims: []\n" in after
    assert "HITL Verification Record" not in after
    assert codes(after) == set()
    assert reviewed_again(after).verdict == "QUARANTINED"


def test_a_heading_that_is_replaced_takes_its_claims_along() -> None:
    draft = drafted("# We outperform everyone\n\nThe base fare costs $4.\n")
    words = "We outperform everyone"
    assert any(words in p.claim.text for p in case_of(draft).pending)
    after = finish(draft, words, choice="replace", replacement="Fares")
    assert "\n# Fares\n" in after
    assert 'location: "fares/1"' in after


def test_line_endings_stay() -> None:
    draft = drafted("# A\r\n\r\nThe base fare costs $4.\r\n\r\nThe ferry is old.\r\n")
    after = give(draft, say(draft, "base fare", "false")).text
    assert "\n" not in after.replace("\r\n", "")
    assert codes(after) == set()


SENTENCES = ["The base fare costs $4.", "Users prefer our engine.", "It rains.", "Revenue will be $5M by Q4."]
SHAPES = [
    "{}\n",
    "- {}\n",
    "> {}\n",
    "1. {}\n",
    "{} It rains.\n",
    "It rains. {}\n",
    "- a\n  - {}\n",
    "{}\n===\n",
    "*{}*\n",
]


@given(
    st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(SENTENCES)), min_size=1, max_size=4),
    st.data(),
)
def test_any_mix_of_answers_gives_a_valid_document_or_a_reason(
    parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    draft = drafted("# A\n\n" + "\n".join(shape.format(words) for shape, words in parts))
    answers = []
    for placed in case_of(draft).pending:
        response = data.draw(
            st.sampled_from(["true", "false", "estimated"] if not placed.is_sign_off else ["true"])
        )
        choice = data.draw(st.sampled_from(["exclude", "remove", "replace"]))
        answers.append(
            Answer(
                claim=placed.claim.id,
                response=response,
                choice=choice,
                replacement="It snows.",
                by="Jo",
                when=NOON,
            )
        )
    try:
        result = answer(draft, answers, name="plan.cgd.md", today=TODAY)
    except InputError as error:
        refused = str(error)
    else:
        refused = ""
    event("refused" if refused else "answered")
    if refused:
        assert "claim-" in refused
        return
    assert result.is_finished
    assert codes(result.text) == set()
    again = reviewed_again(result.text)
    assert again.hitl_status.startswith("REVIEWED")
    assert "It rains." in result.text or not any("It rains." in s.format(w) for s, w in parts)
    assert all_true(draft) != draft
