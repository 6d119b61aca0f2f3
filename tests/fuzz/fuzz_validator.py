"""The fuzz target: `make fuzz`. With atheris it is guided by coverage; without, it mutates the corpus at random.

python tests/fuzz/fuzz_validator.py --seconds 60
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
CASES = TESTS / "validator" / "cases"
LARGEST = 4_000  # bytes of a corpus document that is worth mutating


def seeds() -> list[bytes]:
    """The corpus documents that are small enough."""
    return [
        raw for raw in (path.read_bytes() for path in sorted(CASES.rglob("*.cgd.md"))) if len(raw) <= LARGEST
    ]


def mutated(raw: bytes, others: list[bytes], choose: random.Random) -> bytes:
    """Cut, repeat, splice and flip at random."""
    data = bytearray(raw)
    for _ in range(choose.randint(1, 6)):
        start = choose.randrange(len(data) + 1)
        stop = min(len(data), start + choose.choice((0, 1, 2, 8, 40)))
        other = choose.choice(others)
        cut = choose.randrange(len(other) + 1)
        data[start:stop] = choose.choice(
            (
                b"",
                bytes(data[start:stop] * 2),
                other[cut : cut + choose.choice((1, 8, 60))],
                bytes([choose.randrange(256)]),
            )
        )
    return bytes(data)


def run_random(seconds: float, seed: int) -> int:
    """Mutate until the time is over; return how many documents were tried."""
    from fuzz.invariants import check_bytes

    choose, corpus, tried = random.Random(seed), seeds(), 0
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        raw = mutated(choose.choice(corpus), corpus, choose)
        try:
            check_bytes(raw)
        except BaseException:
            kept = Path(tempfile.gettempdir()) / f"cg-review-crash-{seed}-{tried}.cgd.md"
            kept.write_bytes(raw)
            print(f"crash kept in {kept}", file=sys.stderr)
            raise
        tried += 1
    return tried


def run_atheris(seconds: float) -> None:
    """Let atheris drive; it ends the process itself."""
    import atheris

    with atheris.instrument_imports(include=["cg_review"]):
        from fuzz.invariants import check_bytes
    folder = Path(tempfile.mkdtemp(prefix="cg-review-corpus-"))
    for number, raw in enumerate(seeds()):
        (folder / str(number)).write_bytes(raw)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={int(seconds)}",
            f"-max_len={LARGEST}",
            "-rss_limit_mb=2048",
            str(folder),
        ],
        check_bytes,
    )
    atheris.Fuzz()


def main() -> None:
    """Choose the driver that is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--random", action="store_true", help="Mutate at random even where atheris is installed."
    )
    options = parser.parse_args()
    try:
        import atheris  # noqa: F401
    except ImportError:
        options.random = True
    if options.random:
        print(f"{run_random(options.seconds, options.seed)} documents, no fault found")
    else:
        run_atheris(options.seconds)


if __name__ == "__main__":
    main()
