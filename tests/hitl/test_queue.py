"""The queue file and its application: codes, kills, twice, two at once (FORMAT 10; cases C38, C39, C41)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from cg_review import validate
from cg_review.cli import main
from cg_review.errors import DocumentRefused, InputError
from cg_review.hitl.apply import Outcome, apply_queue, content
from cg_review.hitl.audit import read_log
from cg_review.hitl.desk import find_desks
from cg_review.hitl.queue import read_queue, render_queue
from hitl_cases import NOON, case_of, drafted

SMALL = "# Fares {n}\n\nThe base fare costs ${n}.\n\nThe ferry is old. Users prefer our ferry.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with three drafts."""
    (tmp_path / ".git").mkdir()
    for n in range(1, 4):
        (tmp_path / f"fares{n}.cgd.md").write_text(drafted(SMALL.format(n=n), f"fares{n}.md"))
    return tmp_path


def queue_of(folder: Path, answers: str = "true") -> Path:
    """A queue of all documents of `folder`, filled in."""
    path = folder / "queue.yaml"
    text, count = render_queue(find_desks([folder], "queue"), path, NOON)
    assert count
    path.write_text(text.replace("response: null", f"response: {answers}"))
    return path


def documents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.cgd.md"))}


def apply(path: Path, **options: object) -> list[Outcome]:
    return apply_queue(path, "Maria Lopez", NOON, **options)  # type: ignore[arg-type]


def test_a_queue_is_made_for_people_and_read_back(folder: Path) -> None:
    path = folder / "queue.yaml"
    text, count = render_queue(find_desks([folder / "fares1.cgd.md"], "queue"), path, NOON)
    path.write_text(text)
    assert count == 2
    assert text.index("# Round B") < text.index("- id: claim-")
    assert "# in context: The ferry is old. >>Users prefer our ferry.<<" in text
    assert '    expires: "2026-06-22' not in text
    assert 'expires: "2026-06-22T12:00:00Z"' in text
    queue = read_queue(path)
    assert [entry.response for entry in queue.documents[0].claims] == [None, None]
    assert queue.documents[0].claims[0].text == "The base fare costs $1."
    assert apply(path)[0].unanswered == 2


def test_answers_go_into_all_documents(folder: Path) -> None:
    outcomes = apply(queue_of(folder))
    assert [outcome.status for outcome in outcomes] == ["CLEAR | REVIEWED"] * 3
    for data in documents(folder).values():
        assert validate(data, now=NOON).rag_ingestable


def test_c41_applying_twice_is_a_no_op_that_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = queue_of(folder, "false")
    first = run("apply", str(path), "--by", "Maria Lopez", "--now", "2026-06-15T12:00:00Z")
    after, log = documents(folder), (folder / ".cg-review/audit.jsonl").read_bytes()
    second = run("apply", str(path), "--by", "Maria Lopez", "--now", "2026-06-16T12:00:00Z")
    assert (first, second) == (0, 0)
    assert "2 already applied" in capsys.readouterr().out
    assert documents(folder) == after
    assert (folder / ".cg-review/audit.jsonl").read_bytes() == log


def test_c41_another_text_is_shown_on_both_sides(folder: Path) -> None:
    path = queue_of(folder)
    path.write_text(path.read_text().replace("The base fare costs $1.", "The base fare costs $9."))
    outcome = apply(path)[0]
    assert outcome.applied == 1
    assert outcome.skipped == 1
    message = outcome.messages[0]
    assert message.startswith("W-QU01 line ")
    assert "The base fare costs $9." in message
    assert "The base fare costs $1." in message
    assert len(case_of((folder / "fares1.cgd.md").read_text()).pending) == 1


def test_small_differences_of_the_text_apply(folder: Path) -> None:
    path = queue_of(folder)
    path.write_text(path.read_text().replace("The base fare costs $1.", "the  base fare costs $1"))
    outcome = apply(path)[0]
    assert outcome.applied == 2
    assert outcome.messages[0].startswith("W-QU01")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("It costs $4.", "it costs the $4", True),
        ("It costs $4.", "It costs €4.", False),
        ("It grew 5%", "It grew 5", False),
        ("It is safe", "It is not safe", False),
        ("1,000 users", "1000 users", False),
        ("by -5 °C", "by 5 °C", False),
    ],
)
def test_what_counts_as_the_same_words(one: str, other: str, same: bool) -> None:
    assert (content(one) == content(other)) is same


def test_an_unknown_claim_stops_its_document_only(folder: Path) -> None:
    path = queue_of(folder)
    before = documents(folder)
    id_ = read_queue(path).documents[1].claims[0].id
    path.write_text(path.read_text().replace(id_, "claim-ffffffff"))
    outcomes = apply(path)
    assert [outcome.failed for outcome in outcomes] == [False, True, False]
    assert outcomes[1].messages[0].startswith("E-QU01 line ")
    after = documents(folder)
    assert after["fares2.cgd.md"] == before["fares2.cgd.md"]
    assert after["fares3.cgd.md"] != before["fares3.cgd.md"]


