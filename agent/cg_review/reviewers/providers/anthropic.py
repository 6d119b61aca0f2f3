"""Anthropic."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from pydantic import BaseModel

from cg_review.reviewers import Usage
from cg_review.reviewers.prompts import Prompt
from cg_review.reviewers.providers import Connection, count_of, instructed, transport
from cg_review.reviewers.settings import ModelSettings

URL = "https://api.anthropic.com"
_CACHED = {"cache_control": {"type": "ephemeral"}}


@asynccontextmanager
async def connect(settings: ModelSettings, key: str) -> AsyncIterator[Connection]:
    """Open a client through instructor's JSON schema mode, as `anthropic_mode` repairs it."""
    import anthropic
    import instructor

    from cg_review.reviewers.providers import anthropic_mode

    anthropic_mode.register()
    async with anthropic.AsyncAnthropic(
        api_key=key,
        base_url=settings.base_url or URL,  # named, so that no environment variable sends documents elsewhere
        max_retries=0,
        timeout=settings.deadline,
        http_client=anthropic.DefaultAsyncHttpxClient(**transport(settings)),
    ) as client:
        yield Connection(
            client=instructor.from_anthropic(client, mode=instructor.Mode.JSON_SCHEMA),
            arguments=partial(_arguments, settings),
            usage=read_usage,
            status_error=anthropic.APIStatusError,
            no_connection=(anthropic.APIConnectionError, anthropic.APIResponseValidationError),
            sdk=client,
            through=partial(instructed, "anthropic", client),
            completion=anthropic.types.Message.model_construct,
        )


def _arguments(
    settings: ModelSettings, prompt: Prompt, _: type[BaseModel], max_output: int
) -> dict[str, Any]:
    temperature = settings.temperature
    document = {"type": "text", "text": prompt.document, **_CACHED}
    question = {"type": "text", "text": prompt.question}
    return {
        "model": settings.model_name,
        "max_tokens": max_output,
        # two cache breakpoints: the instructions are shared by all documents, the document by its passes
        "system": [{"type": "text", "text": prompt.system, **_CACHED}],
        "messages": [{"role": "user", "content": [document, question]}],
        # the SDK's version 2 has no such argument
        **({} if temperature is None else {"extra_body": {"temperature": temperature}}),
    }


def read_usage(completion: Any) -> Usage:
    """Usage of one raw message; Anthropic counts cached tokens beside `input_tokens`, we count them within."""
    usage = getattr(completion, "usage", None)
    read = count_of(usage, "cache_read_input_tokens")
    written = count_of(usage, "cache_creation_input_tokens")
    return Usage(
        requests=1,
        input_tokens=count_of(usage, "input_tokens") + read + written,
        cached_tokens=read,
        cache_write_tokens=written,
        output_tokens=count_of(usage, "output_tokens"),
    )
