"""Learn `rules/weights.json` from labelled documents: `python benchmarks/train.py [--check]` (needs the extra `bench`).

The documents are those of `benchmarks/training` (written for this, faults marked inline as ⟦POINT,ALSO|sentence⟧).
Two linear models over `reviewers/embedded/features.py`: is there a fault, and which of the points that wording shows.
Prints, by cross-validation over whole documents, precision and recall at several thresholds, what the reviewer's own keep
and add, and how well the probabilities are calibrated. `--check` prints and writes nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
from cg_review.parse import parse
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.features import READ, Features, classes_of, features, tokens_of
from cg_review.reviewers.embedded.judgement import ADD, KEEP, WORDED, by_place, said_by
from cg_review.reviewers.embedded.weights import NAME, Linear, Weights
from labelled import LabelledText, read_training
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
RULES = HERE.parent / "rules"
TODAY = date(2026, 11, 30)
SEEN_IN = 4  # sentences that a feature must occur in
STRENGTH = 0.5  # inverse of the regularisation
EXAMPLE = 2.0  # what an example of the rules counts for; a sentence of a document counts for 1
SHARE = 0.15  # of the sentences of a document as people write it are faulty; the training documents have more
LEAST = 0.05  # a weight nearer to nothing is left out
FOLDS = 8


@dataclass(frozen=True)
class Sentence:
    """A sentence of a training document: its features, and the points of the fault marked on it, the best first."""

    document: str
    features: Features
    points: tuple[int, ...]
    weight: float = 1.0


def sentences(reviewer: EmbeddedReviewer, text: LabelledText) -> Iterator[Sentence]:
    """The sentences that the weights will read, as they will read them."""
    classes = classes_of(reviewer.points.values())
    analysis = Analysis(parse(text.text), TODAY, reviewer.traits)
    found = by_place({point: reviewer.of_rules(point, analysis) for point in reviewer.points})
    for reading in analysis.readings:
        segment = reading.segment
        if segment.kind in READ:
            points = next(
                (p for start, end, p in text.faults if start < segment.span.end and segment.span.start < end),
                (),
            )
            yield Sentence(
                text.name,
                features(
                    reading,
                    tokens_of(reading.lower),
                    analysis,
                    classes,
                    said_by(found.get(segment.number, {})),
                ),
                points,
            )


def of_rules(reviewer: EmbeddedReviewer) -> Iterator[Sentence]:
    """The examples of the rule files, which the reviewer has to get right."""
    for point in reviewer.points.values():
        fire = [*point.fails, *(example for rule in point.patterns for example in rule.fires)]
        silent = [*point.passes, *(example for rule in point.patterns for example in rule.silent)]
        for number, example in enumerate([*fire, *silent]):
            at = example.text.find(example.quote or example.text)
            fault = (at, at + len(example.quote or example.text), (point.id,))
            text = LabelledText(
                f"example {point.id} {number}", example.text, (fault,) if number < len(fire) else ()
            )
            yield from (replace(one, weight=EXAMPLE) for one in sentences(reviewer, text))


def weighted(examples: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, with those without fault weighing as much more as is needed for the share of faults to be `SHARE`."""
    faulty = sum(bool(example.points) for example in examples)
    more = faulty * (1 - SHARE) / SHARE / (len(examples) - faulty)
    return [one if one.points else replace(one, weight=more) for one in examples]


def learn(examples: Sequence[Sentence]) -> Weights:
    """Two models: is there a fault; and of each point that wording shows, can the fault be filed under it."""
    worded = [example for example in examples if example.points and example.points[0] in WORDED]
    return Weights(
        about="written by benchmarks/train.py; do not edit",
        fault=_fit(examples, [bool(e.points) for e in examples]),
        points={point: _fit(worded, [point in e.points for e in worded]) for point in WORDED},
    )


