"""Every fault of a server becomes the right thing, in both protocols (ENGINES, "What each fault becomes")."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from cg_review.errors import InputError
from cg_review.parse import parse
from cg_review.reviewers import Found, PassFailed, build
from cg_review.reviewers.calls import retry_after
from cg_review.reviewers.settings import ModelSettings
from model_fixtures import TEXT, Serve, read
from scripted_server import EMPTY, KEY, Turn, answer, finding, turns

GOOD = answer(finding(2, "Tidewatch is the most accurate service on the market."))


def test_an_answer_becomes_findings(serve: Serve) -> None:
    server = serve(turns(Turn(GOOD)))
    (result,) = read(server, 1)
    assert isinstance(result, Found)
    (found,) = result.findings
    assert (found.point, found.segment, found.confidence) == (1, 2, 0.8)
    assert found.quote == "Tidewatch is the most accurate service on the market."


def test_usage_counts_cached_tokens_within_prompt_tokens(serve: Serve, protocol: str) -> None:
    (result,) = read(serve(turns(Turn(EMPTY))), 1)
    assert result.usage is not None
    assert (result.usage.requests, result.usage.input_tokens, result.usage.cached_tokens) == (1, 100, 80)
    assert result.usage.cache_write_tokens == (5 if protocol == "anthropic" else 0)
    assert result.usage.output_tokens == 10


@pytest.mark.parametrize("text", ['{"findings":[{"quote":"Uptime', '{"findings": [], "nothing_else": true}'])
def test_a_cut_answer_is_never_an_answer(serve: Serve, text: str) -> None:
    server = serve(turns(Turn(text, stop="cut")))
    (result,) = read(server, 1)
    assert isinstance(result, PassFailed)
    assert "cut at the token limit" in result.reason
    assert len(server.requests) == 1


@pytest.mark.parametrize("stop", ["refusal", "filter"])
def test_a_refusal_is_not_asked_again(serve: Serve, stop: str) -> None:
    server = serve(turns(Turn("I cannot help with that.", stop=stop)))
    (result,) = read(server, 1)
    assert result == PassFailed(1, "the model refused to answer", result.usage)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("no JSON at all", "not valid JSON"),
        ('{"findings": [], "nothing', "not valid JSON"),
        ({"findings": "none", "nothing_else": True}, "findings"),
        ({"findings": [], "nothing_else": True, "clarity_status": "CLEAR"}, "clarity_status"),
        ({"findings": [finding(1, "x", confidence=900)], "nothing_else": True}, "confidence is 0 to 100"),
        ([], "answer"),
        ("", "not valid JSON"),
    ],
)
def test_a_bad_answer_is_asked_again_once(serve: Serve, bad: object, reason: str) -> None:
    server = serve(turns(Turn(bad), Turn(GOOD)))
    (result,) = read(server, 1)
    assert isinstance(result, Found)
    assert len(result.findings) == 1
    assert len(server.requests) == 2
    assert result.usage is not None
    assert result.usage.requests == 2

    server.script = turns(Turn(bad))
    (result,) = read(server, 1, temperature=0.5)
    assert isinstance(result, PassFailed)
    assert reason in result.reason
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_passing_fault_is_tried_again(serve: Serve, status: int) -> None:
    server = serve(turns(Turn(status=status, headers={"retry-after": "0"}), Turn(GOOD)))
    (result,) = read(server, 1)
    assert isinstance(result, Found)
    assert len(server.requests) == 2


def test_a_lasting_fault_is_given_up_after_five_requests(serve: Serve) -> None:
    server = serve(turns(Turn(status=529, headers={"retry-after": "0"})))
    (result,) = read(server, 1)
    assert isinstance(result, PassFailed)
    assert result.reason == "HTTP 529 (scripted_fault)"
    assert len(server.requests) == 5


def test_retry_after_is_honoured_up_to_its_cap(serve: Serve) -> None:
    server = serve(turns(Turn(status=429, headers={"retry-after": "300"}), Turn(GOOD)))
    started = time.monotonic()
    (result,) = read(server, 1, retry_after_cap=0.4)
    assert isinstance(result, Found)
    assert server.times[1][0] - server.times[0][1] >= 0.35
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_request_is_not_tried_again(serve: Serve, status: int) -> None:
    server = serve(turns(Turn(status=status)))
    results = read(server)
    assert [result.reason for result in results if isinstance(result, PassFailed)] == [
        f"HTTP {status} (scripted_fault)"
    ] * 9
    assert len(server.requests) == 9


def test_a_wrong_key_ends_the_run_with_one_request(serve: Serve) -> None:
    server = serve(turns(Turn(status=401)))
    results = read(server)
    assert {result.reason for result in results if isinstance(result, PassFailed)} == {
        "HTTP 401: the key in TEST_KEY was not accepted"
    }
    assert len(results) == 9
    assert len(server.requests) == 1


def test_the_deadline_is_hard_and_covers_retries(serve: Serve) -> None:
    server = serve(turns(Turn(GOOD, delay=3)))
    started = time.monotonic()
    (result,) = read(server, 1, deadline=1.0)
    assert isinstance(result, PassFailed)
    assert "deadline of 1 s" in result.reason
    assert time.monotonic() - started < 2.5

    server.script = turns(Turn(status=500, headers={"retry-after": "10"}))
    (result,) = read(server, 1, deadline=1.0, retry_after_cap=60)
    assert isinstance(result, PassFailed)
    assert "before that: HTTP 500" in result.reason


@pytest.mark.parametrize(
    "raw",
    [
        b"<html>gateway</html>",
        b"",
        b"{}",
        b"[]",
        b"null",
        b'"words"',
        b'{"choices": [], "content": []}',
        b'{"choices": null, "content": null, "stop_reason": 7}',
        b'{"choices": [{"message": null}], "content": [{"type": "text"}], "usage": {"prompt_tokens": "many"}}',
        b'{"choices": [{"message": {"content": 7}, "finish_reason": "stop"}], "content": [7]}',
    ],
)
def test_a_broken_body_is_a_fault(serve: Serve, raw: bytes) -> None:
    server = serve(turns(Turn(raw=raw)))
    (result,) = read(server, 1)
    assert isinstance(result, PassFailed)
    assert len(server.requests) <= 5


def test_a_server_that_hangs_up_is_a_fault(protocol: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    reviewer = build(
        ModelSettings(
            model=f"{protocol}:x", base_url=f"http://127.0.0.1:{port}", floor=False, retry_after_cap=0.01
        )
    )
    result = asyncio.run(reviewer.run(1, parse(TEXT), date(2026, 11, 30)))
    assert isinstance(result, PassFailed)
    assert result.reason == f"no usable connection to http://127.0.0.1:{port}"


def test_keys_and_documents_stay_out_of_reasons_and_logs(
    serve: Serve,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    own_surroundings: Path,
) -> None:
    caplog.set_level(logging.DEBUG)
    quoting = answer(finding(3, "Revenue will be $9M by Q4.", confidence=-1))
    server = serve(turns(Turn(GOOD)))
    for turn in (
        Turn(status=401),
        Turn(status=400),
        Turn(status=500),
        Turn(quoting),
        Turn("Revenue will"),
        Turn(GOOD),
    ):
        server.script = turns(turn)
        for result in read(server, 1, retry_after_cap=0.0):
            reason = result.reason if isinstance(result, PassFailed) else ""
            assert KEY not in reason
            assert "Revenue" not in reason
    told = caplog.text + "".join(capfd.readouterr())
    assert KEY not in told
    assert "Revenue" not in told
    kept = [path.read_text() for path in own_surroundings.rglob("*.json")]
    assert kept
    assert not any(KEY in text for text in kept)


def test_the_key_goes_to_the_server_it_is_for(
    serve: Serve, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vendor's key is not sent to a server of one's own, unless its variable was named for it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-vendor")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-vendor")
    server = serve(turns(Turn(EMPTY)))
    read(server, 1, api_key_env=None)
    read(server, 2)
    sent = [str(headers) for headers in server.headers]
    assert "sk-vendor" not in "".join(sent)
    assert KEY in sent[1]


def test_settings_that_cannot_be_met_are_said_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for model, words in (
        ("gpt-5", "expected embedded, anthropic:NAME or openai:NAME"),
        ("openai:", "expected embedded"),
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
    ):
        with pytest.raises(InputError, match=words):
            build(ModelSettings(model=model))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match="--offline"):
        build(ModelSettings(model="openai:gpt-5", offline=True))
    with pytest.raises(InputError, match="no price is known"):
        build(ModelSettings(model="openai:nobody-knows-me", max_cost=1.0))
    assert build(ModelSettings(model="openai:gpt-5", max_cost=1.0)).name == "openai:gpt-5"
    assert build(ModelSettings()).name == "embedded"  # though a key is in the environment


def test_sdks_are_imported_only_where_a_model_reads() -> None:
    code = (
        "import sys, cg_review.reviewers.factory, cg_review.reviewers.model, cg_review.reviewers.second_look\n"
        "print({'openai', 'anthropic', 'instructor', 'genai_prices', 'httpx2'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_settings_reach_the_wire(serve: Serve, protocol: str) -> None:
    server = serve(turns(Turn(EMPTY)))
    read(server, 1, temperature=0.25, max_output=321)
    (body,) = server.requests
    assert body["model"] == "scripted"
    assert body["temperature"] == 0.25
    assert body["max_tokens"] == 321
    if protocol == "openai":
        assert body["response_format"]["json_schema"]["strict"] is True
        schema = body["response_format"]["json_schema"]["schema"]
    else:
        assert body["output_config"]["format"]["type"] == "json_schema"
        schema = body["output_config"]["format"]["schema"]
        marked = [body["system"][0], body["messages"][0]["content"][0]]
        assert [block.get("cache_control") for block in marked] == [{"type": "ephemeral"}] * 2
        assert "cache_control" not in body["messages"][0]["content"][1]
    assert set(schema["required"]) == {"findings", "nothing_else"}
    assert schema["additionalProperties"] is False


def test_private_addresses_are_read_one_at_a_time() -> None:
    def at_once(url: str | None) -> int:
        return ModelSettings(model="openai:x", base_url=url).at_once

    assert [
        at_once(u) for u in ("http://localhost:8080/v1", "http://127.0.0.1/v1", "http://192.168.0.2/v1")
    ] == [1] * 3
    assert [at_once(u) for u in (None, "https://api.example.com/v1")] == [8] * 2
