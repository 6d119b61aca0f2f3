"""OpenAI's Batch endpoint (https://platform.openai.com/docs/api-reference/batch): a file of requests, files of answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from cg_review.reviewers.mailbox import Answer, Limits, Line
from cg_review.reviewers.providers.batches import Remote

LIMITS = Limits(requests=50_000, size=100_000_000)  # they take 200 MB; we hold a batch in memory
_NAME = "cg-review"  # the key of our name in a batch's metadata
_KEPT = 30 * 24 * 3600  # seconds that our file stays with them; its documents would otherwise stay for good
_ENDED = {"completed", "failed", "expired", "cancelled"}
_FAILED = {
    "batch_expired": "the batch expired before it was answered",
    "batch_cancelled": "the batch was cancelled before it was answered",
}


async def submit(sdk: Any, name: str, lines: Sequence[Line]) -> str:
    """Upload the requests and have them answered; `name` goes into the metadata."""
    file = await sdk.files.create(
        file=(f"{name}.jsonl", _file(lines)),
        purpose="batch",
        expires_after={"anchor": "created_at", "seconds": _KEPT},
    )
    batch = await sdk.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={_NAME: name},
    )
    return str(batch.id)


def _file(lines: Sequence[Line]) -> bytes:
    fixed = '"method": "POST", "url": "/v1/chat/completions"'
    return "".join(f'{{"custom_id": "{key}", {fixed}, "body": {body}}}\n' for key, body in lines).encode()


async def look(sdk: Any, remote: str) -> Remote:
    """How far a batch is."""
    return _remote(await sdk.with_options(max_retries=2).batches.retrieve(remote))


async def answers(sdk: Any, remote: str) -> AsyncIterator[Answer]:
    """The answers of a batch that has ended: those of its output file, then those of its file of errors."""
    patient = sdk.with_options(max_retries=2)
    batch = await patient.batches.retrieve(remote)
    for file in (batch.output_file_id, batch.error_file_id):
        if file:
            content = await patient.files.content(file)
            for line in content.text.split("\n"):  # a line separator may stand in an answer
                if line.strip():
                    yield _answer(json.loads(line))


async def find(sdk: Any, name: str, since: datetime, requests: int) -> AsyncIterator[Remote]:
    """The batch made since then that carries `name`; they are listed newest first."""
    async for batch in sdk.with_options(max_retries=2).batches.list(limit=100):
        one = _remote(batch)
        if one.created < since:
            return
        if (batch.metadata or {}).get(_NAME) == name:
            yield one


def _answer(line: dict[str, Any]) -> Answer:
    key, response, error = line["custom_id"], line.get("response") or {}, line.get("error") or {}
    body = response.get("body") or {}
    if response.get("status_code") == 200 and body:
        return Answer(key, body)
    code = error.get("code")
    if code in _FAILED:
        return Answer(key, None, _FAILED[code])
    inner = body.get("error") or {}
    kind = code or inner.get("code") or inner.get("type") or f"HTTP {response.get('status_code')}"
    return Answer(key, None, f"the batch's request failed ({kind})")


def _remote(batch: Any) -> Remote:
    counts, codes = batch.request_counts, [one.code for one in (batch.errors and batch.errors.data) or []]
    return Remote(
        id=batch.id,
        state=batch.status,
        ended=batch.status in _ENDED,
        created=datetime.fromtimestamp(batch.created_at, UTC),
        requests=counts.total if counts else 0,
        done=counts.completed + counts.failed if counts else 0,
        why=", ".join(dict.fromkeys(str(code) for code in codes)),
    )
