"""The vendors' batch endpoints, one module each, named by `of`: what they take, and what they say of a batch."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, cast

from cg_review.reviewers.mailbox import Answer, Limits, Line


@dataclass(frozen=True, slots=True)
class Remote:
    """A batch as its provider tells of it. `state` is the provider's word; `why` goes with a batch refused whole."""

    id: str
    state: str
    ended: bool
    created: datetime
    requests: int
    done: int
    why: str = ""


class Batches(Protocol):
    """What a provider's module gives. `sdk` is the vendor's client; the SDK's errors come through as they are."""

    LIMITS: Limits

    async def submit(self, sdk: Any, name: str, lines: Sequence[Line]) -> str:
        """Have the requests answered; `name` is ours. Returns the provider's id."""
        ...

    async def look(self, sdk: Any, remote: str) -> Remote:
        """How far a batch is."""
        ...

    def answers(self, sdk: Any, remote: str) -> AsyncIterator[Answer]:
        """The answers of a batch that has ended, in any order; a request that was never read may have none."""
        ...

    def find(self, sdk: Any, name: str, since: datetime, requests: int) -> AsyncIterator[Remote]:
        """The batches made since then that may be `name`, of so many requests."""
        ...


def of(provider: str) -> Batches:
    """The module of a provider."""
    return cast(Batches, importlib.import_module(f"cg_review.reviewers.providers.{provider}_batches"))
