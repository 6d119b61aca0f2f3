"""How weights are learned from labelled documents (see train.py): sentences as the reviewer will see them, linear models.

The models are those of `reviewers/embedded/weights.py`, over the features of `reviewers/embedded/features.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
from cg_review.errors import CgReviewError
from cg_review.markers import load_markers
from cg_review.origin import read_origin
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.features import READ, Features, Vocabulary, see
from cg_review.reviewers.embedded.judgement import WORDED, by_place, said_by
from cg_review.reviewers.embedded.weights import Company, Linear, of_others
from labelled import LabelledText, read_real
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

TODAY = date(2026, 11, 30)
FOLDS = 8  # parts that the documents are held out in
SEEN_IN = 4  # sentences that a feature must occur in
STRENGTH = 0.5  # inverse of the regularisation
EXAMPLE = 3.0  # what an example of the rules counts for; a sentence of a document counts for 1
SHARE = 0.15  # of the sentences of an in-house document are faulty; the training documents have more
LENT = 0.3  # what a sentence of an in-house document counts for, where published ones are learned
STRENGTH_OF_TWO = 0.02  # inverse of the regularisation, where a feature has two weights
LEAST = 0.05  # a weight nearer to nothing is left out
AGREED = 2  # readers who flagged a place of a published document
_OWN = ("in-house ", "published ")  # before the name of a feature, its weight in one kind of document


@dataclass(frozen=True)
class Sentence:
    """A sentence of a labelled document: its features, and the points of the fault marked on it, the best first."""

    document: str
    features: Features
    points: tuple[int, ...]
    weight: float = 1.0


def analysis_of(reviewer: EmbeddedReviewer, text: LabelledText) -> Analysis:
    """A document as the reviewer reads it, without its frontmatter."""
    origin = read_origin(text.text.encode(), text.name, load_markers())
    return Analysis(origin.document(), TODAY, reviewer.traits)


def sentences(reviewer: EmbeddedReviewer, text: LabelledText) -> Iterator[Sentence]:
    """The sentences that the weights will read, as they will read them."""
    vocabulary = Vocabulary(reviewer.points.values())
    analysis = analysis_of(reviewer, text)
    found = by_place({point: reviewer.of_rules(point, analysis) for point in reviewer.points})
    for reading in analysis.readings:
        segment = reading.segment
        if segment.kind in READ:
            points = next(
                (p for start, end, p in text.faults if start < segment.span.end and segment.span.start < end),
                (),
            )
            said = said_by(found.get(segment.number, {}))
            seen = see(reading, analysis, vocabulary, said).features
            yield Sentence(text.name, seen, points)


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


def read_published(folder: Path) -> tuple[list[LabelledText], list[str]]:
    """The published documents of a folder (format of accuracy.py) with the places that readers agreed on; and, a line each,
    those that are left out as they can't be reviewed, and why."""
    texts = [
        LabelledText(
            name,
            text,
            tuple(
                (p["start"], p["end"], (p["point"], *(q for q in p["points"] if q != p["point"])))
                for p in places
                if p["readers"] >= AGREED
            ),
        )
        for name, text, places in read_real(folder)
    ]
    refused = {text.name: _refusal(text) for text in texts}
    return [text for text in texts if not refused[text.name]], [why for why in refused.values() if why]


def _refusal(text: LabelledText) -> str:
    """Why a document can't be reviewed; empty where it can."""
    try:
        read_origin(text.text.encode(), text.name, load_markers())
    except CgReviewError as error:
        return str(error)
    return ""


def weighted(examples: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, with those without fault weighing as much more as is needed for the share of faults to be `SHARE`."""
    faulty = sum(bool(example.points) for example in examples)
    more = faulty * (1 - SHARE) / SHARE / (len(examples) - faulty)
    return [one if one.points else replace(one, weight=more) for one in examples]


def learn_in_house(examples: Sequence[Sentence]) -> Linear:
    """Is there a fault, in a document as a company writes it for itself. Faults that another place shows are left out:
    by itself such a sentence is like those without fault."""
    shown = [e for e in examples if not e.points or any(point in WORDED for point in e.points)]
    return fit(
        [e.features for e in shown], [bool(e.points) for e in shown], weights=[e.weight for e in shown]
    )


def learn_published(published: Sequence[Sentence], in_house: Sequence[Sentence]) -> Linear:
    """Is there a fault, in a published document, learned from both kinds: every feature has a weight that they share and
    one of each kind's own (Daumé 2007, "Frustratingly easy domain adaptation"); a published document gets the sum."""
    both = [*published, *(replace(e, weight=e.weight * LENT) for e in in_house)]
    doubled = [
        {**e.features, **{_OWN[number < len(published)] + name: value for name, value in e.features.items()}}
        for number, e in enumerate(both)
    ]
    labels, weights = [bool(e.points) for e in both], [e.weight for e in both]
    fitted = fit(doubled, labels, STRENGTH_OF_TWO, weights)
    summed: dict[str, float] = defaultdict(float)
    for name, weight in fitted.weights.items():
        if not name.startswith(_OWN[0]):
            summed[name.removeprefix(_OWN[1])] += weight
    return _kept(fitted.bias, summed)


def learn_company(documents: Sequence[tuple[list[float], list[Sentence]]]) -> Company:
    """What a sentence's own score and that of the others of its document are worth, of the scores by document."""
    rows = [row for scores, _ in documents for row in zip(scores, of_others(scores), strict=True)]
    examples = [e for _, its in documents for e in its]
    model = LogisticRegression(C=10)
    model.fit(rows, [bool(e.points) for e in examples], sample_weight=[e.weight for e in examples])
    own, others = (round(float(weight), 2) for weight in model.coef_[0])
    return Company(bias=round(float(model.intercept_[0]), 2), own=own, others=others)


def learn_points(examples: Sequence[Sentence]) -> dict[int, Linear]:
    """Of each point that wording shows, whether a fault can be filed under it."""
    worded = [example for example in examples if example.points and example.points[0] in WORDED]
    seen, weights = [e.features for e in worded], [e.weight for e in worded]
    return {point: fit(seen, [point in e.points for e in worded], weights=weights) for point in WORDED}


def fit(
    seen: Sequence[Features],
    labels: Sequence[bool],
    strength: float = STRENGTH,
    weights: Sequence[float] | None = None,
) -> Linear:
    """A linear model over features, without those that are seldom or weigh nothing."""
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(seen)
    often = np.flatnonzero(np.asarray((matrix > 0).sum(axis=0)).ravel() >= SEEN_IN)
    names = vectorizer.get_feature_names_out()[often]
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit(matrix[:, often], labels, sample_weight=weights)
    return _kept(model.intercept_[0], dict(zip(map(str, names), model.coef_[0], strict=True)))


def _kept(bias: float, weights: Mapping[str, float]) -> Linear:
    """The weights that weigh something; those of the rules all, which says that the rule was learned."""
    return Linear(
        bias=round(float(bias), 2),
        weights={
            name: round(float(weight), 2)
            for name, weight in weights.items()
            if abs(weight) >= LEAST or name.startswith("rule ")
        },
    )
