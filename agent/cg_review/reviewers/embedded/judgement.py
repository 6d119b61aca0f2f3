"""The last word on a sentence: learned weights say how likely a careful reader would flag it.

For the points that are decided by a sentence's wording (`WORDED`), that probability is the confidence of what the
patterns found, and a sentence that no rule saw becomes a finding where it is likely enough. What the rules found of the
other points stands as they found it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from cg_review.findings import RawFinding
from cg_review.points import Point, load_points
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.counterparts import ABSENCES, taken_back
from cg_review.reviewers.embedded.features import READ, Read, Vocabulary, see, tokens_of
from cg_review.reviewers.embedded.weights import Linear, Model, Weights, load_weights, probability_of

WORDED = (1, 2, 3, 6, 9)
"""Points that a sentence shows by itself; 4, 5, 7 and 8 need a table, a date or another place of the document."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a finding needs to be one (probabilities; `benchmarks/train.py` prints what is lost and how much is right)."""

    points: tuple[int, ...]
    """Points on whose rules the weights decide."""
    keep: float
    """What a rule's finding needs."""
    add: float
    """What a sentence that no rule saw needs."""


IN_HOUSE = Needs(WORDED, keep=0.3, add=0.4)
PUBLISHED = Needs((*WORDED, 5, 7), keep=0.15, add=0.25)

SURE = 0.75
"""A rule this sure of itself is dropped only below a tenth of `keep`: a dated clause beside a boast speaks for the
sentence, and not for the boast."""

FILED = 0.4
"""How likely a reader has to file a sentence under a rule's point for it to stay there; a boast of what others do is 9."""

_SEEN = 5  # tokens that a reason quotes at most


@dataclass(frozen=True, slots=True)
class Ruled:
    """A finding and the name of the rule that found it."""

    rule: str
    finding: RawFinding
    own: bool = False
    """Whether the rule is a user's own, of which the weights know nothing: it is taken at its word."""

    @property
    def feature(self) -> str:
        """The name that the weights know the rule by."""
        return f"rule {self.finding.point}/{self.rule}"


