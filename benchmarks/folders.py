"""What a run over many documents takes: documents and words per second, memory, skipping, by number of processes.

python benchmarks/folders.py --documents 1000 --jobs 1 2
python benchmarks/folders.py --documents 1000 10000      # memory against the number of documents
python benchmarks/folders.py --data DIR                  # your own documents
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SENTENCES = (
    "Revenue will be $9M by 2027.",
    "Our platform is the fastest on the market.",
    "Prices start at $4 per month.",
    "The service may restart once a day.",
    "The team met on Monday and went through the open tickets.",
    "The importer reads CSV files and writes them to the store.",
)


def make(folder: Path, count: int) -> int:
    """Write documents of about 100 words; return their words."""
    words = 0
    for number in range(count):
        told = [SENTENCES[(number + offset) % len(SENTENCES)] for offset in range(12)]
        text = f"# Document {number}\n\n" + " ".join(told[:6]) + "\n\n## More\n\n" + " ".join(told[6:]) + "\n"
        path = folder / f"{number % 100:02}" / f"doc-{number:07}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        words += len(text.split())
    return words


def measure(folder: Path, output: Path, jobs: int, engine: str = "local") -> tuple[float, float, int, int]:
    """Seconds, seconds of CPU (children included), peak memory of the main process in KiB, bytes of JSON."""
    command = [sys.executable, "-m", "cg_review", str(folder), "-o", str(output), "--model", "embedded"]
    command += ["--jobs", str(jobs), "--engine", engine, "--format", "json", "--today", "2026-11-30"]
    report = output.with_suffix(".json")
    with report.open("wb") as stdout:
        began, cpu = time.perf_counter(), _cpu()
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _memory(process.pid))
            time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"cg-review ended with {process.returncode}")
    return time.perf_counter() - began, _cpu() - cpu, peak, report.stat().st_size


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, nargs="+", default=[1000])
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engine", nargs="+", default=["local"])
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    print(
        "| documents | engine | jobs | seconds | CPU s | documents/s | words/s | peak MiB | again, s | again, CPU s | JSON MiB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for count in options.documents:
        for engine in options.engine:
            for jobs in options.jobs:
                with tempfile.TemporaryDirectory() as scratch:
                    folder = options.data or Path(scratch, "in")
                    words = make(folder, count) if options.data is None else _words(folder)
                    documents = count if options.data is None else len(list(folder.rglob("*.md")))
                    seconds, cpu, peak, size = measure(folder, Path(scratch, "out"), jobs, engine)
                    again, again_cpu, _, _ = measure(folder, Path(scratch, "out"), jobs, engine)
                    cells = (
                        documents,
                        engine,
                        jobs,
                        f"{seconds:.1f}",
                        f"{cpu:.1f}",
                        f"{documents / seconds:.0f}",
                        f"{words / seconds:.0f}",
                    )
                    more = (f"{peak / 1024:.0f}", f"{again:.1f}", f"{again_cpu:.1f}", f"{size / 2**20:.1f}")
                    print("| " + " | ".join(map(str, (*cells, *more))) + " |", flush=True)


def _words(folder: Path) -> int:
    return sum(len(path.read_text(encoding="utf-8").split()) for path in folder.rglob("*.md"))


if __name__ == "__main__":
    main()