def _fit(examples: Sequence[Sentence], labels: Sequence[bool]) -> Linear:
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([example.features for example in examples])
    often = np.flatnonzero(np.asarray((matrix > 0).sum(axis=0)).ravel() >= SEEN_IN)
    names = vectorizer.get_feature_names_out()[often]
    model = LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(matrix[:, often], labels, sample_weight=[example.weight for example in examples])
    weights = {
        str(n): round(float(w), 2)
        for n, w in zip(names, model.coef_[0], strict=True)
        if abs(w) >= LEAST or str(n).startswith("rule ")
    }
    return Linear(bias=round(float(model.intercept_[0]), 2), weights=weights)


def cross_validate(
    examples: Sequence[Sentence], always: Sequence[Sentence]
) -> list[tuple[float, Sentence, int]]:
    """Probability and leading point of each sentence, by weights that never saw its document."""
    documents = sorted({example.document for example in examples})
    judged = []
    for fold in range(FOLDS):
        held = set(documents[fold::FOLDS])
        weights = learn([*(e for e in examples if e.document not in held), *always])
        judged += [
            (weights.probability(e.features), e, weights.leading_point(e.features))
            for e in examples
            if e.document in held
        ]
    return judged


def report(judged: Sequence[tuple[float, Sentence, int]]) -> None:
    """Print how the held-out sentences fared, with the share of faults as it is in documents."""
    faults = _weight(e for _, e, _ in judged if e.points)
    for threshold in (0.3, 0.4, 0.5, 0.6):
        found = [(e, lead) for p, e, lead in judged if p >= threshold]
        right = _weight(e for e, _ in found if e.points)
        strict = _weight(e for e, lead in found if lead in e.points)
        all_found = _weight(e for e, _ in found)
        print(
            f"from {threshold}: precision {right / all_found:.2f} ({strict / all_found:.2f} with the right point), "
            f"recall {right / faults:.2f}"
        )
    ruled = [(p, e) for p, e, _ in judged if "says" in e.features]
    alone = [(p, e) for p, e, _ in judged if "says" not in e.features]
    _print_share(f"rules' findings below {KEEP}, which are dropped", [e for p, e in ruled if p < KEEP])
    _print_share(f"rules' findings from {KEEP}", [e for p, e in ruled if p >= KEEP])
    _print_share(f"sentences that no rule saw, from {ADD}", [e for p, e in alone if p >= ADD])
    print("calibration (said: flagged, of how many sentences)")
    for low in range(10):
        inside = [e for p, e, _ in judged if low / 10 <= p < (low + 1) / 10]
        if inside:
            flagged = _weight(e for e in inside if e.points) / _weight(inside)
            print(f"  {low / 10:.1f}-{(low + 1) / 10:.1f}: {flagged:.2f} of {len(inside)}")


def _print_share(what: str, examples: Sequence[Sentence]) -> None:
    right = _weight(e for e in examples if e.points) / max(1e-9, _weight(examples))
    print(f"{what}: {len(examples)}, of them faulty {right:.2f}")


def _weight(examples: Iterable[Sentence]) -> float:
    return sum(example.weight for example in examples)


def main() -> None:
    """Learn, say how well, and write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="*", default=[HERE / "training"])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    reviewer = EmbeddedReviewer()
    texts = [text for folder in arguments.data for text in read_training(folder)]
    examples = weighted([sentence for text in texts for sentence in sentences(reviewer, text)])
    print(
        f"{len(texts)} documents, {len(examples)} sentences, {sum(bool(e.points) for e in examples)} of them faulty"
    )
    report(cross_validate(examples, learn_always := list(of_rules(reviewer))))
    if not arguments.check:
        weights = learn([*examples, *learn_always])
        text = json.dumps(weights.model_dump(), ensure_ascii=False, indent=0, sort_keys=True)
        (RULES / NAME).write_text(text + "\n", encoding="utf-8")
        print(f"{len(weights.fault.weights)} weights written, {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
