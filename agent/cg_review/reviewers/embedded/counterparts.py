"""Point 7 by learned weights: a thing told as there, and the sentence elsewhere that shows, in whatever words, that it isn't.

`unbuilt` knows ways to say "not there yet"; people have more of them ("the tin holds £212 of the £4,900"). One linear
model says how much a sentence sounds like that, another how much one sounds like a claim that such a sentence takes back,
a third whether the two belong together.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from cg_review.document import SegmentKind
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.features import READ, Features, Read
from cg_review.reviewers.embedded.unbuilt import GENERIC, asserts
from cg_review.reviewers.embedded.weights import Counterparts, Linear, probability_of

CLAIMS = READ
"""What can be taken back."""

ABSENCES = READ | {SegmentKind.ROW}
"""What can take it back."""

NEEDED = 0.35
"""What a pair needs to be a finding, as a probability."""

_SHOWN = 60  # characters of a counterpart that a reason quotes
_RARE = 0.06  # a word in more of the segments than this does not say which thing is meant,
_SELDOM = 3  # unless it is in no more than so many
_NEAR = 2  # segments after a claim in which its counterpart needs no word in common
_SHORTEST = 4  # words of a claim
_UNLIKELY = -2.5


def taken_back(
    point: Point, reads: Sequence[Read], analysis: Analysis, models: Counterparts
) -> Iterator[RawFinding]:
    """Claims of which another sentence shows that they tell of what isn't there, in document order."""
    claims = [models.claim.score(read.features) for read in reads]
    absences = [models.absence.score(read.features) for read in reads]
    for pair, score in best_pairs(pairs_of(reads, claims, absences, analysis, point), models.pair):
        probability = probability_of(score)
        if probability >= NEEDED:
            other = pair.absence.reading.segment
            said = shorten(other.plain, _SHOWN, placeholder=" …")
            yield RawFinding(
                point=point.id,
                segment=pair.claim.reading.segment.number,
                reason=f'told as if it were there; elsewhere the document says "{said}"',
                confidence=round(probability, 2),
                related=(Quote(segment=other.number, quote=""),),
            )


def best_pairs(pairs: Iterable[Pair], model: Linear) -> list[tuple[Pair, float]]:
    """The likeliest pair of each claim with its score, in the claims' order."""
    best: dict[int, tuple[Pair, float]] = {}
    for pair in pairs:
        number, score = pair.claim.reading.segment.number, model.score(pair.features)
        if number not in best or score > best[number][1]:
            best[number] = pair, score
    return [best[number] for number in sorted(best)]


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and what may take it back, with what the third model looks at."""

    claim: Read
    absence: Read
    features: Features


def pairs_of(
    reads: Sequence[Read],
    claims: Sequence[float],
    absences: Sequence[float],
    analysis: Analysis,
    point: Point,
) -> Iterator[Pair]:
    """The pairs worth a look among the segments of a document. `claims` and `absences` are what the first two models
    say of each, as scores."""
    telling = _Telling(reads)
    says = {
        number
        for number, read in enumerate(reads)
        if read.reading.segment.kind in ABSENCES and absences[number] > _UNLIKELY
    }
    by_stem = telling.by_stem(says)
    sections = [read.reading.segment.section for read in reads]
    for number, read in enumerate(reads):
        if read.reading.segment.kind not in CLAIMS or len(read.reading.words) < _SHORTEST:
            continue
        after = says & set(range(number + 1, number + 1 + _NEAR))
        near = {other for other in after if sections[other] == sections[number]}
        about = {other for stem in telling.stems[number] for other in by_stem[stem]}
        for other in sorted((near | about) - {number}):
            seen = {
                "claim": claims[number],
                "absence": absences[other],
                "shared": telling.shared(number, other),
                "near": float(other in near),
                "same section": float(sections[number] == sections[other]),
                "asserts": float(asserts(read.reading, analysis, point)),
            }
            yield Pair(read, reads[other], seen)


class _Telling:
    """The words of each segment that say which thing is meant: those that few segments have."""

    def __init__(self, reads: Sequence[Read]) -> None:
        every = [read.reading.stems - GENERIC for read in reads]
        self.count = len(reads)
        self.frequency = Counter(stem for its in every for stem in its)
        most = max(_SELDOM, _RARE * self.count)
        self.stems = [frozenset(stem for stem in its if self.frequency[stem] <= most) for its in every]

    def by_stem(self, numbers: Iterable[int]) -> dict[str, list[int]]:
        """Which of these segments have a word."""
        index: dict[str, list[int]] = defaultdict(list)
        for number in numbers:
            for stem in self.stems[number]:
                index[stem].append(number)
        return index

    def shared(self, one: int, other: int) -> float:
        """How telling the words are that two segments have in common."""
        shared = self.stems[one] & self.stems[other]
        return sum(math.log(self.count / self.frequency[stem]) for stem in sorted(shared))
