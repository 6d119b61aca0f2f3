"""kill -9, for real: whatever moment it hits, no request is lost and none is paid for twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from batch.tree import contents
from batch_api.calling import Vendor, call, records
from cg_review.batch_api.records import Records
from scripted_server import EMPTY, Turn

Capture = pytest.CaptureFixture[str]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    agent = str(Path(__file__).resolve().parents[2] / "agent")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([agent, os.environ.get("PYTHONPATH", "")])}
    return subprocess.Popen(
        [sys.executable, "-m", "cg_review", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def kill_when(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> None:
    """Kill a process as soon as something is so."""
    deadline = time.monotonic() + 60
    while not reached() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def submit(vendor: Vendor, *more: str) -> subprocess.Popen[bytes]:
    return start("docs", "-o", "out", *vendor.reading, "--today", "2026-11-30", "--batch-api", *more)


def age(folder: Path, **by: float) -> None:
    """Let records be as old as that."""
    for record in records(folder):
        submitted = record.submitted - timedelta(**by)
        Records(folder / ".cg-review").save(record.model_copy(update={"submitted": submitted}))


@pytest.fixture
def expected(vendor: Vendor, folder: Path, own_surroundings: Path) -> dict[str, bytes]:
    """What a run at once writes; the answers are forgotten again."""
    assert vendor.review("--no-cache", output="at-once") == 0
    (folder / ".cg-review/journal.jsonl").unlink()
    assert not list(own_surroundings.rglob("*.json"))
    return contents(folder / "at-once")


def test_killed_while_it_waits(vendor: Vendor, folder: Path, expected: dict[str, bytes]) -> None:
    vendor.batches.ended = False
    kill_when(submit(vendor, "--wait"), lambda: "GET batches/batch_0" in vendor.batches.asked)
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    assert contents(folder / "out") == expected
    assert len(vendor.batches.made) == 1


def killed_in_submission(vendor: Vendor, arrives: bool) -> None:
    """Kill a run between its request for a batch and the provider's word that it has it."""
    reached, go_on = threading.Event(), threading.Event()

    def hold(path: str) -> int:
        if not path.endswith("batches"):
            return 200
        reached.set()
        go_on.wait(60)
        return 503

    if arrives:
        vendor.batches.after = hold
    else:
        vendor.batches.before = hold
    kill_when(submit(vendor), reached.is_set)
    vendor.batches.before = vendor.batches.after = lambda _: 200
    go_on.set()


def test_killed_before_it_knew_that_the_batch_had_arrived(
    vendor: Vendor, folder: Path, expected: dict[str, bytes], capsys: Capture
) -> None:
    vendor.batches.ended = False
    killed_in_submission(vendor, arrives=True)
    assert [record.remote for record in records(folder)] == [None]
    assert call("batch", "list") == 0
    assert "submission was cut off" in capsys.readouterr().out

    assert vendor.review("--batch-api") == (3 if not vendor.batches.is_openai else 4)
    assert len(vendor.batches.made) == 1  # not sent again, whatever it can tell of the first
    age(folder, minutes=5)
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    assert contents(folder / "out") == expected
    assert [record.remote for record in records(folder)] == ["batch_0"]
    assert len(vendor.batches.made) == 1


def test_killed_before_the_batch_arrived(
    vendor: Vendor, folder: Path, expected: dict[str, bytes], capsys: Capture
) -> None:
    killed_in_submission(vendor, arrives=False)
    assert vendor.batches.made == []
    assert call("batch", "fetch") == 3  # it may still be on its way
    assert len(records(folder)) == 1
    assert vendor.review("--batch-api") == 3
    assert "its submission was cut off" in capsys.readouterr().err
    age(folder, minutes=5)
    assert vendor.review("--batch-api") == 4
    assert "never arrived" in capsys.readouterr().err
    assert len(vendor.batches.made) == 1
    assert call("batch", "fetch") == 0
    assert contents(folder / "out") == expected


def test_the_batches_of_others_are_not_taken_for_ours(vendor: Vendor, folder: Path) -> None:
    killed_in_submission(vendor, arrives=False)
    age(folder, minutes=5)
    others = {f"{key}-of-others": {"messages": []} for key in records(folder)[0].requests}
    mine, vendor.server.script = vendor.server.script, lambda _: Turn(EMPTY)
    vendor.batches._make(others, {"cg-review": "another"})
    assert call("batch", "fetch") == 0
    assert records(folder) == []
    vendor.server.script = mine
    assert vendor.review("--batch-api") == 4
    assert call("batch", "fetch") == 0


@pytest.mark.parametrize(
    "moment",
    [
        "answers asked for",
        pytest.param("answers here", marks=pytest.mark.slow),
        pytest.param("first document", marks=pytest.mark.slow),
    ],
)
def test_killed_while_fetching(vendor: Vendor, folder: Path, expected: dict[str, bytes], moment: str) -> None:
    assert vendor.review("--batch-api") == 4
    kept = folder / ".cg-review/batches"
    reached: dict[str, Callable[[], bool]] = {
        "answers asked for": lambda: any("results" in one or "out-" in one for one in vendor.batches.asked),
        "answers here": lambda: any(kept.glob("*.answers.jsonl")),
        "first document": lambda: (folder / "out/a.cgd.md").exists(),
    }
    kill_when(start("batch", "fetch"), reached[moment])
    assert call("batch", "fetch") == 0
    assert contents(folder / "out") == expected
    assert len(vendor.batches.made) == 1
    assert [record.finished for record in records(folder)] == [True]
