from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from cg_review.batch import journal as journals
from cg_review.batch.journal import Journal, Start
from cg_review.errors import InputError
from cg_review.results import Review, Tool

TOOL = Tool(version="1", rules="r", model="m")
START = Start(datetime(2026, 11, 30, tzinfo=UTC), "settings")


def review(name: str, note: str = "") -> Review:
    return Review(path=name, status="complete", verdict=None, notes=(note,), tool=TOOL)


def test_what_was_recorded_is_recalled_by_the_next_run(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.start(START, False)
        journal.record("a", "k", "s", None, review("a"))
        journal.finish()
    with Journal(tmp_path) as journal:
        assert journal.interrupted is None
        assert journal.recall("a", "k", "s", None, False) == review("a")
        assert journal.recall("a", "other", "s", None, False) is None
        assert journal.recall("a", "k", "other", None, False) is None
        assert journal.recall("a", "k", "s", "an output it did not write", False) is None


@pytest.mark.parametrize("rubbish", [b'{"v":1,"document":"b', b"\x00\xff\n", b"[]\n", b"{}\n", b"null\n"])
def test_lines_that_are_none_are_passed_over(tmp_path: Path, rubbish: bytes) -> None:
    with Journal(tmp_path) as journal:
        journal.start(START, False)
        journal.record("a", "k", "s", None, review("a"))
    with journal.path.open("ab") as file:
        file.write(rubbish)
    with Journal(tmp_path) as journal:
        assert journal.interrupted == START
        journal.start(START, True)
        journal.record("c", "k", "s", None, review("c"))
    with Journal(tmp_path) as journal:
        assert journal.recall("a", "k", "s", None, True) == review("a")
        assert journal.recall("c", "k", "s", None, True) == review("c")


def test_a_journal_of_many_runs_is_made_small_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "_COMPACT_ABOVE", 1000)
    for run in range(10):
        with Journal(tmp_path) as journal:
            journal.start(START, False)
            for name in ("a", "b"):
                journal.record(name, "k", f"{run}", None, review(name, "x" * 500))
    assert journal.path.stat().st_size < 8_000
    with Journal(tmp_path) as journal:
        assert journal.recall("a", "k", "9", None, False) == review("a", "x" * 500)
        assert journal.recall("b", "k", "9", None, True) == review("b", "x" * 500)


def test_a_folder_that_cannot_be_used_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(InputError, match="journal cannot be used"):
        Journal(tmp_path / "state")
