"""Providers: one module each. A module's `connect` imports its SDK, so that nobody pays for one that is not used.

To add one: a module with `connect`, its name in `_MODULES` and its key's variable in `settings.KEY_VARIABLES`.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from cg_review.errors import InputError
from cg_review.reviewers import Usage
from cg_review.reviewers.prompts import Prompt
from cg_review.reviewers.settings import ModelSettings

_MODULES = {
    "anthropic": "cg_review.reviewers.providers.anthropic",
    "openai": "cg_review.reviewers.providers.openai",
}
_LOCAL_KEY = "none"  # servers of one's own take any


class RefusedByModel(Exception):
    """The model declined to answer; asking again is in vain."""


@dataclass(frozen=True, slots=True)
class Connection:
    """An open client.

    `client` is instructor's, `arguments` makes the call's arguments from a prompt, `usage` reads a raw completion (no
    cost). `status_error` has `status_code` and `response`; `no_connection` are the errors of the wire.

    `sdk` is the vendor's client; `through` makes instructor's client over a function that stands in for its `create`;
    `completion` makes a raw completion of its fields.
    """

    client: Any
    arguments: Callable[[Prompt, type[BaseModel], int], dict[str, Any]]
    usage: Callable[[Any], Usage]
    status_error: type[Exception]
    no_connection: tuple[type[Exception], ...]
    sdk: Any
    through: Callable[[Callable[..., Awaitable[Any]]], Any]
    completion: Callable[..., Any]


def count_of(usage: Any, name: str) -> int:
    """A count that a server reports; 0 where it reports none, or nonsense."""
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value > 0 else 0


def transport(settings: ModelSettings) -> dict[str, Any]:
    """How to reach the server: an own one through no proxy. Certificates are read once, not for every document."""
    trust_env = not settings.is_local
    return {"trust_env": trust_env, "verify": _certificates(trust_env)}


@lru_cache(maxsize=2)
def _certificates(trust_env: bool) -> ssl.SSLContext:
    import httpx2  # the client of both SDKs

    return httpx2.create_ssl_context(trust_env=trust_env)


def instructed(provider: str, sdk: Any, create: Callable[..., Awaitable[Any]]) -> Any:
    """instructor's client, in JSON schema mode, over a function that takes and gives what the SDK's `create` does."""
    from instructor import AsyncInstructor, Mode, Provider, patch

    of, mode = Provider(provider), Mode.JSON_SCHEMA
    patched: Any = patch(create=create, mode=mode, provider=of)
    return AsyncInstructor(client=sdk, create=patched, mode=mode, provider=of)


def read_key(settings: ModelSettings) -> str:
    """The key from its environment variable. Raises InputError when it is not set and the server is a vendor's."""
    key = os.environ.get(settings.key_variable, "")
    if key or (settings.base_url is not None and settings.api_key_env is None):
        # a vendor's key is not for other servers, unless its variable was named for this one
        return key if settings.base_url is None or settings.api_key_env else _LOCAL_KEY
    raise InputError(
        f"--model {settings.model}: no key in the environment variable {settings.key_variable} "
        "(--api-key-env names another)"
    )


def require_sdk(settings: ModelSettings) -> None:
    """Raise InputError when the extra that brings the SDKs is not installed."""
    missing = [
        name
        for name in ("instructor", "tenacity", settings.provider)
        if importlib.util.find_spec(name) is None
    ]
    if missing:
        raise InputError(
            f"--model {settings.model} needs {', '.join(missing)}: python -m pip install 'cg-review[models]'"
        )


@asynccontextmanager
async def connect(settings: ModelSettings) -> AsyncIterator[Connection]:
    """Open a client for the event loop that runs, and close it. Raises InputError for a missing key or SDK."""
    require_sdk(settings)
    module = importlib.import_module(_MODULES[settings.provider])
    async with module.connect(settings, read_key(settings)) as connection:
        if not settings.log_content:
            _quieten()
        yield connection


def _quieten() -> None:
    """Keep documents out of logs: the SDKs log requests, instructor answers that failed, which quote the document."""
    for name in ("instructor", "openai", "anthropic"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
