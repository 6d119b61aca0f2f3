"""How fast validating is, against PyPI `clarity-gate` in the same run: `pip install '.[bench]'; python benchmarks/validate.py`.

Prints three ratios: one small file from the command line (wall time, aim at most 1.0), documents in one process (rate, aim
at least 3), and time per byte from 10 kB to 10 MB (aim flat). The two commands are installed the same way, side by side;
bytecode is compiled before the clock starts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from cg_review.cgd.seal import seal
from cg_review.validator import validate

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
PARAGRAPH = (
    "Row {0} was replanted in March 2026 *(orchard log, p. {0})*. The **older** trees bear well in most years "
    "*(own counts, 2021 to 2025)*, and `prune --gently` is what the manual says about them.\n\n"
)
CLAIM = """  - id: claim-{0:08x}
    text: "Row {0} bears {0} kg a tree"
    source: "Harvest log 2025, page {0}"
    location: "orchard-notes/{0}"
    round: B
    confirmed-by: Ines Prat
    confirmed-date: 2026-06-09
"""
FRONTMATTER = """---
clarity-gate-version: 2.1
processed-date: 2026-06-10
processed-by: cg-review
clarity-status: CLEAR
hitl-status: REVIEWED
hitl-pending-count: 0
points-passed: 1-9
rag-ingestable: true
document-sha256: PENDING
"""
TABLE = "---\n\n## HITL Verification Record\n\n### Round B: True HITL Verification\n| # | Claim | Status | Verified By | Date |\n|---|---|---|---|---|\n"
ROW = "| {0} | Row {0} bears {0} kg a tree | ✓ Confirmed | Ines Prat | 2026-06-09 |\n"


def make(paragraphs: int, claims: int) -> str:
    """A valid document of that many paragraphs and claims."""
    numbers = range(1, claims + 1)
    body = "\n# Orchard Notes\n\n" + "".join(map(PARAGRAPH.format, range(paragraphs)))
    record = TABLE + "".join(map(ROW.format, numbers)) + "\n" if claims else ""
    listed = "hitl-claims:\n" + "".join(map(CLAIM.format, numbers)) if claims else "hitl-claims: []\n"
    front = FRONTMATTER + listed + "---\n"
    return seal(f"{front}{body}{record}<!-- CLARITY_GATE_END -->\nClarity Gate: CLEAR | REVIEWED\n")


def command_line(theirs: str, runs: int) -> tuple[float, float]:
    """Least wall seconds of our command and theirs on one small file, taken in turns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.cgd.md"
        path.write_text(make(5, 2), encoding="utf-8")
        ours = Path(folder) / "cg-review"
        ours.write_text(f"#!{sys.executable}\nfrom cg_review.cli import main\nmain()\n", encoding="utf-8")
        ours.chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        commands = ([str(ours), "validate", str(path)], [theirs, "check", str(path)])
        times: tuple[list[float], list[float]] = ([], [])
        for turn in range(runs + 1):
            for command, taken in zip(commands, times, strict=True):
                started = time.perf_counter()
                subprocess.run(
                    command,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    check=False,
                )
                if turn:  # the first turn compiles and warms
                    taken.append(time.perf_counter() - started)
    return min(times[0]), min(times[1])  # the least disturbed run of each


def rates(checks: list[Callable[[str], object]], documents: list[str]) -> list[float]:
    """Documents a CPU second for each check; they take turns of a hundred, so that a busy machine is fair to both."""
    taken = [0.0] * len(checks)
    for start in range(0, len(documents), 100):
        for index, check in enumerate(checks):
            started = time.process_time()
            for document in documents[start : start + 100]:
                check(document)
            taken[index] += time.process_time() - started
    return [len(documents) / seconds for seconds in taken]


def per_byte() -> list[tuple[int, float]]:
    """(bytes, nanoseconds a byte) for documents of 10 kB to 10 MB."""
    rows = []
    for size in (10_000, 100_000, 1_000_000, 10_000_000):
        text = make(size // len(PARAGRAPH.encode()), 3)
        repeats = max(1, 1_000_000 // size)
        started = time.process_time()
        for _ in range(repeats):
            validate(text, now=NOW)
        length = len(text.encode())
        rows.append((length, (time.process_time() - started) / repeats / length * 1e9))
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs of each command")
    parser.add_argument("--documents", type=int, default=2000)
    options = parser.parse_args()
    theirs = shutil.which(
        "clarity-gate", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    )
    if theirs:
        ours_wall, theirs_wall = command_line(theirs, options.runs)
        print(
            f"one small file, command line: cg-review {ours_wall * 1e3:.0f} ms, clarity-gate {theirs_wall * 1e3:.0f} ms, ratio {ours_wall / theirs_wall:.2f}"
        )
    else:
        print("clarity-gate is not installed: pip install '.[bench]'")
    documents = [make(3 + number % 10, number % 5) for number in range(options.documents)]
    checks: list[Callable[[str], object]] = [lambda text: validate(text, now=NOW)]
    try:
        from clarity_gate import validate as validate_theirs  # type: ignore[import-not-found]
    except ImportError:
        pass
    else:
        checks.append(validate_theirs)
    mine, *others = rates(checks, documents)
    print(f"{len(documents)} documents in one process: cg-review {mine:.0f} a second", end="")
    print("".join(f", clarity-gate {other:.0f} a second, ratio {mine / other:.2f}" for other in others))
    for length, nanoseconds in per_byte():
        print(f"{length:>10,} bytes: {nanoseconds:.0f} ns a byte")


if __name__ == "__main__":
    main()
