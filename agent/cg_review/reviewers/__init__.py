"""Who reads a document: the embedded rule reviewer, a model, or a script for tests. They differ in nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from cg_review.document import Document
from cg_review.findings import RawFinding


@dataclass(frozen=True, slots=True)
class Usage:
    """What a pass cost. Tokens as the provider counts them; `cost` in US dollars, None when no price is known."""

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A pass that looked at the whole document, and what it objects to (perhaps nothing)."""

    point: int
    findings: tuple[RawFinding, ...]
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class PassFailed:
    """A pass that could not finish. Never the same as finding nothing."""

    point: int
    reason: str
    usage: Usage | None = None


PassResult = Found | PassFailed


class Reviewer(Protocol):
    """Runs passes. `name` goes into `processed-by` and the report, such as "embedded" or "openai:gpt-5"."""

    name: str

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point of one document."""
        ...


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
