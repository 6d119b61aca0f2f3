"""Documents whose CGD cannot be written before their claims are answered (FORMAT 12.8, 12.9)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from cg_review import validate
from cg_review.cli import main
from cg_review.hitl.answers import Answer
from cg_review.hitl.desk import Desk, find_desks
from hitl_cases import NOON

SOURCE = """\
# Fares

The base fare costs $4.

<!-- CG-EXCLUSION:BEGIN id=legacy -->
Nobody knows these fares.
<!-- CG-EXCLUSION:END id=legacy -->

Users prefer our ferry.
"""


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(list(arguments))
    return int(exit_.value.code or 0)


def test_a_source_with_blocks_gets_its_cgd_with_the_last_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    source, target = tmp_path / "fares.md", tmp_path / "fares.cgd.md"
    source.write_text(SOURCE)
    assert run(str(source), "--today", "2026-06-15") == 0
    assert not target.exists()
    assert "cg-review confirm" in capsys.readouterr().out
    (desk,) = find_desks([source], "test")
    first, second = (placed.claim.id for placed in desk.view().open)
    one = Answer(claim=first, response="true", evidence="fare table", by="Jo Berg", when=NOON)
    assert desk.give([one]).pending == 1
    assert not target.exists()
    assert run(str(source), "--today", "2026-06-15") == 0  # a second review keeps the answer
    assert [placed.claim.id for placed in find_desks([tmp_path], "test")[0].view().open] == [second]
    desk.give([one.model_copy(update={"claim": second, "response": "estimated"})])
    text = target.read_text()
    assert not desk.draft.exists()
    assert validate(text, now=NOON).valid
    assert text.rstrip().endswith("CLEAR | REVIEWED_WITH_EXCEPTIONS")
    assert "exceptions-ids:\n  - legacy\n" in text
    assert "The base fare costs $4 [fare table]." in text


def test_a_desk_of_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    assert run("queue", str(tmp_path / "a.md"), "-o", str(tmp_path / "q.yaml")) == 2
    assert Desk(tmp_path / "a.md", "test").path.name == "a.cgd.md"


def test_a_document_that_fix_reopened_keeps_its_question(tmp_path: Path) -> None:
    """`fix --accept-changes`, then a review: the change still waits for a person."""
    path = tmp_path / "notes.cgd.md"
    (tmp_path / "notes.md").write_text("# Notes\n\nWe met.\n")
    run(str(tmp_path / "notes.md"), "--today", "2026-06-15")
    desk = Desk(path, "test")
    (claim,) = desk.view().open
    desk.give([Answer(claim=claim.claim.id, response="true", by="Jo Berg", when=NOON)])
    path.write_text(path.read_text().replace("We met.", "We met twice."))
    assert run("fix", str(path), "--accept-changes", "--now", "2026-06-16") == 0
    assert run(str(path), "--today", "2026-06-16") == 0
    assert "This document was changed after it was reviewed" in path.read_text()
    assert path.read_text().rstrip().endswith("PENDING")
    for placed in desk.view().open:
        later = NOON + timedelta(days=1)
        desk.give([Answer(claim=placed.claim.id, response="true", by="Jo Berg", when=later)])
    assert run("check", str(path)) == 0
