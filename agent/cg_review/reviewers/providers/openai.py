"""OpenAI, and every server that speaks its chat protocol (llama.cpp, Ollama, vLLM)."""

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

URL = "https://api.openai.com/v1"


@asynccontextmanager
async def connect(settings: ModelSettings, key: str) -> AsyncIterator[Connection]:
    """Open a client through instructor's JSON schema mode."""
    import instructor
    import openai

    from cg_review.reviewers.providers import openai_mode

    openai_mode.register()
    async with openai.AsyncOpenAI(
        api_key=key,
        base_url=settings.base_url or URL,  # named, so that no environment variable sends documents elsewhere
        max_retries=0,
        timeout=settings.deadline,
        http_client=openai.DefaultAsyncHttpxClient(**transport(settings)),
    ) as client:
        yield Connection(
            client=instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA),
            arguments=partial(_arguments, settings),
            usage=read_usage,
            status_error=openai.APIStatusError,
            no_connection=(openai.APIConnectionError, openai.APIResponseValidationError),
            sdk=client,
            through=partial(instructed, "openai", client),
            completion=openai.types.chat.ChatCompletion.model_construct,
        )


def _arguments(
    settings: ModelSettings, prompt: Prompt, schema: type[BaseModel], max_output: int
) -> dict[str, Any]:
    from openai.lib._pydantic import to_strict_json_schema

    own_server = settings.base_url is not None
    temperature = 0.0 if settings.temperature is None and own_server else settings.temperature
    strict = {"name": schema.__name__, "strict": True, "schema": to_strict_json_schema(schema)}
    return {
        "model": settings.model_name,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": f"{prompt.document}\n{prompt.question}"},
        ],
        # older servers know the older name only; the vendor takes the newer one only
        "max_tokens" if own_server else "max_completion_tokens": max_output,
        # instructor's own format leaves `strict` out; what stands in extra_body wins, and re-asks keep it
        "extra_body": {"response_format": {"type": "json_schema", "json_schema": strict}},
        **({} if temperature is None else {"temperature": temperature}),
    }


def read_usage(completion: Any) -> Usage:
    """Usage of one raw completion."""
    usage = getattr(completion, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        requests=1,
        input_tokens=count_of(usage, "prompt_tokens"),
        cached_tokens=count_of(details, "cached_tokens"),
        output_tokens=count_of(usage, "completion_tokens"),
    )
