"""What both cluster tests do: the same bytes as the local engine, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from pathlib import Path

from batch.tree import contents, make
from cg_review.api import run_sync
from cg_review.batch.engines import Engine, in_order
from cg_review.batch.work import Failed, Task, work
from cg_review.document import Document
from cg_review.pipeline import Settings
from cg_review.reports import render
from cg_review.results import Review
from cg_review.reviewers import PassResult
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.run import Options, plan, run

SETTINGS = Settings(now=datetime(2026, 11, 30, 12, tzinfo=UTC))


def review(folder: Path, engine: str) -> tuple[str, dict[str, bytes]]:
    """Review `folder`/in on an engine: the report, and the CGDs."""
    options = Options(jobs=2, engine=engine, force=True)
    output = folder / "out"
    with run(plan([str(folder / "in")], str(output), True, "-", options), SETTINGS, options) as documents:
        text = render("json", [one.review for one in documents], SETTINGS.tool)
    files = contents(output)
    for path in output.rglob("*.md"):
        path.unlink()
    return text, files


def same_bytes_as_local(folder: Path, engine: str) -> None:
    """Twenty documents, one of which cannot be read."""
    make(folder / "in", 20)
    (folder / "in/bad.md").write_bytes(b"\xff\xfe")
    assert review(folder, engine) == review(folder, "local")


class Leaving(EmbeddedReviewer):
    """An embedded reviewer that writes its process's number down, and takes its time."""

    tally = ""

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        with open(self.tally, "a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.05)
        return await super().run_all(points, document, today)

    def __reduce__(self) -> tuple[Callable[..., Leaving], tuple[str]]:  # type: ignore[override]
        return leaving, (self.tally,)


def leaving(tally: str) -> Leaving:
    """Make one."""
    made = Leaving()
    made.tally = tally
    return made


def survives_a_killed_worker(
    folder: Path, opened: Callable[[Settings, int], AbstractContextManager[Engine]]
) -> None:
    """Kill the worker that wrote first, while the work is going on."""
    tally = folder / "tally"
    settings = Settings(now=SETTINGS.now, reviewer=leaving(str(tally)))
    tasks = [(n, Task(f"{n}.md", f"# {n}\n\nRevenue will be ${n}M by 2027.\n".encode())) for n in range(60)]
    texts, killed = [], 0
    with opened(settings, 2) as engine:
        for number, outcome in in_order(engine, tasks):
            assert not isinstance(outcome, Failed), outcome
            texts.append((number, outcome.cgd_text))
            if number == 5:
                killed = int(tally.read_text().split()[0])
                assert killed != os.getpid()
                os.kill(killed, signal.SIGKILL)
    assert killed
    assert [number for number, _ in texts] == list(range(60))
    assert texts == [(n, _alone(task, settings).cgd_text) for n, task in tasks]


def _alone(task: Task, settings: Settings) -> Review:
    outcome = run_sync(work(task, Settings(now=settings.now)))
    assert isinstance(outcome, Review)
    return outcome
