"""Who reads a document: the embedded rule reviewer, a model, or a script for tests. They differ in nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from cg_review.document import Document
from cg_review.findings import RawFinding

if TYPE_CHECKING:
    from cg_review.reviewers.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class Usage:
    """What a pass cost. Tokens as the provider counts them; `cost` in US dollars, None when no price is known.

    `input_tokens` are all prompt tokens; `cached_tokens` of them were read from the provider's cache, and
    `cache_write_tokens` of them were written to it.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        """The sum; its cost is unknown where a part that made requests has no known cost."""
        priced = [usage for usage in (self, other) if usage.requests]
        costs = [usage.cost for usage in priced if usage.cost is not None]
        return Usage(
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=sum(costs) if priced and len(costs) == len(priced) else None,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A pass that looked at the whole document, and what it objects to (perhaps nothing).

    `notes` are for the report: what a second look withdrew, and why.
    """

    point: int
    findings: tuple[RawFinding, ...]
    usage: Usage | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassFailed:
    """A pass that could not finish. Never the same as finding nothing.

    `findings` is what was found before it failed, in other parts of a long document or by the embedded patterns: kept
    and reported, though the pass counts as not done.
    """

    point: int
    reason: str
    usage: Usage | None = None
    findings: tuple[RawFinding, ...] = ()
    notes: tuple[str, ...] = ()


PassResult = Found | PassFailed


class Reviewer(Protocol):
    """Runs passes. `name` goes into `processed-by` and the report, such as "embedded" or "openai:gpt-5"."""

    @property
    def name(self) -> str:
        """Who reads."""
        ...

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point of one document."""
        ...


@runtime_checkable
class BatchReviewer(Protocol):
    """A reviewer that plans several passes over one document together: what they share, their order, their cost."""

    @property
    def name(self) -> str:
        """Who reads."""
        ...

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """One result a point, in the order of `points`."""
        ...


async def run_all(
    reviewer: Reviewer, points: Sequence[int], document: Document, today: date
) -> tuple[PassResult, ...]:
    """One result a point, in order: the reviewer's own `run_all`, or its `run` point after point."""
    if isinstance(reviewer, BatchReviewer):
        return await reviewer.run_all(points, document, today)
    return tuple([await reviewer.run(point, document, today) for point in points])


def build(settings: ModelSettings) -> Reviewer:
    """The reviewer that `settings` describe; see `reviewers.factory`. Raises InputError where they cannot be met."""
    from cg_review.reviewers.factory import build as build_reviewer

    return build_reviewer(settings)


def fingerprint(reviewer: Reviewer) -> str:
    """What a reviewer's answers depend on besides rules, points and the day: its own `fingerprint`, or else its name."""
    return str(getattr(reviewer, "fingerprint", reviewer.name))


def min_confidence_of(reviewer: Reviewer) -> float:
    """What a finding of the embedded reviewer needs, where a reviewer has one in it (0 to 1)."""
    return float(getattr(reviewer, "min_confidence", 0.0))


@dataclass
class FakeReviewer:
    """A scripted reviewer: gives the prepared result of each point, once, and raises when it runs out of answers."""

    answers: list[PassResult]
    name: str = "fake"
    asked: list[int] = field(default_factory=list)

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Hand out the first remaining answer for `point`. Raises LookupError when there is none."""
        self.asked.append(point)
        for answer in self.answers:
            if answer.point == point:
                self.answers.remove(answer)
                return answer
        raise LookupError(f"the script has no answer left for point {point}")
