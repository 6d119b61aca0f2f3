"""The line through the program: text -> document -> passes -> findings -> claims -> edits -> sealed CGD -> result.

One function a step, each taking the step before. Nothing here reads a file, a clock or a terminal.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from cg_review import __version__
from cg_review.cgd.chunk_context import chunk_advice
from cg_review.conclude import conclude
from cg_review.document import Document
from cg_review.draft import Draft, is_same_but_for_date, write
from cg_review.errors import DocumentRefused
from cg_review.findings import Claim, Unanchored
from cg_review.grounding import Anchored, ground
from cg_review.markers import Markers, load_markers
from cg_review.origin import Origin, in_place_of, read_origin
from cg_review.placing import place
from cg_review.points import ALL_POINTS, load_points, rules_hash
from cg_review.reconcile import reconcile
from cg_review.report import notes_of, report
from cg_review.results import ChunkContext, Review, Tool
from cg_review.reviewers import PassResult, Reviewer, min_confidence_of, run_all
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.injection import injection_notes, load_injection
from cg_review.rounds import claims_of
from cg_review.settle import settle
from cg_review.sources import Connector, Source
from cg_review.state import is_sign_off
from cg_review.suppress import Suppression, suppressions
from cg_review.tier1 import MAX_AGE, with_tier1
from cg_review.validator import validate


@lru_cache(maxsize=8)
def embedded_reviewer(rules: tuple[Path, ...]) -> EmbeddedReviewer:
    """The embedded reviewer of a set of rules; compiling their patterns takes longer than a short document."""
    return EmbeddedReviewer(rules)


@dataclass(frozen=True)
class Settings:
    """What a review depends on besides the document. `now` is the clock (UTC); `rules` are overlay folders.

    Raises InputError where something in one of those is wrong: before the first document, and not at each.
    """

    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    points: tuple[int, ...] = ALL_POINTS
    reviewer: Reviewer = field(default_factory=lambda: embedded_reviewer(()))
    sources: tuple[Source | Connector, ...] = ()
    attended: bool = False
    max_age: int = MAX_AGE
    rules: tuple[Path, ...] = ()
    chunk_context: bool = False  # write the advice for chunking into the CGD (RFC-002)
    ignore: tuple[
        tuple[str, tuple[int, ...]], ...
    ] = ()  # points silenced below a path, as .gitignore writes paths
    root: str = ""  # the folder that these paths are below

    def __post_init__(self) -> None:
        if self.rules:
            load_points(self.rules)
            load_markers(self.rules)
            load_injection(self.rules)

    def ignored(self, name: str) -> frozenset[int]:
        """The points that the project's configuration silences in the document `name`."""
        path = os.path.relpath(name, self.root) if self.root else name
        matching = (
            points for pattern, points in self.ignore if GitIgnoreSpec.from_lines([pattern]).match_file(path)
        )
        return frozenset(point for points in matching for point in points)

    @property
    def today(self) -> date:
        """The day that points 8 and the processed-date go by."""
        return self.now.date()

    @property
    def tool(self) -> Tool:
        """What the results are traced to."""
        return Tool(
            version=__version__,
            rules=rules_hash(self.rules),
            model=self.reviewer.name,
            min_confidence=min_confidence_of(self.reviewer),
        )

    @property
    def processed_by(self) -> str:
        """Who processed the document: the tool, who read, and what the version alone does not tell (FORMAT section 2)."""
        tool = self.tool
        told = [tool.model]
        if self.rules:
            told.append(f"rules {tool.rules[:12]}")
        if tool.min_confidence:
            told.append(f"min-confidence {tool.min_confidence:g}")
        return f"cg-review {tool.version} ({', '.join(told)})"


def at_noon(today: date) -> datetime:
    """A clock for a day without a time."""
    return datetime.combine(today, time(12), UTC)


async def review_document(
    data: bytes, name: str, settings: Settings, existing: bytes | None = None
) -> Review:
    """Review one document and draft its CGD.

    `existing` is the CGD made of an earlier version of this document, whose confirmations are carried over.
    Raises InputError and DocumentRefused as `origin.read_origin` does; a pass that fails makes the review incomplete.
    """
    markers, points = load_markers(settings.rules), {point.id: point for point in load_points(settings.rules)}
    origin = origin_of(data, name, settings, existing)
    document = origin.document()
    results = await run_all(settings.reviewer, settings.points, document, settings.today)
    is_sot = origin.prior is not None and origin.prior.has_tier
    results = with_tier1(results, document, settings.sources, settings.today, is_sot, settings.max_age)
    anchored, unanchored = ground_all(document, results, settings.reviewer.name)
    silenced = suppressions(document)
    findings = settle(document, anchored, points, _silence(silenced, anchored, settings.ignored(name)))
    claims = claims_of(document, findings, points, origin.source_name, settings.sources, settings.attended)
    claims = reconcile(document, _prior_claims(origin), claims)
    edits, unmarked = place(origin, document, findings, claims, markers)
    claims, state = conclude(origin, results, findings, claims, unmarked)
    advice = chunk_advice(origin.layout)
    draft = Draft(
        origin,
        markers,
        edits,
        claims,
        state,
        settings.processed_by,
        str(settings.today),
        advice if settings.chunk_context or origin.has_chunk_context else None,
    )
    text, unchanged, notes = seal_draft(draft, settings)
    notes = [
        *_left_out(settings.tool),
        *injection_notes(document, settings.rules),
        *notes_of(document, results, silenced, anchored),
        *notes,
    ]
    review = report(
        origin, document, settings.tool, results, findings, claims, unanchored, state, text, unchanged, notes
    )
    review = review.model_copy(
        update={"chunk_context": ChunkContext(advice=advice.advice, sections=advice.sections)}
    )
    return review if text is not None else review.model_copy(update={"draft_text": write(draft)})


