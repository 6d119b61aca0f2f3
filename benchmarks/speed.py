"""How fast a review is, and how its cost grows: `pip install '.[bench]'; python benchmarks/speed.py [--data DIR]`.

Prints words per second of the whole pipeline (parsing to validated CGD, embedded reviewer, one process) beside those of
proselint on the same text in the same run, and what ten copies of a document cost against one. `--data DIR` takes the
Markdown files of a folder (default: examples/).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from cg_review import review
from cg_review.errors import CgReviewError

TODAY = date(2026, 11, 30)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(__file__).parent.parent / "examples")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed; the best counts")
    options = parser.parse_args()
    texts = [text for path in sorted(options.data.rglob("*.md")) if (text := readable(path))]
    words = sum(len(text.split()) for text in texts)
    print(f"{len(texts)} documents, {words} words")
    lint = proselint(texts)
    works = [lambda: [review(text, name="a.md", today=TODAY) for text in texts], *([lint] if lint else [])]
    ours, *theirs = timed(works, options.rounds)
    print(f"cg-review   {words / ours:10,.0f} words/s")
    for other in theirs:
        print(f"proselint   {words / other:10,.0f} words/s")
        print(f"ratio       {other / ours:10.2f}   (aim: at least 1.0)")
    longest = max(texts, key=len)
    print(f"\ncopies of one document of {len(longest.split())} words   (aim: ten cost at most 11 times one)")
    copies = (1, 2, 5, 10)
    longer = ["\n\n".join([longest] * number) for number in copies]
    once, *took = timed(
        [partial(review, text, name="a.md", today=TODAY) for text in (longest, *longer)], options.rounds
    )
    for number, seconds in zip(copies, took, strict=True):
        print(f"{number:3} x {seconds:8.2f} s   ratio {seconds / once:6.2f}")


def readable(path: Path) -> str | None:
    """The text of a document that can be reviewed, without frontmatter: copies of it are concatenated."""
    text = path.read_text(encoding="utf-8")
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    try:
        review(text, name=path.name, today=TODAY)
    except CgReviewError:
        return None
    return text


def timed(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """CPU seconds of each of `works`, run by turns; the best of `rounds` runs: what else the machine does only adds."""
    took: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for times, work in zip(took, works, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return list(map(min, took))


def proselint(texts: list[str]) -> Callable[[], object] | None:
    """proselint on the same texts, in this process, started up as cg-review is; None where it is not installed."""
    try:
        from proselint.checks import __register__
        from proselint.registry import CheckRegistry
        from proselint.tools import LintFile
    except ImportError:
        print("proselint is not installed: pip install '.[bench]'")
        return None
    CheckRegistry().register_many(__register__)
    found = [LintFile("a.md", text).lint() for text in texts]
    print(f"(proselint finds {sum(map(len, found))} things in them)")
    return lambda: [LintFile("a.md", text).lint() for text in texts]


if __name__ == "__main__":
    main()
