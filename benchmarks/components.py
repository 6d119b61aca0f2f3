"""Parts of the embedded reviewer on public labelled sentences: `python benchmarks/components.py --data DIR`.

DIR has hedge_wikiweasel/, causal_pubmed/, checkworthy_claimbuster/ and summedits/ (each with *.jsonl); what is missing is
left out. They judge parts, not the product: the labels ask "is it hedged", "is the language causal", "is it worth
checking", "does the summary contradict the text", and never whether the sentence should have been written otherwise.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from cg_review.parse import parse
from cg_review.points import rules_hash
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis, Reading

TODAY = date(2026, 11, 30)
REVIEWER = EmbeddedReviewer(min_confidence=0.0)
_FIGURE = re.compile(
    r"\d|\b(?:percent|million|billion|trillion|thousands?|hundreds?|more|fewer|less|most|highest|lowest|largest|first|doubled|half|twice|increased?|decreased?|cut|raised|lost|voted|spent|spending|jobs)\b"
)
CAUSAL = ("no_relationship", "correlational", "conditional_causal", "direct_causal")


def read(folder: Path, name: str = "*.jsonl") -> list[dict[str, Any]]:
    """All records of a folder's files."""
    lines = [
        line for path in sorted(folder.glob(name)) for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines if line.strip()]


def analyse(text: str) -> Analysis:
    """A sentence as the reviewer reads it."""
    return Analysis(parse(text), TODAY, REVIEWER.traits)


def has(analysis: Analysis, *traits: str) -> bool:
    """Whether a sentence has one of the traits."""
    return any(analysis.has(trait, reading) for reading in analysis.readings for trait in traits)


def calls(analysis: Analysis, point: int) -> bool:
    """Whether a pattern of the point matches, whatever silences it."""
    return any(_matches(reading, point, analysis) for reading in analysis.readings)


def _matches(reading: Reading, point: int, analysis: Analysis) -> bool:
    return any(
        pattern.matcher.found_in(reading.lower)
        and not any(other.found_in(reading.lower) for other in pattern.unless)
        for number, pattern in REVIEWER.patterns.patterns
        if number == point and not pattern.rule.case_sensitive
    )


def f1(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Precision, recall and F1 of the positive class from (predicted, labelled)."""
    count = Counter(pairs)
    hit = count[True, True]
    precision = hit / max(1, hit + count[True, False])
    recall = hit / max(1, hit + count[False, True])
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
    }


def hedged(folder: Path) -> dict[str, float]:
    """Is it hedged: F1 of "uncertain"."""
    return f1(
        (has(a, "vague"), record["label"] == "uncertain")
        for record in read(folder)
        for a in [analyse(record["text"])]
    )


def causal_class(analysis: Analysis) -> str:
    """The strength of a sentence's causal language: what comes first, an effect or a bare relation, tells the class."""
    if has(analysis, "advised"):
        return "no_relationship"
    effect, relation = first(analysis, "causal"), first(analysis, "correlated")
    if has(analysis, "causal") and effect <= relation:
        return "conditional_causal" if has(analysis, "guarded") else "direct_causal"
    return "correlational" if has(analysis, "correlated", "compared") else "no_relationship"


def first(analysis: Analysis, *traits: str) -> tuple[int, int]:
    """Where the first cue of one of the traits stands; after everything, where there is none."""
    return min(
        (
            (reading.segment.number, start)
            for reading in analysis.readings
            for trait in traits
            for start, _ in reading.spans_of(trait, analysis.traits)
        ),
        default=(sys.maxsize, 0),
    )


def causal(folder: Path) -> dict[str, float]:
    """Is the language causal: F1 of "direct_causal", and macro-F1 of the four classes."""
    pairs = [(causal_class(analyse(record["text"])), record["label"]) for record in read(folder)]
    scores = {name: f1((p == name, label == name) for p, label in pairs) for name in CAUSAL}
    return {**scores["direct_causal"], "macro_f1": sum(s["f1"] for s in scores.values()) / len(CAUSAL)}


def checkworthy(folder: Path) -> dict[str, float]:
    """Does it state a fact worth checking: F1 of "checkworthy"."""

    def states(analysis: Analysis) -> bool:
        figure = any(_FIGURE.search(reading.lower) for reading in analysis.readings)
        return (figure or any(calls(analysis, point) for point in (1, 6, 9))) and not has(
            analysis, "question"
        )

    return f1((states(analyse(record["text"])), record["label"] == "checkworthy") for record in read(folder))


def contradicted(folder: Path) -> dict[str, float]:
    """Does the document contradict its summary: balanced accuracy, the mean over domains."""
    documents = {record["doc_id"]: record["document"] for record in read(folder, "docs.jsonl")}
    hits: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for record in read(folder, "items.jsonl"):
        text = f"# Summary\n\n{record['text']}\n\n# Full text\n\n{documents[record['doc_id']]}\n"
        result = REVIEWER.ask(5, parse(text), TODAY)
        assert isinstance(result, Found)
        found = bool(result.findings)
        hits[record["domain"], record["label"]].append(found == (record["label"] == "inconsistent"))
    rate = {key: sum(values) / len(values) for key, values in hits.items()}
    domains = sorted({domain for domain, _ in rate})
    balanced = [(rate[d, "consistent"] + rate[d, "inconsistent"]) / 2 for d in domains]
    recall = [value for (_, label), values in hits.items() if label == "inconsistent" for value in values]
    return {"balanced_accuracy": sum(balanced) / len(balanced), "recall": sum(recall) / len(recall)}


COMPONENTS = {
    "hedge_wikiweasel": hedged,
    "causal_pubmed": causal,
    "checkworthy_claimbuster": checkworthy,
    "summedits": contradicted,
}


def main() -> None:
    """Run the benchmark and keep its numbers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    arguments = parser.parse_args()
    if not any((arguments.data / name).is_dir() for name in COMPONENTS):
        parser.error(f"{arguments.data}: none of {', '.join(COMPONENTS)} lies there")
    kept: dict[str, Any] = {"rules": rules_hash()}
    for name, component in COMPONENTS.items():
        if (arguments.data / name).is_dir():
            kept[name] = component(arguments.data / name)
            print(name, {key: round(value, 3) for key, value in kept[name].items()})
    path = Path(__file__).resolve().parent / "results" / "components.json"
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
