"""Reviewers that talk to a scripted server, and the fixtures that start one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from cg_review.parse import parse
from cg_review.reviewers import PassResult
from cg_review.reviewers.desk import Desk
from cg_review.reviewers.model import ModelReviewer
from cg_review.reviewers.settings import ModelSettings
from pytest_httpserver import HTTPServer
from scripted_server import KEY, ScriptedServer, Turn, start

TODAY = date(2026, 11, 30)
TEXT = """# Tidewatch

Tidewatch is the most accurate service on the market.

## Plan

Revenue will be $9M by Q4. The gate opens in 40 s under load.
"""


class QuickServer(HTTPServer):
    """Stops at once; its parent looks only every half second whether it is to stop."""

    def thread_target(self) -> None:
        assert self.server is not None
        self.server.serve_forever(poll_interval=0.01)


Serve = Callable[[Callable[[dict[str, Any]], Turn]], ScriptedServer]


@pytest.fixture(params=["openai", "anthropic"])
def protocol(request: pytest.FixtureRequest) -> str:
    """Every test with a server runs over both protocols."""
    return str(request.param)


@pytest.fixture
def serve(protocol: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start a server with a script."""
    monkeypatch.setenv("TEST_KEY", KEY)
    with QuickServer(threaded=True) as http:
        yield lambda script: start(http, protocol, script)


def settings(server: ScriptedServer, **changed: Any) -> ModelSettings:
    """Settings for a scripted server; retries wait next to nothing."""
    values: dict[str, Any] = {
        "model": f"{server.protocol}:scripted",
        "base_url": server.base_url,
        "api_key_env": "TEST_KEY",
        "concurrency": 8,
        "deadline": 20.0,
        "retry_after_cap": 0.05,
        "window": 32_000,
        **changed,
    }
    return ModelSettings(**values)


def read(
    server: ScriptedServer, *points: int, text: str = TEXT, today: date = TODAY, **changed: Any
) -> tuple[PassResult, ...]:
    """Ask `points` (all nine by default) of a document."""
    reviewer = ModelReviewer(Desk(settings(server, **changed)))
    return asyncio.run(reviewer.run_all(points or range(1, 10), parse(text), today))


def book(sections: int = 40, changed: int | None = None) -> str:
    """A long document; section `changed` has one word more."""
    parts = ["# Book\n\nA draft. TBM means tunnel boring machine.\n"]
    for number in range(1, sections + 1):
        word = "very " if number == changed else ""
        body = f"This stretch is {word}long and says something about rivers. " * 6
        parts.append(
            f"## Section {number}\n\n{body}\n\nThe depot in place {number} has {number + 3} {word}gates.\n"
        )
    return "\n".join(parts)
