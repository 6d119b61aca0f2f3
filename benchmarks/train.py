"""Learn `rules/weights.json` from labelled documents: `python benchmarks/train.py [--published DIR ...] [--check]`.

Needs the extra `bench`. The in-house documents are those of `benchmarks/training` (written for this, faults marked inline
as ⟦POINT,ALSO|sentence⟧). DIR has published documents in accuracy.py's second format, as `benchmarks/fetch.py` gets
them; without it the weights for published documents stay as they are. Prints, by cross-validation over whole documents,
precision and recall at several thresholds, what the reviewer's own keep and add, and how well the probabilities are
calibrated. `--check` prints and writes nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from cg_review import resources
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.judgement import IN_HOUSE, PUBLISHED, Needs
from cg_review.reviewers.embedded.weights import NAME, Company, Linear, Model, Weights, load_weights
from labelled import LabelledText, read_training
from learning import (
    FOLDS,
    Sentence,
    learn_company,
    learn_in_house,
    learn_points,
    learn_published,
    of_rules,
    read_published,
    sentences,
    weighted,
)
from pairing import learn_counterparts, marked
from sources import hash_of_sources

HERE = Path(__file__).resolve().parent
RULES = HERE.parent / "rules"

Learn = Callable[[list[Sentence]], Linear]
Judged = Sequence[tuple[float, Sentence]]


def cross_validate(examples: Sequence[Sentence], learn: Learn) -> tuple[Company, Judged]:
    """What the company of a sentence says, and the probability of each, by weights that never saw its document."""
    documents = sorted({example.document for example in examples})
    scored: list[tuple[list[float], list[Sentence]]] = []
    for fold in range(FOLDS):
        held = documents[fold::FOLDS]
        linear = learn([e for e in examples if e.document not in held])
        for name in held:
            its = [e for e in examples if e.document == name]
            scored.append(([linear.score(e.features) for e in its], its))
    company = learn_company(scored)
    return company, [
        pair for scores, its in scored for pair in zip(company.probabilities(scores), its, strict=True)
    ]


def report(judged: Judged, needs: Needs) -> None:
    """Print how the held-out sentences fared, with the share of faults as it is in documents."""
    faults = _weight(e for _, e in judged if e.points)
    for threshold in (0.3, 0.4, 0.5, 0.6):
        found = [e for p, e in judged if p >= threshold]
        right = _weight(e for e in found if e.points)
        print(
            f"from {threshold}: precision {right / max(1e-9, _weight(found)):.2f}, recall {right / faults:.2f}"
        )
    ruled = [(p, e) for p, e in judged if "says" in e.features]
    alone = [(p, e) for p, e in judged if "says" not in e.features]
    _print_share(f"rules' findings below {needs.keep}", [e for p, e in ruled if p < needs.keep])
    _print_share(f"rules' findings from {needs.keep}", [e for p, e in ruled if p >= needs.keep])
    _print_share(f"sentences that no rule saw, from {needs.add}", [e for p, e in alone if p >= needs.add])
    print("calibration (said: flagged, of how many sentences)")
    for low in range(10):
        inside = [e for p, e in judged if low / 10 <= p < (low + 1) / 10]
        if inside:
            flagged = _weight(e for e in inside if e.points) / _weight(inside)
            print(f"  {low / 10:.1f}-{(low + 1) / 10:.1f}: {flagged:.2f} of {len(inside)}")


def _print_share(what: str, examples: Sequence[Sentence]) -> None:
    right = _weight(e for e in examples if e.points) / max(1e-9, _weight(examples))
    print(f"{what}: {len(examples)}, of them faulty {right:.2f}")


def _weight(examples: Iterable[Sentence]) -> float:
    return sum(example.weight for example in examples)


def _print_size(kind: str, examples: Sequence[Sentence]) -> None:
    documents, faulty = len({e.document for e in examples}), sum(bool(e.points) for e in examples)
    print(f"{kind}: {documents} documents, {len(examples)} sentences, {faulty} of them faulty")


def _published(folder: Path) -> list[LabelledText]:
    """The published documents of a folder; says which are left out."""
    texts, left_out = read_published(folder)
    print("\n".join([f"{folder}: {len(texts)} documents, {len(left_out)} left out", *left_out]))
    return texts


def main() -> None:
    """Learn, say how well, and write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="*", default=[HERE / "training"])
    parser.add_argument("--published", type=Path, nargs="*", default=[])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if not resources.find("rules", NAME).resolve().is_relative_to(HERE.parent):
        parser.error("another cg-review is installed: its rules would be learned; pip install -e '.[bench]'")
    if folder := next((f for f in [*arguments.data, *arguments.published] if not f.is_dir()), None):
        parser.error(f"{folder}: no such folder")
    reviewer = EmbeddedReviewer()
    read = lambda texts: [sentence for text in texts for sentence in sentences(reviewer, text)]  # noqa: E731
    always = list(of_rules(reviewer))
    training = [text for folder in arguments.data for text in read_training(folder)]
    in_house = weighted(read(training))
    published = read(text for folder in arguments.published for text in _published(folder))
    lent = [*in_house, *always]
    _print_size("in-house", in_house)
    house_company, judged = cross_validate(in_house, lambda kept: learn_in_house([*kept, *always]))
    report(judged, IN_HOUSE)
    of_published = load_weights().published
    if published:
        _print_size("published", published)
        company, judged = cross_validate(published, lambda kept: learn_published(kept, lent))
        report(judged, PUBLISHED)
        of_published = Model(sentence=learn_published(published, lent), company=company)
    counterparts = learn_counterparts([marked(reviewer, text) for text in training], reviewer)
    if not arguments.check:
        weights = Weights(
            about="written by benchmarks/train.py; do not edit",
            learned_from=hash_of_sources(HERE.parent),
            in_house=Model(sentence=learn_in_house(lent), company=house_company),
            published=of_published,
            counterparts=counterparts,
            points=learn_points([*lent, *published]),
        )
        text = json.dumps(weights.model_dump(), ensure_ascii=False, indent=0, sort_keys=True)
        (RULES / NAME).write_text(text + "\n", encoding="utf-8")
        print(
            f"{len(weights.in_house.sentence.weights)} and {len(weights.published.sentence.weights)} weights, ",
            end="",
        )
        print(f"{len(text) // 1000} kB written")


if __name__ == "__main__":
    main()
