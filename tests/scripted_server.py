"""A model server that answers by a script, on a real socket, in both protocols."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

KEY = "sk-very-secret-0123456789"
EMPTY: dict[str, Any] = {"findings": [], "nothing_else": True}


def finding(segment: int, quote: str, **more: Any) -> dict[str, Any]:
    """One finding of an answer."""
    base = {"reason": "nothing shows it", "fix": "mark it", "kind": "", "confidence": 80, "related": []}
    return {"segment": segment, "quote": quote, **base, **more}


def answer(*findings: dict[str, Any], nothing_else: bool = True) -> dict[str, Any]:
    """An answer with these findings."""
    return {"findings": list(findings), "nothing_else": nothing_else}


@dataclass(frozen=True)
class Turn:
    """One reply: `text` is the answer's text (or an object to be one); the rest are faults."""

    text: Any = None
    status: int = 200
    stop: str = "end"  # "end", "cut", "refusal"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    raw: bytes | None = None


@dataclass
class ScriptedServer:
    """Counts what it is asked; `script` gives the reply to a request's body."""

    protocol: str
    http: HTTPServer
    script: Callable[[dict[str, Any]], Turn]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[tuple[float, float]] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base_url(self) -> str:
        return self.http.url_for("/v1" if self.protocol == "openai" else "").rstrip("/")

    def handle(self, request: Request) -> Response:
        started = time.monotonic()
        body = json.loads(request.data)
        with self._lock:
            self.requests.append(body)
            self.headers.append(dict(request.headers))
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            turn = self.script(body)
        time.sleep(turn.delay)
        with self._lock:
            self.in_flight -= 1
            self.times.append((started, time.monotonic()))
        if turn.raw is not None:
            return Response(turn.raw, turn.status, turn.headers, content_type="application/json")
        made = _error(turn.status) if turn.status >= 400 else completion(self.protocol, turn)
        return Response(json.dumps(made), turn.status, turn.headers, content_type="application/json")


def start(http: HTTPServer, protocol: str, script: Callable[[dict[str, Any]], Turn]) -> ScriptedServer:
    """Serve `script` at the protocol's address."""
    server = ScriptedServer(protocol, http, script)
    path = "/v1/chat/completions" if protocol == "openai" else "/v1/messages"
    http.expect_request(path, method="POST").respond_with_handler(server.handle)
    return server


def turns(*scripted: Turn) -> Callable[[dict[str, Any]], Turn]:
    """The replies in order, whatever is asked; the last one again and again."""
    left = list(scripted)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def question_of(body: dict[str, Any]) -> str:
    """The last user text of a request, which ends with the question (before any re-ask of instructor's)."""
    content = next(m for m in body["messages"] if m["role"] == "user")["content"]
    return content if isinstance(content, str) else content[-1]["text"]


def point_of(body: dict[str, Any]) -> int:
    """Which point a request asks."""
    return int(question_of(body).rsplit("# Point ", 1)[1].split(":", 1)[0])


def prefix_of(body: dict[str, Any]) -> str:
    """What stands before a request's question, as text."""
    user = next(m for m in body["messages"] if m["role"] == "user")["content"]
    if isinstance(user, str):
        return body["messages"][0]["content"] + user.split("# Point ", 1)[0]
    return body["system"][0]["text"] + user[0]["text"]


def completion(protocol: str, turn: Turn) -> dict[str, Any]:
    """A reply as the protocol has it."""
    text = turn.text if isinstance(turn.text, str) else json.dumps(turn.text)
    if protocol == "openai":
        refusal = "I cannot help with that." if turn.stop == "refusal" else None
        reason = {"end": "stop", "cut": "length", "refusal": "stop", "filter": "content_filter"}[turn.stop]
        message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
        usage = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": 80},
        }
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": usage,
        }
    reason = {"end": "end_turn", "cut": "max_tokens", "refusal": "refusal", "filter": "refusal"}[turn.stop]
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 15,
            "output_tokens": 10,
            "cache_read_input_tokens": 80,
            "cache_creation_input_tokens": 5,
        },
    }


def _error(status: int) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "scripted_fault", "message": f"key {KEY} and the document"}}