class Judgement:
    """Weighs the findings of the rules, sentence by sentence. `points` are the points in force."""

    def __init__(self, weights: Weights, points: Mapping[int, Point]) -> None:
        self.weights, self.points = weights, points

    @cached_property
    def in_house(self) -> Vocabulary:
        """What is looked at in every sentence of an in-house document."""
        counterparts = self.weights.counterparts
        weighed = (self.weights.in_house.sentence, counterparts.claim, counterparts.absence)
        return Vocabulary(self.points.values(), _names_of(weighed))

    @cached_property
    def published(self) -> Vocabulary:
        """What is looked at in every sentence of a published document."""
        return Vocabulary(self.points.values(), _names_of([self.weights.published.sentence]))

    @cached_property
    def whole(self) -> Vocabulary:
        """What is looked at in a sentence that is likely to be faulty: what says which point it is, too."""
        kinds = (self.weights.in_house.sentence, self.weights.published.sentence)
        return Vocabulary(self.points.values(), _names_of([*kinds, *self.weights.points.values()]))

    def of(
        self, analysis: Analysis, raw: Mapping[int, Sequence[Ruled]], quiet: Collection[int] = ()
    ) -> dict[int, list[RawFinding]]:
        """The findings by point, in document order: how sure they are, and what the weights add.

        To the segments `quiet` they add nothing: a rule would have spoken there that the user has switched off.
        """
        found = by_place(raw)
        vocabulary = self.published if analysis.is_published else self.in_house
        read = [
            see(r, analysis, vocabulary, said_by(found.get(r.segment.number, {})))
            for r in analysis.readings
            if r.segment.kind in ABSENCES
        ]
        judged: dict[int, list[RawFinding]] = defaultdict(list)
        for number, ruled in found.items():
            judged[number] = [one.finding for one in ruled.values()]
        weighed = [one for one in read if one.reading.segment.kind in READ]
        judged |= self._weigh_all(weighed, analysis, found, quiet)
        if not analysis.is_published:
            for finding in taken_back(self.points[7], read, analysis, self.weights.counterparts):
                claim = analysis.readings[finding.segment - 1]
                if analysis.silenced(claim, claim.clauses[0], self.points[7].silent_on):
                    continue
                if all(other.point != finding.point for other in judged[finding.segment]):
                    judged[finding.segment].append(finding)
        by_point: dict[int, list[RawFinding]] = {point: [] for point in self.points}
        for _, findings in sorted(judged.items()):
            for finding in findings:
                by_point[finding.point].append(finding)
        return by_point

    def _weigh_all(
        self,
        read: Sequence[Read],
        analysis: Analysis,
        found: Mapping[int, Mapping[int, Ruled]],
        quiet: Collection[int],
    ) -> dict[int, list[RawFinding]]:
        """The findings of the sentences, by segment."""
        model, needs = self._for(analysis)
        likely = model.probabilities([one.features for one in read])
        weighed: dict[int, list[RawFinding]] = {}
        for one, exact in zip(read, likely, strict=True):
            number, probability = one.reading.segment.number, round(exact, 2)
            ruled = found.get(number, {})
            weighed[number] = left = list(self._weigh(ruled, probability, model.sentence, needs))
            if number not in quiet and (left or (not ruled and probability >= needs.add)):
                closely = see(one.reading, analysis, self.whole, said_by(ruled))
                filed = self._filed(closely, left, ruled)
                weighed[number] = filed or list(self._add(closely, probability, model.sentence)) or left
        return weighed

    def _for(self, analysis: Analysis) -> tuple[Model, Needs]:
        """The weights for the kind of document."""
        if analysis.is_published:
            return self.weights.published, PUBLISHED
        return self.weights.in_house, IN_HOUSE

    def _weigh(
        self, found: Mapping[int, Ruled], probability: float, linear: Linear, needs: Needs
    ) -> Iterator[RawFinding]:
        """What is left of the rules' findings of a sentence."""
        for one in found.values():
            if one.own or one.finding.point not in needs.points or one.feature not in linear.weights:
                yield one.finding
            elif probability >= (needs.keep / 10 if one.finding.confidence >= SURE else needs.keep):
                yield one.finding.model_copy(update={"confidence": probability})

    def _filed(self, read: Read, left: Sequence[RawFinding], ruled: Mapping[int, Ruled]) -> list[RawFinding]:
        """The findings that are filed under a point where a reader could file them, too."""
        return [
            finding
            for finding in left
            if finding.point not in self.weights.points
            or ruled[finding.point].own
            or ruled[finding.point].finding.confidence >= SURE
            or probability_of(self.weights.points[finding.point].score(read.features)) >= FILED
        ]

    def _add(self, read: Read, probability: float, linear: Linear) -> Iterator[RawFinding]:
        lead = self.points[self.weights.leading_point(read.features)]
        lowered = read.reading.lower
        if lead.wording is None or lowered.rstrip().endswith(":"):  # an announcement claims nothing
            return
        if not read.analysis.silenced(read.reading, (0, len(lowered)), lead.silent_on):
            seen = _telling(read.reading, self.whole, (linear, self.weights.points[lead.id]))
            yield RawFinding(
                point=lead.id,
                segment=read.reading.segment.number,
                reason=lead.wording.reason.format(seen=seen),
                fix=lead.wording.fix,
                confidence=probability,
            )


def _names_of(models: Iterable[Linear]) -> list[str]:
    return [name for model in models for name in model.weights]


def _telling(reading: Reading, vocabulary: Vocabulary, models: Sequence[Linear]) -> str:
    """The words of the sentence that weigh most, for a fault and for its point, as written."""
    plain, tokens = reading.segment.plain, tokens_of(reading.lower)
    if not tokens:
        return plain.strip()
    own, joined = (
        [_weight(names, models) for names in row] for row in vocabulary.names([t.word for t in tokens])
    )
    start = max(
        range(max(1, len(tokens) - _SEEN + 1)),
        key=lambda at: sum(own[at : at + _SEEN]) + sum(joined[at : at + _SEEN - 1]),
    )
    return plain[tokens[start].start : tokens[start : start + _SEEN][-1].end].strip()


def _weight(names: Iterable[str], models: Sequence[Linear]) -> float:
    return sum(model.weights.get(name, 0.0) for name in names for model in models)


@lru_cache(maxsize=8)
def load_judgement(overlays: tuple[Path, ...] = ()) -> Judgement:
    """The weights in force, with the vocabularies they know. Raises InputError where they are none."""
    return Judgement(load_weights(overlays), {point.id: point for point in load_points(overlays)})


def by_place(raw: Mapping[int, Sequence[Ruled]]) -> dict[int, dict[int, Ruled]]:
    """What the rules found, by segment and point."""
    found: dict[int, dict[int, Ruled]] = defaultdict(dict)
    for point, findings in raw.items():
        for one in findings:
            found[one.finding.segment][point] = one
    return found


def said_by(found: Mapping[int, Ruled]) -> dict[str, float]:
    """The shipped rules that found something in a sentence, and how sure each is, as features."""
    return {one.feature: one.finding.confidence for one in found.values() if not one.own}
