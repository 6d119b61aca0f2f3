"""The embedded reviewer: all nine points with rules alone; no key, no network, no model (DESIGN, "Reviewers")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

from cg_review.document import Document
from cg_review.findings import RawFinding
from cg_review.markers import load_markers
from cg_review.points import Point, load_points, rules_hash
from cg_review.reviewers import Found, PassFailed, PassResult
from cg_review.reviewers.embedded import chronology, order, tenses
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.contradictions import contradictions
from cg_review.reviewers.embedded.fixing import Fixer
from cg_review.reviewers.embedded.forecast import present_for_future
from cg_review.reviewers.embedded.judgement import Ruled, load_judgement
from cg_review.reviewers.embedded.ledger import ledger_of
from cg_review.reviewers.embedded.matching import PatternTimeout
from cg_review.reviewers.embedded.patterns import load_patterns, load_switched_off
from cg_review.reviewers.embedded.requirements import codes_of
from cg_review.reviewers.embedded.superlatives import shown_superlatives
from cg_review.reviewers.embedded.tables import unsourced_prices, unsourced_tables
from cg_review.reviewers.embedded.traits import load_traits
from cg_review.reviewers.embedded.unbuilt import told_as_built

Detector = Callable[[Point, Analysis], Iterator[RawFinding]]
DETECTORS: dict[int, tuple[Detector, ...]] = {
    2: (present_for_future,),
    4: (unsourced_tables,),
    5: (contradictions,),
    7: (told_as_built,),
    9: (unsourced_prices,),
    8: (*chronology.DETECTORS, *tenses.DETECTORS, *order.DETECTORS),
}


_NEED_SOURCES = frozenset({1, 9})
"""Points by which a claim needs a source; one that a table of the document shows has it."""


def _is_of_letterhead(one: Ruled, analysis: Analysis) -> bool:
    """Whether a shipped rule speaks of a line that claims nothing; it may still contradict another, or the calendar."""
    return not one.own and one.finding.point not in (5, 8) and one.finding.segment in analysis.letterhead


class EmbeddedReviewer:
    """Runs the rules of `rules/points` and weighs what they find. `min_confidence` (0 to 1) is what a finding needs.

    Raises InputError when a rule file of `overlays` is wrong.
    """

    name = "embedded"

    def __init__(self, overlays: tuple[Path, ...] = (), min_confidence: float = 0.0) -> None:
        self.points = {point.id: point for point in load_points(overlays)}
        self.traits = load_traits(overlays)
        self.overlays = overlays
        self.patterns = load_patterns(overlays)
        self.switched_off = load_switched_off(overlays)
        self.judgement = load_judgement(overlays)
        if overlays:
            codes_of(self.points[5].words["codes"])
        self.fixer = Fixer(self.points, load_markers(overlays))
        self.min_confidence = min_confidence

    @property
    def fingerprint(self) -> str:
        """Whose findings these are, with the rules where they are not the shipped ones."""
        rules = [f"by {rules_hash(self.overlays)}"] if self.overlays else []
        return " ".join(
            [self.name, *rules, *([f"from {self.min_confidence}"] if self.min_confidence else [])]
        )

    def __reduce__(self) -> tuple[type, tuple[tuple[Path, ...], float]]:
        """Travels to another process as what it is made of; patterns are compiled there."""
        return type(self), (self.overlays, self.min_confidence)

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point of one document."""
        return self.ask(point, document, today)

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Ask several points of one document, which is analysed once."""
        return self._ask(points, document, today)

    def ask(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point, for a caller that does not wait."""
        return self._ask((point,), document, today)[0]

    def _ask(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """All rules run whichever points are asked for: what one finds in a sentence makes the others more or less sure."""
        analysis = Analysis(document, today, self.traits)
        try:
            return self._judge(points, analysis)
        finally:
            analysis.ledger = (
                None  # each holds the other, and a cycle costs the collector more than all that it frees
            )

    def _judge(self, points: Sequence[int], analysis: Analysis) -> tuple[PassResult, ...]:
        raw: dict[int, list[Ruled]] = {}
        failed: dict[int, PassFailed] = {}
        for point in self.points:
            try:
                raw[point] = self.of_rules(point, analysis)
            except PatternTimeout as error:
                failed[point] = PassFailed(point, str(error))
        try:
            shown = shown_superlatives(self.points[5], analysis, ledger_of(analysis, self.points[5]))
            for point in _NEED_SOURCES & raw.keys():
                raw[point] = [one for one in raw[point] if one.own or one.finding.segment not in shown]
            quiet = self.switched_off.matched(analysis) | analysis.letterhead | shown
            judged = self.judgement.of(analysis, raw, quiet)
        except PatternTimeout as error:  # of a trait, which the weights look at
            return tuple(
                failed.get(point) or self._unjudged(raw[point], analysis, point, str(error))
                for point in points
            )
        return tuple(
            failed.get(point) or Found(point, self._sure(judged[point], analysis)) for point in points
        )

    def _unjudged(self, ruled: list[Ruled], analysis: Analysis, point: int, reason: str) -> PassFailed:
        return PassFailed(point, reason, findings=self._sure([one.finding for one in ruled], analysis))

    def _sure(self, findings: list[RawFinding], analysis: Analysis) -> tuple[RawFinding, ...]:
        sure = (finding for finding in findings if finding.confidence >= self.min_confidence)
        return tuple(self.fixer.fixed(finding, analysis) for finding in sure)

    def of_rules(self, point: int, analysis: Analysis) -> list[Ruled]:
        """The surest finding of a point's rules in each segment; one of a user's own rule before all others."""
        rule = self.points[point]
        ruled = [Ruled(one.rule.id, finding, one.own) for one, finding in self.patterns.run(point, analysis)]
        for detector in DETECTORS.get(point, ()):
            ruled.extend(Ruled(detector.__name__, finding) for finding in detector(rule, analysis))
        best: dict[int, Ruled] = {}
        for one in ruled:
            if self.fixer.is_marked(one.finding, analysis) or _is_of_letterhead(one, analysis):
                continue
            kept = best.get(one.finding.segment)
            if kept is None or (one.own, one.finding.confidence) > (kept.own, kept.finding.confidence):
                best[one.finding.segment] = one
        return [best[number] for number in sorted(best)]
