"""How well `--across` finds what documents tell differently: `python benchmarks/across.py [--data DIR…] [--show]`.

Each DIR is a folder of documents with an `expected.json`: `conflicts` and look-alikes that are `fine`, as places
[path, words that stand there once]. A reported conflict is right if all its places are of one expected conflict, at
least two of them. Without `expected.json`, whatever is reported is printed for a person to judge.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

from cg_review.across import Across
from cg_review.reports import render
from cg_review.results import Conflict, Review, Tool

SETS = Path(__file__).resolve().parents[1] / "tests" / "across"
_TOOL = Tool(version="", rules="", model="")

Place = tuple[str, int]


@dataclass
class Score:
    """What was reported of a folder, against what was expected."""

    right: list[Conflict] = field(default_factory=list)
    false: list[Conflict] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    expected: int = 0
    fine: int = 0
    documents: int = 0

    @property
    def precision(self) -> float:
        """Share of the reported conflicts that are right; 1 where none is reported."""
        reported = len(self.right) + len(self.false)
        return len(self.right) / reported if reported else 1.0

    @property
    def recall(self) -> float:
        """Share of the expected conflicts that are reported; 1 where none is expected."""
        return 1 - len(self.missed) / self.expected if self.expected else 1.0


def read(folder: Path) -> dict[str, str]:
    """The Markdown documents of a folder, by path inside it."""
    paths = sorted(folder.rglob("*.md"))
    return {str(path.relative_to(folder)): path.read_bytes().decode("utf-8", "replace") for path in paths}


def conflicts_of(texts: dict[str, str]) -> list[Conflict]:
    """What `--across` reports of documents."""
    across = Across()
    for path, text in texts.items():
        review = Review(path=path, status="complete", verdict=None, text=text, tool=_TOOL)
        list(across.watch([review]))
    return across.conflicts()


def score(folder: Path) -> Score:
    """Compare what is reported of a folder with its `expected.json`."""
    texts = read(folder)
    labels = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    expected = [
        (one["kind"], {_place(texts, *place) for place in one["places"]}) for one in labels["conflicts"]
    ]
    for one in labels["fine"]:
        for place in one["places"]:
            _place(texts, *place)  # a look-alike that is not there tests nothing
    result = Score(expected=len(expected), fine=len(labels["fine"]), documents=len(texts))
    hit: set[int] = set()
    for conflict in conflicts_of(texts):
        places = {(one.path, one.line) for one in conflict.places}
        met = next(
            (i for i, (_, wanted) in enumerate(expected) if len(places) > 1 and places <= wanted), None
        )
        (result.false if met is None else result.right).append(conflict)
        hit |= set() if met is None else {met}
    result.missed = [f"{kind}: {sorted(p)}" for i, (kind, p) in enumerate(expected) if i not in hit]
    return result


def _place(texts: dict[str, str], path: str, words: str) -> Place:
    if texts[path].count(words) != 1:
        raise SystemExit(f"{path}: {words!r} stands there {texts[path].count(words)} times, not once")
    return path, texts[path][: texts[path].index(words)].count("\n") + 1


def _as_text(conflicts: list[Conflict]) -> str:
    return render("text", [], _TOOL, conflicts=lambda: conflicts)


def main() -> None:
    """Print a line a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", default=sorted(SETS.glob("*/")))
    parser.add_argument("--show", action="store_true", help="List what is missed and what is false.")
    options = parser.parse_args()
    print("| folder | documents | conflicts | look-alikes | reported | precision | recall |")
    print("|---|---|---|---|---|---|---|")
    for folder in options.data:
        if not (folder / "expected.json").exists():
            found = conflicts_of(read(folder))
            print(f"| {folder.name} | {len(read(folder))} | ? | ? | {len(found)} | | |\n{_as_text(found)}")
            continue
        one = score(folder)
        reported = len(one.right) + len(one.false)
        print(
            f"| {folder.name} | {one.documents} | {one.expected} | {one.fine} | {reported} "
            f"| {one.precision:.2f} | {one.recall:.2f} |"
        )
        if options.show:
            print("".join(f"missed  {miss}\n" for miss in one.missed), end="")
            print("".join(f"false   {line}\n" for line in _as_text(one.false).splitlines()), end="")


if __name__ == "__main__":
    main()
