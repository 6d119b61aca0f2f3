"""The batch endpoints of both vendors, on a scripted server: its script answers the requests of a batch too.

A reply whose `stop` is "expired" or "cancelled" is a request that was never answered; a status of 400 or more is one
that failed.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scripted_server import KEY, ScriptedServer, Turn, completion
from werkzeug import Request, Response

_UNANSWERED = {"expired", "cancelled"}


@dataclass
class Made:
    """A batch: its requests by their ids, and the replies to them once it has ended."""

    id: str
    metadata: dict[str, str]
    requests: dict[str, dict[str, Any]]
    created: float
    replies: dict[str, Turn] = field(default_factory=dict)


@dataclass
class ScriptedBatches:
    """`ended`: whether batches are through when somebody looks. `before(path)` may stop a POST with a status.

    `after(path)` is called when the server has done what it was asked, before it says so; what it returns does not matter.
    """

    server: ScriptedServer
    ended: bool = True
    made: list[Made] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    state: str = ""  # of OpenAI's batches, other than by what happened to their requests
    before: Callable[[str], int] = lambda _: 200
    after: Callable[[str], int] = lambda _: 200
    asked: list[str] = field(default_factory=list)  # method and path of every request
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The requests of all batches."""
        return [body for one in self.made for body in one.requests.values()]

    def handle(self, request: Request) -> Response:
        path = request.path.removeprefix("/v1/").removeprefix("messages/")
        with self._lock:
            self.asked.append(f"{request.method} {path}")
        if KEY not in (request.headers.get("x-api-key"), self._bearer(request)):
            return _json({"error": {"type": "authentication_error", "message": "no"}}, 401)
        if request.method == "POST":
            status = self.before(path)
            if status != 200:
                return _json({"error": {"type": "scripted_fault", "message": "no"}}, status)
        with self._lock:
            response = self._openai(request, path) if self.is_openai else self._anthropic(request, path)
        if request.method == "POST":
            self.after(path)
        return response

    @property
    def is_openai(self) -> bool:
        return self.server.protocol == "openai"

    @staticmethod
    def _bearer(request: Request) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    # -- Anthropic -----------------------------------------------------------------------------------------------------

    def _anthropic(self, request: Request, path: str) -> Response:
        if request.method == "POST":
            asked = json.loads(request.data)["requests"]
            one = self._make({each["custom_id"]: each["params"] for each in asked}, {})
            return _json(self._message_batch(one))
        if path == "batches":
            return _json({"data": [self._message_batch(one) for one in self.made[::-1]], "has_more": False})
        one = self._found(path.split("/")[1])
        if one is None:
            return _json({"error": {"type": "not_found_error", "message": "no"}}, 404)
        if not path.endswith("/results"):
            return _json(self._message_batch(one))
        lines = [{"custom_id": key, "result": self._result(turn)} for key, turn in one.replies.items()]
        return Response("".join(json.dumps(line) + "\n" for line in lines[::-1]))

    def _message_batch(self, one: Made) -> dict[str, Any]:
        counts = dict.fromkeys(("succeeded", "errored", "canceled", "expired", "processing"), 0)
        self._answer(one)
        for turn in one.replies.values():
            counts[self._result(turn)["type"]] += 1
        counts["processing"] = len(one.requests) - len(one.replies)
        made = datetime.fromtimestamp(one.created, UTC).isoformat()
        return {
            **{"id": one.id, "type": "message_batch", "created_at": made, "expires_at": made},
            "processing_status": "ended" if one.replies else "in_progress",
            "request_counts": counts,
            "results_url": self.server.http.url_for(f"/v1/messages/batches/{one.id}/results")
            if one.replies
            else None,
        }

    def _result(self, turn: Turn) -> dict[str, Any]:
        if turn.stop in _UNANSWERED:
            return {"type": {"cancelled": "canceled"}.get(turn.stop, turn.stop)}
        if turn.status >= 400:
            error = {"type": "invalid_request_error", "message": "the document"}
            return {"type": "errored", "error": {"type": "error", "error": error}}
        return {"type": "succeeded", "message": completion("anthropic", turn)}

    # -- OpenAI --------------------------------------------------------------------------------------------------------

    def _openai(self, request: Request, path: str) -> Response:
        if path == "files":
            name = f"file-{len(self.files)}"
            self.files[name] = request.files["file"].read()
            assert request.form["purpose"] == "batch"
            return _json({"id": name, "object": "file"})
        if path.startswith("files/"):
            return Response(self.files[path.split("/")[1]])
        if request.method == "POST":
            return _json(self._batch(self._read(json.loads(request.data))))
        if path == "batches":
            listed = [self._batch(one) for one in self.made[::-1]]
            return _json({"object": "list", "data": listed, "has_more": False})
        one = self._found(path.split("/")[1])
        return _json(self._batch(one)) if one else _json({"error": {"type": "invalid_request_error"}}, 404)

    def _read(self, asked: dict[str, Any]) -> Made:
        assert asked["endpoint"] == "/v1/chat/completions"
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
        return self._make({line["custom_id"]: line["body"] for line in lines}, asked["metadata"])

    def _batch(self, one: Made) -> dict[str, Any]:
        self._answer(one)
        good = {
            key: turn
            for key, turn in one.replies.items()
            if turn.status == 200 and turn.stop not in _UNANSWERED
        }
        bad = {key: turn for key, turn in one.replies.items() if key not in good}
        self.files[f"out-{one.id}"] = _lines([self._line(key, turn) for key, turn in good.items()])
        self.files[f"bad-{one.id}"] = _lines([self._line(key, turn) for key, turn in bad.items()])
        gone = {turn.stop for turn in bad.values()} & _UNANSWERED
        refused = self.state == "failed"
        return {
            **{"id": one.id, "object": "batch", "created_at": int(one.created), "metadata": one.metadata},
            **{"endpoint": "/v1/chat/completions", "input_file_id": "", "completion_window": "24h"},
            "status": self.state or ("in_progress" if not one.replies else next(iter(gone), "completed")),
            "output_file_id": f"out-{one.id}" if good and not refused else None,
            "error_file_id": f"bad-{one.id}" if bad and not refused else None,
            "errors": {"data": [{"code": "token_limit_exceeded", "message": "no"}]} if refused else None,
            "request_counts": {"total": len(one.requests), "completed": len(good), "failed": len(bad)},
        }

    def _line(self, key: str, turn: Turn) -> dict[str, Any]:
        if turn.stop in _UNANSWERED:
            return {"custom_id": key, "response": None, "error": {"code": f"batch_{turn.stop}"}}
        body = (
            completion("openai", turn) if turn.status == 200 else {"error": {"type": "invalid_request_error"}}
        )
        return {"custom_id": key, "response": {"status_code": turn.status, "body": body}, "error": None}

    # -- both ----------------------------------------------------------------------------------------------------------

    def _make(self, requests: dict[str, dict[str, Any]], metadata: dict[str, str]) -> Made:
        self.made.append(Made(f"batch_{len(self.made)}", metadata, requests, time.time()))
        return self.made[-1]

    def _found(self, name: str) -> Made | None:
        return next((one for one in self.made if one.id == name), None)

    def _answer(self, one: Made) -> None:
        if self.ended and not one.replies:
            one.replies = {key: self.server.script(body) for key, body in one.requests.items()}


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value), status, content_type="application/json")


def _lines(values: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def with_batches(server: ScriptedServer) -> ScriptedBatches:
    """The server, with the batch endpoints of its protocol."""
    batches = ScriptedBatches(server)
    for path in ("/v1/batches", "/v1/files") if batches.is_openai else ("/v1/messages/batches",):
        server.http.expect_request(_under(path)).respond_with_handler(batches.handle)
    return batches


def _under(path: str) -> re.Pattern[str]:
    return re.compile(f"{path}(/.*)?$")
