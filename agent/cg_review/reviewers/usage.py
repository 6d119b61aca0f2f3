"""What a run costs: prices, and the budget that is checked before each request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal

from cg_review.errors import InputError
from cg_review.reviewers import Usage
from cg_review.reviewers.settings import ModelSettings

_POLL = 0.02  # seconds between looks at what requests in flight have turned out to cost


class BudgetReached(Exception):
    """The next request could go over what the run may cost."""


@dataclass(frozen=True, slots=True)
class Price:
    """The price list's entry of a model, from the `genai-prices` package; nothing is fetched."""

    provider: str
    model: str
    share: float = 1.0  # of the list's price: a batch costs half

    @property
    def window(self) -> int | None:
        """The model's window in tokens, when the list knows it."""
        priced = self._calculate(Usage())
        return priced[1] if priced else None

    def of(self, usage: Usage) -> float | None:
        """Dollars for `usage`; None when the list doesn't know the model."""
        priced = self._calculate(usage)
        return float(priced[0]) * self.share if priced else None

    def priced(self, usage: Usage) -> Usage:
        """`usage` with its cost."""
        return replace(usage, cost=self.of(usage))

    def _calculate(self, usage: Usage) -> tuple[Decimal, int | None] | None:
        try:
            import genai_prices
        except ImportError:
            return None
        try:
            result = genai_prices.calc_price(
                genai_prices.Usage(
                    input_tokens=usage.input_tokens,
                    cache_read_tokens=usage.cached_tokens,
                    cache_write_tokens=usage.cache_write_tokens,
                    output_tokens=usage.output_tokens,
                ),
                self.model,
                provider_id=self.provider,
            )
        except LookupError:
            return None
        return result.total_price, result.model.context_window


def price_of(settings: ModelSettings, share: float = 1.0) -> Price | None:
    """The price of the model; None for a server of one's own, whatever its model is called, and for unknown models."""
    if settings.base_url is not None:
        return None
    price = Price(settings.provider, settings.model_name, share)
    return price if price.of(Usage()) is not None else None


@dataclass
class Budget:
    """What a run may spend and has spent. Each request reserves its worst case first, so the limits are never passed.

    A request that might not fit waits while others are in flight: they usually turn out cheaper than reserved.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    spent: Usage = field(default_factory=Usage)
    reserved: list[Usage] = field(default_factory=list)

    async def reserve(self, worst: Usage) -> Usage:
        """Set `worst` aside. Raises BudgetReached when it does not fit, not even once nothing is in flight."""
        while (over := self._over(worst)) is not None:
            if not self.reserved:
                raise BudgetReached(over)
            await asyncio.sleep(_POLL)
        self.reserved.append(worst)
        return worst

    def settle(self, reservation: Usage, actual: Usage) -> None:
        """Replace a reservation by what the request cost."""
        self.reserved.remove(reservation)
        self.spent = self.spent + actual

    def _over(self, worst: Usage) -> str | None:
        in_use = [self.spent, *self.reserved, worst]
        tokens = sum(usage.input_tokens + usage.output_tokens for usage in in_use)
        if self.max_tokens is not None and tokens > self.max_tokens:
            return (
                f"the limit of {self.max_tokens} tokens (--max-tokens-total) leaves no room for this request"
            )
        cost = sum(usage.cost or 0.0 for usage in in_use)
        if self.max_cost is not None and cost > self.max_cost:
            return f"the limit of ${self.max_cost:g} (--max-cost) leaves no room for this request"
        return None


def budget_of(settings: ModelSettings, price: Price | None) -> Budget:
    """The budget of a run. Raises InputError for a cost limit on a model whose price nobody knows."""
    if settings.max_cost is not None and price is None:
        raise InputError(
            f"--max-cost: no price is known for {settings.model}; limit it with --max-tokens-total instead"
        )
    return Budget(settings.max_cost, settings.max_tokens_total)


@dataclass
class Meter:
    """Accounts for the requests of one call: at most one is reserved at a time, each is settled once."""

    budget: Budget
    worst: Usage
    usage: Usage = field(default_factory=Usage)
    _pending: Usage | None = None
    _actual: Usage = field(default_factory=Usage)

    async def before(self, _: object = None) -> None:
        """Make room for the next request. Raises BudgetReached."""
        self.close()
        self._pending = await self.budget.reserve(self.worst)

    def note(self, actual: Usage) -> None:
        """Take down what the request in flight cost."""
        self._actual = self._actual + actual

    def close(self) -> None:
        """Settle what is reserved; a request without an answer counts for nothing."""
        if self._pending is not None:
            self.budget.settle(self._pending, self._actual)
            self.usage = self.usage + self._actual
        self._pending, self._actual = None, Usage()


@contextmanager
def metered(budget: Budget, worst: Usage) -> Iterator[Meter]:
    """A meter that settles whatever happens."""
    meter = Meter(budget, worst)
    try:
        yield meter
    finally:
        meter.close()
