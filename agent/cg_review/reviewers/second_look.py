"""`--adjudicate`: the model looks at every candidate again, and what it withdraws is dropped with its reason noted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from cg_review.document import Document
from cg_review.findings import RawFinding
from cg_review.reviewers import Found, PassResult, Reviewer, Usage, fingerprint, min_confidence_of, run_all
from cg_review.reviewers.answers import LookAnswer
from cg_review.reviewers.desk import Asker, CallFailed, Desk
from cg_review.reviewers.model import is_anchored
from cg_review.reviewers.parts import Part
from cg_review.reviewers.prompts import Prompt

_AT_A_TIME = 25  # candidates in one question; its answer is a sentence for each


@dataclass(frozen=True, slots=True)
class Look:
    """The second look at some candidates: reasons of those withdrawn, by their place in the list."""

    candidates: tuple[RawFinding, ...]
    withdrawn: dict[int, str]
    usage: Usage
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class WithSecondLook:
    """A reviewer whose findings are looked at again."""

    first: Reviewer
    desk: Desk

    @property
    def name(self) -> str:
        """The first reviewer's name."""
        return self.first.name

    @property
    def fingerprint(self) -> str:
        """Whose answers these are."""
        return f"{fingerprint(self.first)}, looked at twice"

    @property
    def min_confidence(self) -> float:
        """What a finding of the embedded reviewer needs."""
        return min_confidence_of(self.first)

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point, and look again."""
        return (await self.run_all([point], document, today))[0]

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Ask the points, and look again at what they gave. A look that fails withdraws nothing."""
        results = await run_all(self.first, points, document, today)
        candidates = [f for result in results for f in result.findings if is_anchored(document, f)]
        if not candidates:
            return results
        async with self.desk.open() as asker:
            looks = await asyncio.gather(
                *(look(asker, part, group) for part, group in _groups(self.desk, document, candidates))
            )
        return _applied(results, looks)


def _groups(
    desk: Desk, document: Document, candidates: Sequence[RawFinding]
) -> list[tuple[Part, tuple[RawFinding, ...]]]:
    """Candidates by the part they stand in, a bounded number together."""
    groups = []
    for part in desk.parts(document):
        inside = [candidate for candidate in candidates if part.local_number(candidate.segment)]
        groups += [(part, tuple(inside[at : at + _AT_A_TIME])) for at in range(0, len(inside), _AT_A_TIME)]
    return groups


async def look(asker: Asker, part: Part, candidates: tuple[RawFinding, ...]) -> Look:
    """Ask about candidates of one part. A candidate without a verdict stands."""
    prompts = asker.desk.prompts
    prompt = Prompt(
        prompts.system(), prompts.document(part), prompts.second_look(part, candidates, asker.desk.points)
    )
    try:
        reply = await asker.ask(prompt, LookAnswer)
    except CallFailed as failure:
        return Look(candidates, {}, failure.usage, failure.reason)
    withdrawn = {
        verdict.candidate - 1: verdict.reason
        for verdict in reply.answer.verdicts
        if not verdict.stands and 1 <= verdict.candidate <= len(candidates)
    }
    return Look(candidates, withdrawn, reply.usage)


def _applied(results: Sequence[PassResult], looks: Sequence[Look]) -> tuple[PassResult, ...]:
    """The results without what was withdrawn; the looks' cost goes with the first point's."""
    reasons = {
        id(candidate): f"point {candidate.point}, s{candidate.segment}: withdrawn on a second look: {reason}"
        for each in looks
        for index, reason in each.withdrawn.items()
        for candidate in [each.candidates[index]]
    }
    applied: list[PassResult] = []
    for result in results:
        notes = tuple(reasons[id(finding)] for finding in result.findings if id(finding) in reasons)
        kept = tuple(finding for finding in result.findings if id(finding) not in reasons)
        applied.append(replace(result, findings=kept, notes=(*result.notes, *notes)))
    usage = sum((each.usage for each in looks), applied[0].usage or Usage())
    failed = tuple(dict.fromkeys(f"no second look: {each.failed}" for each in looks if each.failed))
    applied[0] = replace(applied[0], usage=usage, notes=(*applied[0].notes, *failed))
    return tuple(applied)


__all__ = ["Found", "Look", "WithSecondLook", "look"]