@pytest.mark.parametrize(
    ("old", "new"), [('location: "fares-1/1"', 'location: "x/1"'), ("round: B", "round: A")]
)
def test_a_read_only_field_that_was_edited_is_refused(folder: Path, old: str, new: str) -> None:
    path = queue_of(folder)
    path.write_text(path.read_text().replace(old, new, 1))
    assert apply(path)[0].messages[0].startswith("E-QU02 line ")


def test_an_expired_queue_needs_force(folder: Path) -> None:
    path = queue_of(folder)
    with pytest.raises(DocumentRefused, match="W-QU02"):
        apply_queue(path, "Maria", NOON + timedelta(days=8))
    assert apply_queue(path, "Maria", NOON + timedelta(days=8), force=True)[0].applied == 2


def test_a_document_that_changed_is_refused_unless_every_claim_still_matches(folder: Path) -> None:
    path = queue_of(folder)
    target = folder / "fares1.cgd.md"
    target.write_text(target.read_text().replace("# Fares 1\n", "# Fares 1\n\nA new line.\n"))
    assert apply(path)[0].applied == 2
    assert "A new line." in target.read_text()
    other = folder / "fares2.cgd.md"
    assert apply(path)[1].already == 2
    other.write_text(drafted("# Other\n\nThe base fare costs $7.\n", "fares2.md"))
    path.write_text(path.read_text().replace("response: true", "response: null"))
    (folder / "queue.yaml.applied").unlink()
    (folder / ".cg-review/audit.jsonl").unlink()
    assert "changed since the queue was made" in apply(path)[1].messages[0]


def test_half_a_queue_now_and_half_later(folder: Path) -> None:
    path = queue_of(folder, "null")
    text = path.read_text()
    path.write_text(text.replace("response: null", "response: estimated", 1))
    assert [outcome.applied for outcome in apply(path)] == [1, 0, 0]
    path.write_text(path.read_text().replace("response: null", 'response: true\n        # "seen"'))
    outcomes = apply(path)
    assert [(outcome.applied, outcome.already) for outcome in outcomes] == [(1, 1), (2, 0), (2, 0)]


def test_what_a_false_does_is_said_in_replacement(folder: Path) -> None:
    path = queue_of(folder)
    lines = path.read_text().split('replacement: ""')
    lines[0] = lines[0].replace("response: true", "response: false") + 'replacement: "(remove)"'
    lines[1] = lines[1].replace("response: true", "response: false") + "replacement: It swims."
    path.write_text(lines[0] + lines[1] + 'replacement: ""'.join(lines[2:]))
    apply(path)
    text = (folder / "fares1.cgd.md").read_text()
    assert "$1" not in text
    assert "The ferry is old. It swims.\n" in text
    assert text.rstrip().endswith("CLEAR | REVIEWED")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no YAML mapping|missing"),
        ("a: [", "not a queue"),
        ("schema-version: 2.0\ndocuments: []\n", "schema-version 2.0"),
        ("schema-version: 1.0\ndocuments: x\n", "not a list"),
        ("schema-version: 1.0\ndocuments: [{claims: []}]\n", "without `file`"),
        ("schema-version: 1.0\ndocuments: [{file: a.cgd.md, claims: [{text: x}]}]\n", "without `id`"),
        ("schema-version: 1.0\nexpires: soon\ndocuments: []\n", "not a moment"),
        ("schema-version: 1.0\ndocuments: [{file: a, claims: [{id: c, response: maybe}]}]\n", "none of true"),
        ("schema-version: 1.0\ndocuments: [{file: a, claims: [{id: c}, {id: c}]}]\n", "stands twice"),
        ("schema-version: 1.0\na: &x 1\nb: *x\ndocuments: []\n", "anchor|alias"),
    ],
)
def test_a_queue_that_is_none_is_told_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "queue.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=why) as error:
        read_queue(path)
    assert "\n" not in str(error.value)


def test_a_name_is_needed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CG_REVIEW_BY", raising=False)
    assert run("apply", str(queue_of(folder))) == 2
    assert "--by" in capsys.readouterr().err


def test_a_filled_in_queue_is_not_overwritten(folder: Path) -> None:
    path = queue_of(folder)
    before = path.read_bytes()
    assert run("queue", str(folder), "-o", str(path)) == 2
    assert path.read_bytes() == before
    assert run("queue", str(folder), "-o", str(path), "--force") == 0


def test_a_held_false_is_kept_and_written_with_the_last_answer(folder: Path) -> None:
    """A queue, then another one: the `false` of the first is remembered in the log."""
    target = folder / "fares1.cgd.md"
    path = queue_of(folder, "null")
    path.write_text(path.read_text().replace("response: null", "response: false", 1))
    before = target.read_bytes()
    outcome = apply(path)[0]
    assert (outcome.applied, outcome.held) == (0, 1)
    assert target.read_bytes() == before
    second = folder / "second.yaml"
    text, count = render_queue(find_desks([target], "queue"), second, NOON)
    assert count == 1
    second.write_text(text.replace("response: null", "response: true"))
    assert apply(second)[0].status == "CLEAR | REVIEWED_WITH_EXCEPTIONS"
    assert "CG-EXCLUSION:BEGIN" in target.read_text()


