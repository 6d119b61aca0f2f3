from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from cg_review.batch.engines import InProcess, Processes, in_order, open_engine
from cg_review.batch.work import Failed, Outcome, Task, Waiter
from cg_review.document import Document
from cg_review.errors import InputError
from cg_review.pipeline import Settings
from cg_review.results import Review
from cg_review.reviewers import Found, PassResult

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Deadly:
    """A reviewer that kills its process over some documents; it travels to other processes as it is."""

    name = "deadly"

    def __init__(self, tally: Path) -> None:
        self.tally = tally

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        if point == 1 and "always" in document.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if point == 1 and "once" in document.text and not self.tally.exists():
            self.tally.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Found(point, ())


def test_a_document_that_kills_its_process_costs_only_itself(tmp_path: Path) -> None:
    names = ["a", "once", "b", "always", "c"]
    with Processes(Settings(now=NOON, reviewer=Deadly(tmp_path / "tally")), 2) as engine:
        items = ((name, Task(f"{name}.md", f"# {name}\n".encode())) for name in names)
        outcomes = dict(in_order(engine, items))
    assert list(outcomes) == names
    assert isinstance(outcomes.pop("always"), Failed)
    assert all(isinstance(outcome, Review) and outcome.status == "complete" for outcome in outcomes.values())


class Recorder:
    """An engine that notes how many tasks are under way."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.under_way = 0
        self.most = 0

    def submit(self, task: Task) -> Waiter:
        self.under_way += 1
        self.most = max(self.most, self.under_way)

        def wait() -> Outcome:
            self.under_way -= 1
            return Failed(task.name, 3)

        return wait


@pytest.mark.parametrize(("at_once", "most"), [(1, 1), (3, 12)])
def test_tasks_are_taken_only_as_they_are_needed(at_once: int, most: int) -> None:
    engine = Recorder(at_once)
    taken = 0

    def tasks() -> Iterator[tuple[int, Task]]:
        nonlocal taken
        for number in range(200):
            taken += 1
            yield number, Task(str(number), b"")

    outcomes = in_order(engine, tasks())
    next(outcomes)
    assert taken == most
    assert [number for number, _ in outcomes] == list(range(1, 200))
    assert engine.most == most


class Slow:
    """A reviewer that is asked about two documents at once, or waits for ever."""

    name = "slow"

    def __init__(self) -> None:
        self.waiting = 0

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        import asyncio

        self.waiting += 1
        while self.waiting < 2:
            await asyncio.sleep(0.001)
        return Found(point, ())


def test_a_model_reads_several_documents_together_in_one_process() -> None:
    with open_engine("local", 2, Settings(now=NOON, reviewer=Slow())) as engine:
        outcomes = [
            outcome for _, outcome in in_order(engine, [(n, Task(f"{n}.md", b"# x")) for n in range(2)])
        ]
    assert all(isinstance(outcome, Review) for outcome in outcomes)


def test_engines_that_cannot_be_used_say_so() -> None:
    with pytest.raises(InputError, match="only the embedded reviewer"):
        open_engine("ray", 2, Settings(reviewer=Slow()))
    with pytest.raises(InputError, match="expected one of"):
        open_engine("hadoop", 2, Settings())


def test_a_single_job_needs_no_other_process() -> None:
    assert isinstance(open_engine("local", 1, Settings()), InProcess)
