"""The terminal session: a scripted screen for every key, and one real terminal (issue D, "Terminal")."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cg_review import validate
from cg_review.cli import main
from cg_review.findings import Round
from cg_review.hitl.answers import Answer
from cg_review.hitl.confirm import Quit, Session
from cg_review.hitl.desk import Desk
from cg_review.hitl.screen import Terminal
from click import unstyle
from hitl_cases import NOON, case_of, drafted

SOURCE = "# Fares\n\nThe base fare costs $4.\n\nThe ferry is old. Users prefer our ferry. It floats.\n"


@dataclass
class Script:
    """A person who was told beforehand what to press; `screens` is what they saw."""

    keys: list[str]
    lines: list[str] = field(default_factory=list)
    screens: list[str] = field(default_factory=list)
    size: tuple[int, int] = (80, 50)

    def show(self, lines: list[str]) -> None:
        self.screens.append("\n".join(lines))

    def key(self) -> str:
        if not self.keys:
            raise EOFError
        return self.keys.pop(0)

    def ask(self, prompt: str) -> str:
        return self.lines.pop(0)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / ".git").mkdir()
    path = tmp_path / "fares.cgd.md"
    path.write_text(drafted(SOURCE, "fares.md"))
    return Desk(path, "terminal")


def go(desk: Desk, keys: str, *lines: str, **options: object) -> Script:
    """A session with these keys; "." is Enter."""
    script = Script(list(keys.replace(".", "\r")), list(lines), **options)  # type: ignore[arg-type]
    session = Session("Maria Lopez", script, lambda: NOON)
    try:
        session.run([desk])
    except Quit:
        script.screens.append("quit")
    return script


def texts(desk: Desk) -> list[str]:
    return [placed.claim.text for placed in desk.view().open]


def test_answers_are_saved_as_they_are_given(desk: Desk) -> None:
    script = go(desk, "tq", "fare table of May")
    assert texts(desk) == ["Users prefer our ferry."]
    assert "The base fare costs $4 [fare table of May]." in desk.path.read_text()
    assert "> The base fare costs $4." in script.screens[0]
    assert "Why: a fact about the outside world with no source" in script.screens[0]
    assert "1 of 2" in script.screens[0]
    card = script.screens[1]
    assert (
        card.index("The ferry is old.") < card.index("> Users prefer our ferry.") < card.index("It floats.")
    )
    assert "Saved. 1 claim(s) to go." in card


def test_leaving_and_coming_back_goes_on(desk: Desk) -> None:
    go(desk, "eq")
    script = go(desk, "e.")
    assert "1 of 1" in script.screens[0]
    assert desk.path.read_text().rstrip().endswith("CLEAR | REVIEWED")


def test_the_last_answer_is_asked_about(desk: Desk) -> None:
    script = go(desk, "eebq")
    assert "ends the review, signed Maria Lopez" in script.screens[2]
    assert texts(desk) == ["Users prefer our ferry."]
    go(desk, "e.")
    assert validate(desk.path, now=NOON).rag_ingestable


def test_back_changes_an_answer(desk: Desk) -> None:
    script = go(desk, "tbtq", "the wrong table", "the right table")
    assert "Answered: confirmed by Maria Lopez on 2026-06-15 (the wrong table)" in script.screens[2]
    text = desk.path.read_text()
    assert "[the right table]" in text
    assert "the wrong table" not in text
    assert len(texts(desk)) == 1
    go(desk, "bbbsq")
    assert desk.path.read_text() == text


def test_back_to_a_false_that_is_held(desk: Desk) -> None:
    script = go(desk, "fxbeq", "no longer true")
    assert "Answered: answered as not true by Maria Lopez" in script.screens[3]
    assert "marked as an estimate" in desk.path.read_text()


def test_false_offers_the_three_ways(desk: Desk) -> None:
    script = go(desk, "frfd.", "The base fare is paid in coins.", "", "")
    assert " x  exclude the block that holds it" in script.screens[1]
    text = desk.path.read_text()
    assert "The base fare is paid in coins.\n" in text
    assert "The ferry is old. It floats.\n" in text
    assert text.rstrip().endswith("CLEAR | REVIEWED")


def test_a_replacement_that_needs_a_review_is_told_and_asked_again(desk: Desk) -> None:
    script = go(desk, "frq", "The base fare costs $5.", "")
    assert "the replacement would need a review itself: point 9" in " ".join(
        unstyle(script.screens[2]).split()
    )
    assert len(texts(desk)) == 2


def test_a_note_is_kept_with_the_answer(desk: Desk) -> None:
    script = go(desk, "neq", "asked Jo")
    assert "Note: asked Jo" in script.screens[1]
    assert '"notes": "asked Jo"' in (desk.state / "audit.jsonl").read_text()


def test_unknown_keys_do_nothing(desk: Desk) -> None:
    before = desk.path.read_bytes()
    go(desk, "zxy7\x1b ")
    assert desk.path.read_bytes() == before


def test_another_person_in_the_meantime_is_not_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = desk.view().open[0].claim.id
    script = Script(["t", "q"], [])

    def ask(prompt: str) -> str:
        other = Answer(claim=claim, response="true", evidence="Jo's table", by="Jo Berg", when=NOON)
        Desk(desk.path, "web").give([other])
        return "Maria's table"

    monkeypatch.setattr(script, "ask", ask)
    with pytest.raises(Quit):
        Session("Maria Lopez", script, lambda: NOON).run([desk])
    assert "confirmed by Jo Berg" in script.screens[-1]
    assert "[Jo's table]" in desk.path.read_text()


# -- Round A -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def many(tmp_path: Path) -> Desk:
    """Twelve claims of Round A and one of Round B."""
    (tmp_path / ".git").mkdir()
    towns = ["Aldo", "Brin", "Cleo", "Dunk", "Elba", "Fell", "Gant", "Hoff", "Iver", "Jura", "Kell", "Lund"]
    lines = [f"The crossing to {town} costs ${n}." for n, town in enumerate(towns, 1)]
    source = tmp_path / "fares.txt"
    source.write_text("\n".join(lines))
    text = "# Fares\n\n" + "\n\n".join(lines) + "\n\nUsers prefer our ferry.\n"
    from cg_review.sources import read_sources

    assert read_sources([source])
    path = tmp_path / "fares.cgd.md"
    path.write_text(drafted(text, "fares.md", sources=[source], attended=True))
    assert [p.claim.round for p in case_of(path.read_text()).claims].count(Round.A) == 12
    return Desk(path, "terminal")


def test_round_a_is_a_list_of_ten_with_nothing_ticked(many: Desk) -> None:
    script = go(many, "10.q")
    first, second = script.screens[0], script.screens[3]
    assert first.count("[ ]") == 10
    assert "[x]" not in first
    assert "fares.txt, line 1" in first
    assert script.screens[2].count("[x]") == 2
    assert second.count("[ ]") == 2
    text = many.path.read_text()
    assert "The crossing to Aldo costs $1 [fares.txt, line 1]." in text
    assert "The crossing to Jura costs $10 [fares.txt, line 10]." in text
    assert "The crossing to Brin costs $2 *(" in text
    assert len(texts(many)) == 11


def test_ticks_can_be_taken_away_and_pages_skipped(many: Desk) -> None:
    go(many, "11.ssq")
    assert len(texts(many)) == 13


def test_a_claim_of_round_a_can_be_opened(many: Desk) -> None:
    script = go(many, "o2eq")
    assert "> The crossing to Brin costs $2." in script.screens[1]
    assert len(texts(many)) == 12


def test_a_small_terminal_gets_a_short_list(many: Desk) -> None:
    script = go(many, "q", size=(40, 20))
    assert script.screens[0].count("[ ]") == 4
    assert all(len(line) < 120 for line in script.screens[0].split("\n"))


def test_text_of_a_document_cannot_move_the_cursor(tmp_path: Path) -> None:
    path = tmp_path / "a.cgd.md"
    path.write_text(drafted("# A\n\nUsers prefer \x1b[2J\u202eour engine.\n"))
    script = go(Desk(path, "terminal"), "q")
    assert "\x1b[2J" not in script.screens[0]
    assert "\u202e" not in script.screens[0]


# -- the command -------------------------------------------------------------------------------------------------------


def test_without_a_terminal_it_refuses(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["confirm", str(desk.path), "--by", "Jo"])
    assert exit_.value.code == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_the_real_screen_says_how_large_it_is() -> None:
    columns, rows = Terminal().size
    assert 0 < columns <= 100
    assert rows > 0


def _typed(command: list[str], steps: Iterator[tuple[str, str]], environment: dict[str, str]) -> str:
    """Run a command on a real pseudo-terminal: wait for words, then type."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environment)
    seen, deadline = "", time.time() + 20
    wanted = next(steps, None)
    mark = 0
    while time.time() < deadline:
        ready, _, _ = select.select([fd], [], [], 0.2)
        if ready:
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            if not data:
                break
            seen += data.decode("utf-8", "replace")
        if wanted and wanted[0] in seen[mark:]:
            mark = len(seen)
            time.sleep(0.5)  # a key before it is waited for is flushed
            os.write(fd, wanted[1].encode())
            wanted = next(steps, None)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)  # a process that is done already
    os.waitpid(pid, 0)
    os.close(fd)
    return seen


def test_a_whole_document_on_a_real_terminal(desk: Desk) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "cg_review", "confirm", str(desk.path), "--now", "2026-06-15T12:00:00Z"]
    steps = iter(
        [("Your name", "Maria Lopez\r"), ("1 of 2", "t"), ("What did you find", "fare table\r"), ("2 of 2", "e"),
         ("ends the review", "\r")]
    )  # fmt: skip
    seen = _typed(command, steps, environment)
    assert "2 answer(s) saved as Maria Lopez" in seen
    assert "CLEAR | REVIEWED" in seen
    assert validate(desk.path, now=NOON).rag_ingestable