# -- kills -------------------------------------------------------------------------------------------------------------

_KILLED = """
import os, sys
from datetime import datetime, UTC
from pathlib import Path
from cg_review.hitl import apply
step = int(sys.argv[2])
count = 0
def counting(frame, event, arg):
    return None
real_write, real_append = os.replace, os.fsync
def maybe_kill():
    global count
    count += 1
    if count == step:
        os.kill(os.getpid(), 9)
def replace(*args, **kwargs):
    maybe_kill()
    real_write(*args, **kwargs)
    maybe_kill()
def fsync(fd):
    maybe_kill()
    real_append(fd)
    maybe_kill()
os.replace, os.fsync = replace, fsync
apply.apply_queue(Path(sys.argv[1]), "Maria Lopez", datetime.fromisoformat(sys.argv[3]))
"""


def _apply_and_die(path: Path, step: int, now: str) -> int:
    return subprocess.run([sys.executable, "-c", _KILLED, str(path), str(step), now], check=False).returncode


def test_c38_a_kill_at_any_moment_and_applying_again_gives_the_bytes_of_a_clean_run(folder: Path) -> None:
    """Killed at each write in turn (before and after it), and gone on with a day later."""
    path = queue_of(folder, "false")
    before = documents(folder)
    apply(path)
    clean, log = documents(folder), read_log(folder / ".cg-review/audit.jsonl")
    for step in (1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 19):
        _reset(folder, before)
        code = _apply_and_die(path, step, NOON.isoformat())
        assert code in (-signal.SIGKILL, 0)
        applied = folder / "queue.yaml.applied"
        if applied.exists() and step % 2:  # a line that the kill cut in its middle
            applied.write_bytes(applied.read_bytes() + b'{"file": "fares')
        later = NOON if not applied.exists() else NOON + timedelta(days=1)
        outcomes = apply_queue(path, "Maria Lopez", later)
        assert not any(outcome.failed for outcome in outcomes)
        assert documents(folder) == clean, step
        assert read_log(folder / ".cg-review/audit.jsonl") == log, step
        assert all(outcome.already == 2 for outcome in apply_queue(path, "Maria Lopez", later))
        if code == 0:
            break
    assert not list(folder.glob(".*.tmp")) or code != 0


def _reset(folder: Path, before: dict[str, bytes]) -> None:
    for name, data in before.items():
        (folder / name).write_bytes(data)
    for leftover in [
        folder / "queue.yaml.applied",
        folder / ".cg-review/audit.jsonl",
        *folder.glob(".*.tmp"),
    ]:
        leftover.unlink(missing_ok=True)


@pytest.mark.slow
def test_two_applications_at_once_lose_nothing(folder: Path) -> None:
    """C39's kind: two processes on one checkpoint."""
    path = queue_of(folder, "false")
    command = [
        sys.executable,
        "-m",
        "cg_review",
        "apply",
        str(path),
        "--by",
        "Maria Lopez",
        "--now",
        NOON.isoformat(),
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    both = [subprocess.Popen(command, env=environment) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]
    log = read_log(folder / ".cg-review/audit.jsonl")
    assert len(log) == len({record["id"] for record in log}) == 6
    for data in documents(folder).values():
        assert b"REVIEWED_WITH_EXCEPTIONS" in data


@pytest.mark.slow
def test_c38_real_kills_at_random_moments(folder: Path) -> None:
    path = queue_of(folder, "true")
    before = documents(folder)
    apply(path)
    clean = documents(folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [
        sys.executable,
        "-m",
        "cg_review",
        "apply",
        str(path),
        "--by",
        "Maria Lopez",
        "--now",
        NOON.isoformat(),
    ]
    for number in range(12):
        _reset(folder, before)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        time.sleep(0.3 + number * 0.06)
        process.kill()
        process.wait(30)
        assert (
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0
        )
        assert documents(folder) == clean


def test_a_checkpoint_is_json_lines(folder: Path) -> None:
    path = queue_of(folder)
    apply(path)
    lines = [json.loads(line) for line in (folder / "queue.yaml.applied").read_text().splitlines()]
    assert [next(iter(line)) for line in lines] == ["begun", "file", "file", "file", "done"]


def run(*arguments: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as exit_:
        main(list(arguments))
    return int(exit_.value.code or 0)


def test_audit_tells_history_and_disagreement(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    apply(queue_of(folder))
    target = folder / "fares1.cgd.md"
    assert run("audit", str(target)) == 0
    out = capsys.readouterr().out
    assert re.search(r"2026-06-15 12:00:00 Maria Lopez claim-\w+ true", out)
    assert "agrees with the log" in out
    assert (
        run("check", str(target), "--audit", str(folder / ".cg-review/audit.jsonl"), "--now", "2026-06-15")
        == 0
    )
    target.write_text(target.read_text().replace("Maria Lopez", "Mallory"))
    assert run("audit", str(target)) == 1
    assert "the audit log says Maria Lopez" in capsys.readouterr().err
