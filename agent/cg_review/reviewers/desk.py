"""What asking a model needs, shared by the nine passes and the second look: settings, prompts, cache, budget, price."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, TypeVar

from pydantic import BaseModel

from cg_review.document import Document
from cg_review.points import Point, load_points, rules_hash
from cg_review.reviewers import Usage
from cg_review.reviewers.cache import AnswerCache, cache_key, default_folder
from cg_review.reviewers.calls import Caller, CallFailed, Reply
from cg_review.reviewers.mailbox import Mailbox
from cg_review.reviewers.parts import Part, cut, halve, ledger
from cg_review.reviewers.prompts import Prompt, Prompts, count_tokens, load_prompts, segment_tokens
from cg_review.reviewers.providers import connect
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import Budget, budget_of, price_of

Schema = TypeVar("Schema", bound=BaseModel)

_LONGEST_QUESTION = 1_500  # tokens; the second look and re-asks take from the answer's allowance
BATCH_SHARE = 0.5  # what both vendors ask for a request in a batch, of its price
WHOLE_DOCUMENT_POINTS = (5, 8)  # compare places, so they are also asked over the facts of all parts


@cache
def _schema_of(schema: type[BaseModel]) -> dict[str, Any]:
    return schema.model_json_schema()


class Desk:
    """One for a run, over all its documents; safe to use from one event loop after another."""

    def __init__(self, settings: ModelSettings, mailbox: Mailbox | None = None) -> None:
        """With a mailbox nothing is sent: it has the answers of batches. Raises InputError for a model that is not named properly, or a cost limit without a known price."""
        self.settings = settings
        self.mailbox = mailbox
        settings.provider  # noqa: B018  raises InputError where the name is wrong
        self.price = price_of(settings, 1.0 if mailbox is None else BATCH_SHARE)
        self.budget: Budget = budget_of(settings, self.price)
        self.cache = AnswerCache(settings.cache_dir or default_folder()) if settings.cache else None
        self.prompts: Prompts = load_prompts(settings.prompts)
        self.points: tuple[Point, ...] = load_points(settings.rules)

    @cached_property
    def window(self) -> int:
        """The model's window in tokens."""
        return self.settings.window_of(self.price.window if self.price else None)

    @cached_property
    def max_output(self) -> int:
        """The answer allowance of a request, in tokens."""
        return self.settings.output_of(self.window)

    @cached_property
    def room(self) -> int:
        """Tokens that a part of a document may take."""
        taken = count_tokens(self.prompts.system()) + _LONGEST_QUESTION + self.max_output
        return max(500, self.window - taken)

    def parts(self, document: Document) -> tuple[Part, ...]:
        """The document cut to the model's window."""
        return cut(document, self.room, lambda segment: segment_tokens(document, segment))

    def ledgers(self, document: Document) -> tuple[Part, ...]:
        """The facts of the whole document, for the points that compare places."""
        return ledger(document, self.room, lambda segment: segment_tokens(document, segment))

    def halves(self, part: Part) -> tuple[Part, Part] | None:
        """A part in two, where its answer was too long and it is long enough."""
        return halve(part, self.room, lambda segment: segment_tokens(part.document, segment))

    @cached_property
    def _fixed_key(self) -> dict[str, object]:
        """What an answer depends on besides its prompt."""
        return {
            "model": self.settings.model,
            "server": self.settings.base_url,
            "temperature": self.settings.temperature,
            "max_output": self.max_output,
            "rules": rules_hash(self.settings.rules),
        }

    @property
    def fingerprint(self) -> str:
        """A hash of what all answers depend on: model, server, settings, rules, and the templates' text."""
        return cache_key({**self._fixed_key, "window": self.window, "templates": self.prompts.hash})

    def key(self, prompt: Prompt, schema: type[BaseModel]) -> str:
        """The cache key of a request."""
        return cache_key(
            {
                **self._fixed_key,
                "prompt": [prompt.system, prompt.document, prompt.question],
                "schema": _schema_of(schema),
            }
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Asker]:
        """Be ready to ask, in the event loop that runs."""
        async with connect(self.settings) as connection:
            if self.mailbox is not None:
                create = partial(self.mailbox.create, connection.completion)
                connection = replace(connection, client=connection.through(create))
            caller = Caller(connection, self.settings, self.budget, self.price, self.max_output)
            yield Asker(self, caller, asyncio.Semaphore(self.settings.at_once))


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks through the cache, a bounded number of requests at once."""

    desk: Desk
    caller: Caller
    at_once: asyncio.Semaphore

    async def ask(self, prompt: Prompt, schema: type[Schema]) -> Reply[Schema]:
        """The cached answer, or the model's. Raises CallFailed."""
        cache, key = self.desk.cache, self.desk.key(prompt, schema)
        cached = cache.get(key, schema) if cache else None
        if cached is not None:
            return Reply(cached, Usage())
        async with self.at_once:
            reply = await self.caller.call(prompt, schema)
        if cache:
            cache.put(key, reply.answer)
        return reply


__all__ = ["WHOLE_DOCUMENT_POINTS", "Asker", "CallFailed", "Desk", "Reply"]
