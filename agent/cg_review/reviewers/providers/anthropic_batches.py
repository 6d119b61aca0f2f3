"""Anthropic's Message Batches (https://platform.claude.com/docs/en/build-with-claude/batch-processing).

They carry no name of ours, so a batch whose id was lost is known by its requests' ids once it has ended.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from cg_review.errors import InputError
from cg_review.reviewers.mailbox import Answer, Limits, Line
from cg_review.reviewers.providers.batches import Remote

LIMITS = Limits(requests=100_000, size=100_000_000)  # they take 256 MB; we hold a batch in memory
_FAILED = {
    "expired": "the batch expired before it was answered",
    "canceled": "the batch was cancelled before it was answered",
}


async def submit(sdk: Any, name: str, lines: Sequence[Line]) -> str:
    """Have the requests answered; `name` is not sent."""
    requests = [{"custom_id": key, "params": json.loads(body)} for key, body in lines]
    batch = await sdk.messages.batches.create(requests=requests)
    return str(batch.id)


async def look(sdk: Any, remote: str) -> Remote:
    """How far a batch is."""
    return _remote(await sdk.with_options(max_retries=2).messages.batches.retrieve(remote))


async def answers(sdk: Any, remote: str) -> AsyncIterator[Answer]:
    """The answers of a batch that has ended. Raises InputError where they were deleted (after 29 days)."""
    batches = sdk.with_options(max_retries=2).messages.batches
    if not (await batches.retrieve(remote)).results_url:
        raise InputError(f"batch {remote}: its answers are no longer there")
    async for one in await batches.results(remote):
        yield _answer(one.custom_id, one.result)


async def find(sdk: Any, name: str, since: datetime, requests: int) -> AsyncIterator[Remote]:
    """The batches made since then with so many requests; newest first, as they are listed."""
    async for batch in sdk.with_options(max_retries=2).messages.batches.list(limit=100):
        one = _remote(batch)
        if one.created < since:
            return
        if one.requests == requests:
            yield one


def _answer(key: str, result: Any) -> Answer:
    if result.type == "succeeded":
        return Answer(key, result.message.to_dict(mode="json", warnings=False))
    if result.type == "errored":
        kind = getattr(getattr(result.error, "error", None), "type", "unknown")
        return Answer(key, None, f"the batch's request failed ({kind})")
    return Answer(key, None, _FAILED.get(result.type, f"the batch says {result.type}"))


def _remote(batch: Any) -> Remote:
    counts = batch.request_counts
    done = counts.succeeded + counts.errored + counts.canceled + counts.expired
    state = batch.processing_status
    return Remote(batch.id, state, state == "ended", batch.created_at, done + counts.processing, done)
