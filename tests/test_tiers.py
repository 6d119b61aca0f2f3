"""Promote, demote, export, exclude, unexclude (FORMAT 6, 8, 9), as functions and as commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from cg_review import validate
from cg_review.cgd.layout import take_apart
from cg_review.cgd.seal import seal
from cg_review.cli import main
from cg_review.errors import DocumentRefused, InputError
from cg_review.export import plain, redact
from cg_review.hitl.excluding import exclude, unexclude
from cg_review.tiers import Tier, demote, promote
from hitl_cases import NOON, TODAY, all_true, body_of, case_of, claim_id, drafted, give, reviewed_again, say

SOURCE = "# Fares\n\nThe base fare costs $4 at Riverline.\n\nUsers prefer our ferry.\n\nThe ferry is old.\n"
TIER = Tier("Harbour Data", "1.0", "Jo Berg")
TABLE = "| The base fare costs $4 at Riverline. | $4 | fare table 2026 | 2026-06-15 |\n"


@pytest.fixture
def reviewed() -> str:
    """A finished document: one fact with its evidence, one estimate."""
    draft = drafted(SOURCE, "fares.md")
    answers = [say(draft, "base fare", "true", evidence="fare table 2026"), say(draft, "Users", "estimated")]
    return give(draft, *answers).text


def codes(text: str) -> list[str]:
    return validate(text, now=NOON).codes


def test_promote_makes_a_table_of_what_was_verified(reviewed: str) -> None:
    sot = promote(reviewed, TIER, TODAY)
    assert codes(sot) == []
    assert validate(sot, now=NOON).rag_ingestable
    head = "|-------|-------|--------|----------|\n"
    assert f"## Verified Claims\n\n| Claim | Value | Source | Verified |\n{head}{TABLE}\n## HITL" in sot
    assert "Users prefer" not in sot.split("## Verified Claims")[1].split("## HITL")[0]  # an estimate
    assert sot.split("\n---\n")[0].endswith(
        'tier:\n  level: SOT\n  owner: Harbour Data\n  version: "1.0"\n  promoted-date: 2026-06-15\n  promoted-by: Jo Berg'
    )


def test_reviewing_a_source_of_truth_changes_nothing(reviewed: str) -> None:
    assert reviewed_again(promote(reviewed, TIER, TODAY)).unchanged


def test_demote_archives_and_promote_restores_the_same_bytes(reviewed: str) -> None:
    sot = promote(reviewed, TIER, TODAY)
    plain_again = demote(sot, 'Superseded by "v2" > v1 -->', TODAY)
    assert plain_again is not None
    assert "\ntier:" in sot
    assert "\ntier:" not in plain_again
    assert codes(plain_again) == []
    assert (
        'date=2026-06-15, reason="Superseded by &quot;v2&quot; &gt; v1 --&gt;" -->\n## Claims (Archived from SOT)'
        in plain_again
    )
    assert promote(plain_again, TIER, TODAY) == sot


def test_demote_of_what_has_no_tier_is_nothing(reviewed: str) -> None:
    assert demote(reviewed, "", TODAY) is None


def test_what_cannot_be_promoted(reviewed: str) -> None:
    with pytest.raises(DocumentRefused, match="E-PM02"):
        promote(promote(reviewed, TIER, TODAY), None, TODAY)
    with pytest.raises(DocumentRefused, match="E-PM01"):
        promote(all_true(drafted("# Notes\n\nWe met.\n")), None, TODAY)
    draft = drafted(SOURCE)
    half = give(draft, say(draft, "base fare", "true")).text
    with pytest.raises(DocumentRefused, match="its review has not ended"):
        promote(half, TIER, TODAY)
    with pytest.raises(DocumentRefused, match="W-HS01"):
        promote(reviewed.replace("ferry is old", "ferry is new"), TIER, TODAY)
    with pytest.raises(InputError, match="--owner and --version"):
        promote(reviewed, None, TODAY)
    with pytest.raises(InputError, match="no such claim"):
        promote(reviewed, TIER, TODAY, {"claim-x": "1"})


def test_a_claim_without_a_value_needs_one() -> None:
    done = all_true(drafted("# A\n\nUsers prefer our ferry.\n"), evidence="survey of May")
    id_ = claim_id(done, "Users")
    with pytest.raises(DocumentRefused, match=f"E-TB05: no value for {id_}"):
        promote(done, TIER, TODAY)
    sot = promote(done, TIER, TODAY, {id_: "7 of | 10"})
    assert "| Users prefer our ferry. | 7 of \\| 10 | survey of May | 2026-06-15 |" in sot
    assert codes(sot) == []


def test_line_endings_stay(reviewed: str) -> None:
    crlf = seal(reviewed.replace("\n", "\r\n"))
    sot = promote(crlf, TIER, TODAY)
    assert "\n" not in sot.replace("\r\n", "")
    assert demote(sot, "old", TODAY) is not None


# -- exclusion blocks and copies ---------------------------------------------------------------------------------------


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def excluded(text: str, first: str, last: str, **options: str) -> str:
    """`text` with the lines from the one that holds `first` to the one that holds `last` excluded."""
    body = take_apart(text).body.start
    shift = text[:body].count("\n")
    lines = (shift + line_of(text[body:], first), shift + line_of(text[body:], last))
    return exclude(
        text, lines, options.get("id_", "old-1"), "nobody knows", name="a.cgd.md", today=TODAY, by="Jo"
    )


def test_exclude_quarantines_and_drops_the_claims_that_stood_there(reviewed: str) -> None:
    after = excluded(reviewed, "Users prefer", "Users prefer")
    assert (
        "<!-- CG-EXCLUSION:BEGIN id=old-1 -->\nUsers prefer our ferry.\n<!-- CG-EXCLUSION:END id=old-1 -->\n"
        in after
    )
    assert "exceptions-reason: nobody knows\n" in after
    assert [placed.claim.text for placed in case_of(after).claims] == ["The base fare costs $4 at Riverline."]
    assert not validate(after, now=NOON).rag_ingestable
    assert validate(after, now=NOON).valid
    assert reviewed_again(after).unchanged


def test_a_pending_claim_elsewhere_forbids_a_block(reviewed: str) -> None:
    draft = drafted(SOURCE)
    with pytest.raises(DocumentRefused, match="E-EX05"):
        excluded(draft, "Users", "Users")
    assert excluded(draft, "The base fare", "Users").rstrip().endswith("CLEAR | REVIEWED_WITH_EXCEPTIONS")


@pytest.mark.parametrize(
    ("lines", "id_", "reason", "why"),
    [
        ((1, 3), "a", "r", "only lines of the body"),
        ((9, 3), "a", "r", "has .* lines"),
        ((999, 1000), "a", "r", "has .* lines"),
        ((30, 30), "-a", "r", "letters, digits"),
        ((30, 30), "a b", "r", "letters, digits"),
        ((30, 30), "a", " ", "say why"),
    ],
)
def test_what_cannot_be_excluded(
    reviewed: str, lines: tuple[int, int], id_: str, reason: str, why: str
) -> None:
    with pytest.raises(InputError, match=why):
        exclude(reviewed, lines, id_, reason, name="a.cgd.md", today=TODAY, by="Jo")


def test_half_a_table_cannot_be_excluded() -> None:
    done = all_true(drafted("# A\n\nHours:\n\n| Day | Opens |\n|---|---|\n| Mo | nine |\n| Tu | ten |\n"))
    with pytest.raises(InputError, match="would change more"):
        excluded(done, "| Day", "|---")


def test_unexclude_takes_the_review_up_again(reviewed: str) -> None:
    after = unexclude(
        excluded(reviewed, "Users prefer", "Users prefer"), "old-1", name="a.cgd.md", today=TODAY
    )
    assert "CG-EXCLUSION" not in after
    assert "exceptions" not in after
    assert "changed after it was reviewed" in after
    assert after.rstrip().endswith("| PENDING")
    assert codes(after) == []
    assert "Users prefer our ferry *(hypothesis, not validated)*." in after
    assert "The base fare costs $4 at Riverline [fare table 2026]." in after
    with pytest.raises(InputError, match="no such block"):
        unexclude(reviewed, "old-1", name="a.cgd.md", today=TODAY)


def test_one_of_several_blocks_cannot_be_taken_away(reviewed: str) -> None:
    two = excluded(excluded(reviewed, "Users", "Users"), "The ferry is old", "The ferry is old", id_="old-2")
    with pytest.raises(DocumentRefused, match="old-1, old-2"):
        unexclude(two, "old-1", name="a.cgd.md", today=TODAY)


def test_a_redacted_copy_is_valid_and_holds_nothing_of_the_blocks(reviewed: str) -> None:
    copy = redact(excluded(reviewed, "Users prefer", "Users prefer"))
    assert "BEGIN id=old-1 -->\n[REDACTED]\n<!-- CG-EXCLUSION:END" in copy
    assert "Users prefer" not in copy
    assert validate(copy, now=NOON).valid


def test_a_plain_copy_is_the_body(reviewed: str) -> None:
    assert plain(reviewed) == (
        "# Fares\n\nThe base fare costs $4 at Riverline [fare table 2026].\n\n"
        "Users prefer our ferry *(hypothesis, not validated)*.\n\nThe ferry is old.\n"
    )
    assert "[REDACTED]" in plain(excluded(reviewed, "Users", "Users"), redacted=True)
    assert body_of(reviewed) in SOURCE


# -- commands ----------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(list(arguments))
    return int(exit_.value.code or 0)


def test_the_commands_one_after_the_other(
    reviewed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, now = tmp_path / "fares.cgd.md", ("--now", "2026-06-15T12:00:00Z")
    (tmp_path / ".git").mkdir()
    path.write_text(reviewed)
    assert run("promote", str(path), "--owner", "Harbour", "--version", "1.0", *now) == 0
    assert "\ntier:" in path.read_text()
    assert run("promote", str(path), *now) == 1
    assert "E-PM02" in capsys.readouterr().err
    assert run("demote", str(path), *now) == 2
    assert run("demote", str(path), "--reason", "old", *now) == 0
    before = path.read_bytes()
    assert run("demote", str(path), *now) == 0
    assert "W-DM01" in capsys.readouterr().err
    assert path.read_bytes() == before
    line = str(line_of(path.read_text(), "The ferry is old"))
    arguments = ("exclude", str(path), "--lines", line, "--id", "x", "--reason", "r", *now)
    assert run(*arguments) == 2
    assert "--by" in capsys.readouterr().err
    assert run(*arguments, "--by", "Jo Berg") == 0
    assert run("export", str(path), "--redact-exclusions", "-o", str(tmp_path / "out.cgd.md")) == 0
    assert "[REDACTED]" in (tmp_path / "out.cgd.md").read_text()
    assert run("export", str(path), "--plain", "-o", str(path)) == 2
    assert run("unexclude", str(path), "--id", "x", "--by", "Jo Berg", *now) == 0
    assert run("audit", str(path), "--json") in (0, 1)
    events = [
        line for line in (tmp_path / ".cg-review/audit.jsonl").read_text().splitlines() if '"event"' in line
    ]
    assert len(events) == 4