def _left_out(tool: Tool) -> list[str]:
    if not tool.min_confidence:
        return []
    return [f"what the embedded rules hold for less likely than {tool.min_confidence:g} is left out"]


def origin_of(data: bytes, name: str, settings: Settings, existing: bytes | None = None) -> Origin:
    """What is reviewed where `data` is given and `existing` lies there already. Raises as `review_document` does."""
    markers = load_markers(settings.rules)
    return _with_existing(read_origin(data, name, markers), existing, markers)


# -- passes to findings ------------------------------------------------------------------------------------------------


def ground_all(
    document: Document, results: Sequence[PassResult], reviewer: str
) -> tuple[list[Anchored], list[Unanchored]]:
    """Find every raw finding in the document, those of failed passes too: what was found is kept."""
    anchored: list[Anchored] = []
    unanchored: list[Unanchored] = []
    for result in results:
        for raw in result.findings:
            named = raw if raw.detected_by else raw.model_copy(update={"detected_by": (reviewer,)})
            found = ground(document, named)
            if isinstance(found, Anchored):
                anchored.append(found)
            else:
                unanchored.append(found)
    return anchored, unanchored


def _silence(
    silenced: Sequence[Suppression], anchored: Sequence[Anchored], ignored: Collection[int]
) -> dict[tuple[int, int], str]:
    """The reason why a finding is silenced, by segment and point: the configuration's, or the author's comment."""
    found = {
        (item.raw.segment, item.raw.point): "silenced by the project's configuration"
        for item in anchored
        if item.raw.point in ignored
    }
    for one in silenced:
        if one.problem is None:
            found |= {
                (segment, point): one.reason for segment in one.segments for point in one.points or ALL_POINTS
            }
    return found


# -- writing -----------------------------------------------------------------------------------------------------------


def seal_draft(draft: Draft, settings: Settings) -> tuple[str | None, bool, list[str]]:
    """The CGD's text, whether it is the document as given, and why there is none.

    Raises DocumentRefused where the validator would not accept what was drafted.
    """
    name = draft.origin.name
    if not draft.state.points_passed:
        return (
            None,
            False,
            [f"{name}: none of the nine points passes, which the format cannot say; no CGD is written"],
        )
    if draft.origin.excluded and draft.state.hitl_status == "PENDING":
        return None, False, [f"{name}: has exclusion blocks; its CGD is written when its claims are answered"]
    if is_same_but_for_date(draft, draft.origin.text):
        return draft.origin.text, True, []
    text = write(draft)
    faults = [fault for fault in validate(text, now=settings.now).faults if fault.severity == "error"]
    if faults:
        listed = "; ".join(f"{fault.code} {fault.message}" for fault in faults[:3])
        raise DocumentRefused(f"{name}: the draft would not be valid and is not written: {listed}")
    return text, False, []


# -- the earlier review ------------------------------------------------------------------------------------------------


def _with_existing(origin: Origin, existing: bytes | None, markers: Markers) -> Origin:
    """The document with what a person confirmed in its existing CGD.

    Where the source has not changed, the CGD itself is reviewed again, with all that people did in it.
    """
    if existing is None or origin.prior is not None:
        return origin
    earlier = read_origin(existing, origin.name, markers)
    if earlier.prior is None:
        return origin
    same = in_place_of(origin, earlier)
    if same is not None:
        return same
    if earlier.excluded or earlier.prior.has_tier:
        what = "exclusion blocks" if earlier.excluded else "a tier"
        raise DocumentRefused(
            f"{origin.name}: changed since its CGD, which has {what}; review the CGD itself or use -o"
        )
    return dataclasses.replace(origin, carried=tuple(earlier.prior.claims))


def _prior_claims(origin: Origin) -> list[Claim]:
    claims = origin.prior.claims if origin.prior is not None else origin.carried
    return [claim for claim in claims if not is_sign_off(claim)]
