"""The embedded reviewer: all nine points with rules alone; no key, no network, no model (DESIGN, "Reviewers")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

from cg_review.document import Document
from cg_review.findings import RawFinding
from cg_review.points import Point, load_points
from cg_review.reviewers import Found, PassFailed, PassResult
from cg_review.reviewers.embedded import chronology, order, tenses
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.contradictions import contradictions
from cg_review.reviewers.embedded.forecast import present_for_future
from cg_review.reviewers.embedded.matching import PatternTimeout
from cg_review.reviewers.embedded.patterns import Patterns
from cg_review.reviewers.embedded.tables import unsourced_prices, unsourced_tables
from cg_review.reviewers.embedded.traits import load_traits
from cg_review.reviewers.embedded.unbuilt import told_as_built

MIN_CONFIDENCE = 0.5
USER_PATTERN_TIMEOUT = 1.0  # seconds a search; a whole book's paragraph takes a thousandth of it

Detector = Callable[[Point, Analysis], Iterator[RawFinding]]
DETECTORS: dict[int, tuple[Detector, ...]] = {
    2: (present_for_future,),
    4: (unsourced_tables,),
    5: (contradictions,),
    7: (told_as_built,),
    9: (unsourced_prices,),
    8: (*chronology.DETECTORS, *tenses.DETECTORS, *order.DETECTORS),
}


class EmbeddedReviewer:
    """Runs the rules of `rules/points`. `min_confidence` (0 to 1) is what a finding needs to be reported.

    Raises InputError when a rule file of `overlays` is wrong.
    """

    name = "embedded"

    def __init__(self, overlays: tuple[Path, ...] = (), min_confidence: float = MIN_CONFIDENCE) -> None:
        timeout = USER_PATTERN_TIMEOUT if overlays else None
        self.points = {point.id: point for point in load_points(overlays)}
        self.traits = load_traits(overlays, timeout)
        self.overlays = overlays
        self.patterns = Patterns(self.points.values(), self.traits, timeout)
        self.min_confidence = min_confidence

    def __reduce__(self) -> tuple[type, tuple[tuple[Path, ...], float]]:
        """Travels to another process as what it is made of; patterns are compiled there."""
        return type(self), (self.overlays, self.min_confidence)

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point of one document."""
        return self.ask(point, document, today)

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Ask several points of one document, which is analysed once."""
        analysis = Analysis(document, today, self.traits)
        return tuple(self._ask(point, analysis) for point in points)

    def ask(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point, for a caller that does not wait."""
        return self._ask(point, Analysis(document, today, self.traits))

    def _ask(self, point: int, analysis: Analysis) -> PassResult:
        try:
            found = self._findings(point, analysis)
        except PatternTimeout as error:
            return PassFailed(point, str(error))
        return Found(point, tuple(found))

    def _findings(self, point: int, analysis: Analysis) -> list[RawFinding]:
        rule = self.points[point]
        raw = [*self.patterns.run(point, analysis)]
        for detector in DETECTORS.get(point, ()):
            raw.extend(detector(rule, analysis))
        best: dict[int, RawFinding] = {}
        for finding in raw:
            kept = best.get(finding.segment)
            if finding.confidence >= self.min_confidence and (
                kept is None or finding.confidence > kept.confidence
            ):
                best[finding.segment] = finding
        return [best[number] for number in sorted(best)]
