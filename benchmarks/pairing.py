"""How the models of `reviewers/embedded/counterparts.py` are learned: claims of point 7 and what takes them back.

The first two models score every segment by itself, the third every pair. So that the third learns from scores as they
will be on documents not learned from, each document is scored by models of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.counterparts import ABSENCES, CLAIMS, NEEDED, Pair, best_pairs, pairs_of
from cg_review.reviewers.embedded.features import Read, Vocabulary, see
from cg_review.reviewers.embedded.judgement import by_place, said_by
from cg_review.reviewers.embedded.weights import Counterparts, Linear, probability_of
from labelled import LabelledText
from learning import FOLDS, analysis_of, fit
from sklearn.linear_model import LogisticRegression

UNBUILT = 7
PAIR_STRENGTH = 1.0


@dataclass(frozen=True)
class Marked:
    """The segments of a document, which of them are claims that another takes back, and which take one back."""

    analysis: Analysis
    reads: list[Read]
    claims: list[bool]
    absences: list[bool]
    scores: tuple[list[float], list[float]] = ([], [])


def marked(reviewer: EmbeddedReviewer, text: LabelledText) -> Marked:
    """A document of `benchmarks/training` as the models will see it."""
    analysis = analysis_of(reviewer, text)
    vocabulary = Vocabulary(reviewer.points.values())
    found = by_place({point: reviewer.of_rules(point, analysis) for point in reviewer.points})
    reads = [
        see(r, analysis, vocabulary, said_by(found.get(r.segment.number, {})))
        for r in analysis.readings
        if r.segment.kind in ABSENCES
    ]
    spans = [read.reading.segment.span for read in reads]
    claims = [fault[:2] for fault in text.faults if fault[2][0] == UNBUILT]
    on = lambda places: [any(a < s.end and s.start < b for a, b in places) for s in spans]  # noqa: E731
    return Marked(analysis, reads, on(claims), on(text.counterparts))


def learn_counterparts(documents: Sequence[Marked], reviewer: EmbeddedReviewer) -> Counterparts:
    """The three models; prints how well pairs of documents not learned from are found."""
    scored = []
    for fold in range(FOLDS):
        claim, absence = _of_segments([d for number, d in enumerate(documents) if number % FOLDS != fold])
        scored += [replace(d, scores=_scores(d, claim, absence)) for d in documents[fold::FOLDS]]
    by_document = [(d, list(_pairs(d, reviewer))) for d in scored]
    pair = _of_pairs([pair for _, pairs in by_document for pair in pairs])
    best = [
        (d, pair_score)
        for d, pairs in by_document
        for pair_score in best_pairs([pair for pair, _ in pairs], pair)
    ]
    pair = _calibrated(pair, [(score, _is_claim(d, found)) for d, (found, score) in best])
    faults = sum(map(sum, (d.claims for d in scored)))
    likely = [(probability_of(pair.score(found.features)), _is_claim(d, found)) for d, (found, _) in best]
    for threshold in (0.2, 0.3, NEEDED, 0.5):
        right = [is_claim for probability, is_claim in likely if probability >= threshold]
        print(
            f"counterparts from {threshold}: {len(right)}, precision {np.mean(right):.2f}, recall {sum(right) / faults:.2f}"
        )
    claim, absence = _of_segments(documents)
    return Counterparts(claim=claim, absence=absence, pair=pair)


def _of_segments(documents: Sequence[Marked]) -> tuple[Linear, Linear]:
    segments = [segment for d in documents for segment in zip(d.reads, d.claims, d.absences, strict=True)]
    sentences = [s for s in segments if s[0].reading.segment.kind in CLAIMS]
    claim = fit([read.features for read, _, _ in sentences], [is_claim for _, is_claim, _ in sentences])
    absence = fit([read.features for read, _, _ in segments], [is_absence for _, _, is_absence in segments])
    return claim, absence


def _scores(document: Marked, claim: Linear, absence: Linear) -> tuple[list[float], list[float]]:
    seen = [read.features for read in document.reads]
    return [claim.score(one) for one in seen], [absence.score(one) for one in seen]


def _pairs(document: Marked, reviewer: EmbeddedReviewer) -> Iterator[tuple[Pair, bool]]:
    claims, absences = document.scores
    for pair in pairs_of(document.reads, claims, absences, document.analysis, reviewer.points[UNBUILT]):
        yield pair, _is_claim(document, pair) and document.absences[_index(document, pair.absence)]


def _is_claim(document: Marked, pair: Pair) -> bool:
    return document.claims[_index(document, pair.claim)]


def _index(document: Marked, read: Read) -> int:
    return next(number for number, other in enumerate(document.reads) if other is read)


def _of_pairs(pairs: Sequence[tuple[Pair, bool]]) -> Linear:
    """All weights of the few features of a pair; they are on scales of their own."""
    names = sorted(pairs[0][0].features)
    rows = np.array([[pair.features[name] for name in names] for pair, _ in pairs])
    scale = rows.std(axis=0)
    model = LogisticRegression(C=PAIR_STRENGTH, max_iter=1000)
    model.fit(rows / scale, [is_pair for _, is_pair in pairs])
    weights = model.coef_[0] / scale
    return Linear(bias=float(model.intercept_[0]), weights=dict(zip(names, map(float, weights), strict=True)))


def _calibrated(pair: Linear, claims: Sequence[tuple[float, bool]]) -> Linear:
    """The model made to say how likely the best pair of a claim is right about the claim."""
    model = LogisticRegression(C=10).fit(
        [[score] for score, _ in claims], [is_claim for _, is_claim in claims]
    )
    slope, bias = float(model.coef_[0][0]), float(model.intercept_[0])
    return Linear(
        bias=round(bias + slope * pair.bias, 2),
        weights={name: round(slope * weight, 2) for name, weight in pair.weights.items()},
    )
