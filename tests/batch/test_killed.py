"""kill -9, for real: the command is killed at a random moment and resumed, and nothing differs from a run left alone."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from batch.tree import contents, make

DOCUMENTS = 60


def command(folder: Path, *more: str) -> list[str]:
    """Review `folder`/in into `folder`/out."""
    arguments = [str(folder / "in"), "-o", str(folder / "out"), "--format", "json", *more]
    return [sys.executable, "-m", "cg_review", *arguments]


def start(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=_env())


def _env() -> dict[str, str]:
    agent = str(Path(__file__).resolve().parents[2] / "agent")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([agent, os.environ.get("PYTHONPATH", "")])}


def run(arguments: list[str], folder: Path) -> bytes:
    """What a run that is left alone prints, without the folder's own name."""
    output = start(arguments).communicate()[0]
    return output[output.index(b"{") :].split(b"\n}\n")[0].replace(str(folder).encode(), b"")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    make(folder / "in", DOCUMENTS)
    report = run(command(folder, "--today", "2026-11-30"), folder)
    return {**contents(folder / "out"), "report": report}


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))], ids=str
)
def test_killed_and_resumed(tmp_path: Path, undisturbed: dict[str, bytes], seed: int) -> None:
    chance = random.Random(seed)
    make(tmp_path / "in", DOCUMENTS)
    more = ["--today", "2026-11-30", "--jobs", str(1 + seed % 2)]
    journal = tmp_path / "in/.cg-review/journal.jsonl"
    kills = 0
    for _ in range(1 + seed % 3):
        process = start(command(tmp_path, *more, *(["--resume"] if kills else [])))
        until = (journal.stat().st_size if journal.exists() else 0) + chance.choice((0, 1, 20_000, 60_000))
        reader = threading.Thread(target=process.stdout.read)  # type: ignore[union-attr]
        reader.start()
        while process.poll() is None and not (journal.exists() and journal.stat().st_size >= until):
            time.sleep(0.005)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        reader.join()
    report = run(command(tmp_path, *more, "--resume"), tmp_path)
    assert {**contents(tmp_path / "out"), "report": report} == undisturbed
    assert kills


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    make(tmp_path / "in", 400)
    process = start(command(tmp_path, "--jobs", "2", "--quiet", "--format", "text"))
    children: list[int] = []
    while process.poll() is None and len(children) < 3:  # two workers and multiprocessing's resource tracker
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        children = [int(child) for child in listed]
        time.sleep(0.02)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_text(tmp_path: Path) -> None:
    """Ten times the documents take what their paths and counts take, not what their texts and reports do."""

    def peak(count: int) -> int:
        folder = tmp_path / str(count)
        make(folder / "in", count)
        code = (
            "import resource, sys; from cg_review.cli import main\n"
            "try: main(sys.argv[1:])\n"
            "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        arguments = [
            str(folder / "in"),
            "-o",
            str(folder / "out"),
            "--format",
            "json",
            "--quiet",
            "--model",
            "embedded",
        ]
        with (folder / "report.json").open("wb") as report:
            done = subprocess.run(
                [sys.executable, "-c", code, *arguments],
                stdout=report,
                stderr=subprocess.PIPE,
                check=True,
                env=_env(),
            )
        return int(done.stderr.split()[-1])

    small, large = peak(200), peak(2_000)
    assert (large - small) / 1_800 < 8, (
        small,
        large,
    )  # KiB a document; a report of one takes as much already
