"""`--dry-run`: what a review would ask and cost, worked out without a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from cg_review.document import Document
from cg_review.reviewers import Usage
from cg_review.reviewers.answers import PassAnswer
from cg_review.reviewers.desk import WHOLE_DOCUMENT_POINTS, Desk


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens are estimates. `usage.cached_tokens` assumes a provider that caches prefixes; `answered` passes cost nothing.

    `usage.output_tokens` is the allowance, the most that answers can take; `usage.cost` follows from it, None where no
    price is known. Re-asks and a second look are not in it.
    """

    parts: int
    answered: int
    usage: Usage

    def describe(self, model: str) -> str:
        """Lines for a terminal."""
        usage = self.usage
        fresh = usage.input_tokens - usage.cached_tokens
        price = "no price known" if usage.cost is None else f"up to ${usage.cost:.4f}, re-asks not counted"
        return (
            f"{model}: {usage.requests} requests over {self.parts} part(s), {self.answered} answered from the cache\n"
            f"prompt tokens: {usage.input_tokens} ({fresh} not cached, {usage.cached_tokens} cached by the provider)\n"
            f"answer allowance: {usage.output_tokens} tokens\n"
            f"price: {price}"
        )


def estimate(desk: Desk, points: Sequence[int], document: Document, today: date) -> Estimate:
    """What `points` over `document` would ask; makes no request."""
    asked = [point for point in desk.points if point.id in points]
    parts = desk.parts(document)
    groups = [(part, asked) for part in parts]
    wide = [point for point in asked if point.id in WHOLE_DOCUMENT_POINTS]
    if len(parts) > 1 and wide:
        groups += [(part, wide) for part in desk.ledgers(document)]
    total, answered = Usage(), 0
    for part, group in groups:
        warm = False
        for prompt in desk.prompts.passes(part, group, today).values():
            if desk.cache and desk.cache.get(desk.key(prompt, PassAnswer), PassAnswer):
                answered += 1
                continue
            usage = Usage(
                requests=1,
                input_tokens=prompt.tokens,
                cached_tokens=prompt.prefix_tokens if warm else 0,
                cache_write_tokens=0 if warm else prompt.prefix_tokens,
                output_tokens=desk.max_output,
            )
            total = total + (desk.price.priced(usage) if desk.price else usage)
            warm = desk.mailbox is None  # a batch is read in no order, so nothing is warmed
    return Estimate(len(groups), answered, total)
