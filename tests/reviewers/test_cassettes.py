"""The real SDKs against recordings of a real model server: they prove the wire, nothing about quality."""

from __future__ import annotations

import asyncio
import importlib.util
import re
import time
from dataclasses import replace
from typing import Any

import pytest
from cassette_player import FOLDER, cassette
from cg_review.parse import parse
from cg_review.reviewers import Found, PassFailed, PassResult
from cg_review.reviewers.desk import Desk
from cg_review.reviewers.model import ModelReviewer
from ruamel.yaml import YAML

PROVIDERS = ("openai", "anthropic")
OUTCOMES = {
    "found",
    "the answer was cut at the token limit",
    "the model said that it had not looked at every segment",
}


def recorder() -> Any:
    """The script that recorded them, for its settings."""
    spec = importlib.util.spec_from_file_location("record", FOLDER / "record.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(provider: str, points: list[int], *, concurrency: int = 1) -> tuple[PassResult, ...]:
    record = recorder()
    base_url = "http://127.0.0.1:1/v1" if provider == "openai" else "http://127.0.0.1:1"
    settings = record.settings(provider, "smollm2-135m-instruct", base_url, record.MAX_OUTPUT, concurrency)
    document = parse((FOLDER / "tidewatch.md").read_text(encoding="utf-8"))
    with cassette(provider):
        return asyncio.run(ModelReviewer(Desk(settings)).run_all(points, document, record.TODAY))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nine_passes_replay(provider: str) -> None:
    results = play(provider, list(range(1, 10)))
    assert [result.point for result in results] == list(range(1, 10))
    for result in results:
        outcome = result.reason.split(" (")[0] if isinstance(result, PassFailed) else "found"
        assert outcome in OUTCOMES
        assert result.usage is not None
        assert result.usage.input_tokens > 1_000
    assert any(isinstance(result, Found) for result in results)
    assert sum(result.usage.cached_tokens for result in results if result.usage) > 8_000


@pytest.mark.parametrize("provider", PROVIDERS)
def test_any_order_and_any_number_at_once_give_the_same(provider: str) -> None:
    expected = play(provider, list(range(1, 10)))
    turned = play(provider, list(range(9, 0, -1)))
    assert turned[::-1] == expected
    started = time.monotonic()
    assert play(provider, list(range(1, 10)), concurrency=8) == expected
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_cassette_is_readable_and_has_no_secret(provider: str) -> None:
    text = (FOLDER / f"{provider}.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(?i)authorization|x-api-key|bearer|sk-|cookie|127\.0\.0\.1", text)
    assert "          You review documents before other language models read them." in text
    loaded = YAML(typ="safe", pure=True).load(text)
    assert len(loaded["interactions"]) >= 9
    for interaction in loaded["interactions"]:
        assert set(interaction["request"]["headers"]) <= {"accept", "content-type", "anthropic-version"}
        assert interaction["request"]["uri"].startswith("http://model-server/")


def test_what_is_not_recorded_is_not_answered() -> None:
    record = recorder()
    base = record.settings("openai", "another-model", "http://127.0.0.1:1/v1", record.MAX_OUTPUT, 1)
    settings = replace(base, retry_after_cap=0.01)
    with cassette("openai"):
        reviewer = ModelReviewer(Desk(settings))
        (result,) = asyncio.run(reviewer.run_all([1], parse("One.\n"), record.TODAY))
    assert isinstance(result, PassFailed)
    assert "no usable connection" in result.reason
