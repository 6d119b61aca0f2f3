"""The last word on a sentence: learned weights say how likely a careful reader would flag it.

In documents like those that they were learned from, and for the points that are decided by a sentence's wording
(`WORDED`), that probability is the confidence of what the patterns found, and a sentence that no rule saw becomes a
finding where it is likely enough. Elsewhere what the rules found stands as they found it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.features import READ, Token, classes_of, features, of_words, tokens_of
from cg_review.reviewers.embedded.weights import Weights

WORDED = (1, 2, 3, 6, 9)
"""Points that a sentence shows by itself; 4, 5, 7 and 8 need a table, a date or another place of the document."""

KEEP = 0.15
"""What a rule's finding needs (`benchmarks/train.py` prints what is lost)."""

ADD = 0.55
"""What a sentence that no rule saw needs to be a finding (`benchmarks/train.py` prints how many of these are right)."""

_LINKS = 5  # links to other sites that make a document a published page
_LENGTH = 1500  # words; the documents that the weights were learned from have up to a thousand
_SEEN = 5  # tokens that a reason quotes at most


@dataclass(frozen=True, slots=True)
class Ruled:
    """A finding and the name of the rule that found it."""

    rule: str
    finding: RawFinding

    @property
    def feature(self) -> str:
        """The name that the weights know the rule by."""
        return f"rule {self.finding.point}/{self.rule}"


class Judgement:
    """Weighs the findings of the rules, sentence by sentence. `points` are the points in force."""

    def __init__(self, weights: Weights, points: Mapping[int, Point]) -> None:
        self.weights, self.points = weights, points
        self.classes = classes_of(points.values())

    def of(self, analysis: Analysis, raw: Mapping[int, Sequence[Ruled]]) -> dict[int, list[RawFinding]]:
        """The findings by point, in document order: how sure they are, and what the weights add."""
        by_segment = by_place(raw)
        judged: dict[int, list[RawFinding]] = {point: [] for point in self.points}
        for number in sorted({*by_segment, *(r.segment.number for r in analysis.readings)}):
            found = by_segment.get(number, {})
            for finding in (
                self._weigh(analysis.readings[number - 1], analysis, found) if number else _findings(found)
            ):
                judged[finding.point].append(finding)
        return judged

    def _weigh(self, reading: Reading, analysis: Analysis, found: dict[int, Ruled]) -> list[RawFinding]:
        if reading.segment.kind not in READ or not is_like_the_learned(analysis):
            return _findings(found)
        tokens = tokens_of(reading.lower)
        seen = features(reading, tokens, analysis, self.classes, said_by(found))
        probability = round(self.weights.probability(seen), 2)
        if found:
            return [
                one.finding.model_copy(update={"confidence": probability})
                if self._learned(one)
                else one.finding
                for one in found.values()
                if probability >= KEEP or not self._learned(one)
            ]
        if probability < ADD or reading.lower.rstrip().endswith(":"):  # an announcement claims nothing
            return []
        lead = self.points[self.weights.leading_point(seen)]
        if lead.wording is None or analysis.silenced(reading, (0, len(reading.lower)), lead.silent_on):
            return []
        seen_words = self._telling(reading, tokens)
        return [
            RawFinding(
                point=lead.id,
                segment=reading.segment.number,
                reason=lead.wording.reason.format(seen=seen_words),
                fix=lead.wording.fix,
                confidence=probability,
            )
        ]

    def _learned(self, one: Ruled) -> bool:
        """Whether the weights know what a rule's finding is worth; a rule of a user's own is taken at its word."""
        return one.finding.point in WORDED and one.feature in self.weights.fault.weights

    def _telling(self, reading: Reading, tokens: list[Token]) -> str:
        """The words of the sentence that weigh most, as written."""
        if not tokens:
            return reading.segment.plain.strip()
        starts = range(max(1, len(tokens) - _SEEN + 1))
        windows = (tokens[start : start + _SEEN] for start in starts)
        best = max(
            windows,
            key=lambda window: self.weights.fault.score(
                dict.fromkeys(of_words([t.word for t in window], self.classes), 1.0)
            ),
        )
        return reading.segment.plain[best[0].start : best[-1].end].strip()


def is_like_the_learned(analysis: Analysis) -> bool:
    """Whether the weights may speak of the document: they were learned on in-house documents of a few pages. A published
    page has its evidence behind links, and a long document elsewhere."""
    return analysis.links_out < _LINKS and analysis.length <= _LENGTH


def by_place(raw: Mapping[int, Sequence[Ruled]]) -> dict[int, dict[int, Ruled]]:
    """What the rules found, by segment and point."""
    found: dict[int, dict[int, Ruled]] = defaultdict(dict)
    for point, findings in raw.items():
        for one in findings:
            found[one.finding.segment][point] = one
    return found


def said_by(found: Mapping[int, Ruled]) -> dict[str, float]:
    """The rules that found something in a sentence, and how sure each is, as features."""
    return {one.feature: one.finding.confidence for one in found.values()}


def _findings(found: Mapping[int, Ruled]) -> list[RawFinding]:
    return [one.finding for one in found.values()]
