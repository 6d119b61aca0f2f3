"""Where requests go that are not sent one by one: the answers that batches gave are handed out, the rest is put down.

A mailbox stands where the SDK's `create` stands, behind instructor, so a request of a batch is the request that would
have been sent, and its answer goes the way of every other: validation, re-asks, grounding, cache, cost. What an answer
leads to (a quote to ask again, halves of a part) is a request like any other, for the next batch.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from cg_review.reviewers.cache import cache_key
from cg_review.reviewers.prompts import count_tokens

Line = tuple[str, str]  # a request's key, and its body as JSON
_OVERHEAD = 200  # bytes that a provider's envelope adds to a body, on the high side


class Unasked(Exception):
    """A request that no batch has answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a batch says to one request: the fields of a raw completion, or why there is none."""

    key: str
    completion: dict[str, Any] | None
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider takes in one batch."""

    requests: int
    size: int  # bytes


class Spool:
    """Requests to be sent, each once, on disk: a folder's requests repeat each document nine times."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  lives as long as the spool
        self.tokens: dict[str, int] = {}  # of each request's prompt, by key

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, key: str, body: dict[str, Any]) -> None:
        """Put a request down, unless it is there."""
        if key not in self.tokens:
            text = json.dumps(body)
            self._file.write(f"{key} {text}\n")
            self.tokens[key] = count_tokens(text)

    def chunks(self, limits: Limits) -> Iterator[list[Line]]:
        """The requests in order, in as few batches as the limits allow."""
        self._file.seek(0)
        chunk: list[Line] = []
        room = limits.size
        for line in self._file:
            key, _, body = line.rstrip("\n").partition(" ")
            size = len(body) + _OVERHEAD
            if chunk and (size > room or len(chunk) >= limits.requests):
                yield chunk
                chunk, room = [], limits.size
            chunk.append((key, body))
            room -= size
        if chunk:
            yield chunk


@dataclass
class Mailbox:
    """Hands out answers by the request's key.

    `underway` are the requests of batches whose answers are not here yet; `spool` takes what nobody was asked (None: it
    stays unasked). `open` collects what was not answered and may still be.
    """

    server: str  # whose answers these are
    answers: Callable[[str], Answer | None] = lambda _: None
    underway: Collection[str] = ()
    spool: Spool | None = None
    open: set[str] = field(default_factory=set)

    async def create(self, completion: Callable[..., Any], **request: Any) -> Any:
        """The raw completion that a batch gave to the request. Raises Unasked."""
        extra = request.pop("extra_body", {})
        body = {**request, **extra}  # as the SDK merges them
        key = cache_key({"server": self.server, "body": body})
        answer = self.answers(key)
        if answer is not None and answer.completion is not None:
            return completion(**answer.completion)
        if answer is not None:
            raise Unasked(answer.failed)
        self.open.add(key)
        if key in self.underway:
            raise Unasked("a batch is under way that will answer")
        if self.spool is not None:
            self.spool.add(key, body)
        raise Unasked("asked in no batch yet: the same command asks it, with or without --batch-api")
