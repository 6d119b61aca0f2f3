"""One call to a model: budget, one loop for retries and re-asks, one deadline; an answer or a `CallFailed`.

The SDKs retry nothing and instructor re-asks through our loop, because retries of three layers multiply (ENGINES).
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from cg_review.reviewers import Usage
from cg_review.reviewers.faults import is_bad_answer, is_cut, reason_of, root_of
from cg_review.reviewers.mailbox import Unasked
from cg_review.reviewers.prompts import Prompt
from cg_review.reviewers.providers import Connection
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import Budget, Price, metered

_log = logging.getLogger("cg_review.models")
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
_TRANSPORT_RETRIES, _REASKS = 4, 1
_FIRST_WAIT = 0.5

Schema = TypeVar("Schema", bound=BaseModel)


class CallFailed(Exception):
    """A call without an answer.

    `fatal`: the same would happen to every other call; `cut`: it was too long; `unasked`: a batch may still answer.
    """

    def __init__(
        self,
        reason: str,
        usage: Usage | None = None,
        *,
        fatal: bool = False,
        cut: bool = False,
        unasked: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason, self.usage = reason, usage or Usage()
        self.fatal, self.cut, self.unasked = fatal, cut, unasked


@dataclass(frozen=True, slots=True)
class Reply(Generic[Schema]):
    """A validated answer and what it cost."""

    answer: Schema
    usage: Usage


@dataclass(frozen=True, slots=True)
class Caller:
    """What every call of a run shares."""

    connection: Connection
    settings: ModelSettings
    budget: Budget
    price: Price | None
    max_output: int

    async def call(self, prompt: Prompt, schema: type[Schema]) -> Reply[Schema]:
        """Ask. Raises CallFailed; nothing else, but cancellation."""
        worst = self._priced(Usage(1, prompt.tokens, output_tokens=self.max_output))
        retry = _Retry(self.connection, self.settings)
        started = time.monotonic()
        with metered(self.budget, worst) as meter:
            try:
                async with asyncio.timeout(self.settings.deadline):
                    answer = await self._create(prompt, schema, retry, meter)
            except TimeoutError:
                last = f" (before that: {retry.last})" if retry.last else ""
                meter.close()
                raise CallFailed(
                    f"no answer within the deadline of {self.settings.deadline:g} s{last}", meter.usage
                ) from None
            except Exception as error:
                root = root_of(error)
                meter.close()
                raise CallFailed(
                    reason_of(root, self.connection, self.settings),
                    meter.usage,
                    fatal=retry.is_fatal(root),
                    cut=is_cut(root),
                    unasked=isinstance(root, Unasked),
                ) from None
            meter.close()
            _log.debug(
                "%s: %d prompt tokens, %.1f s", schema.__name__, prompt.tokens, time.monotonic() - started
            )
            return Reply(answer, meter.usage)

    async def _create(self, prompt: Prompt, schema: type[Schema], retry: _Retry, meter: Any) -> Schema:
        from instructor.core.hooks import Hooks

        hooks = Hooks()
        hooks.on("completion:response", lambda raw: meter.note(self._usage(raw, prompt)))
        arguments = self.connection.arguments(prompt, schema, self.max_output)
        if self.settings.log_content:
            _log.debug("request: %s", arguments)
        # never `context=`: instructor would render the document as a template (ENGINES)
        answer: Schema
        answer, _ = await self.connection.client.create_with_completion(
            response_model=schema, max_retries=retry.loop(meter.before), hooks=hooks, **arguments
        )
        return answer

    def _usage(self, raw: Any, prompt: Prompt) -> Usage:
        """What a reply cost; where a server reports no prompt tokens, our estimate, so that limits hold."""
        usage = self.connection.usage(raw)
        return self._priced(usage if usage.input_tokens else replace(usage, input_tokens=prompt.tokens))

    def _priced(self, usage: Usage) -> Usage:
        return self.price.priced(usage) if self.price else usage


@dataclass
class _Retry:
    """What is tried again, when, and how a fault reads in a report. One for each call."""

    connection: Connection
    settings: ModelSettings
    transport_faults: int = 0
    bad_answers: int = 0
    last: str = ""
    _fallback_wait: float = field(default=_FIRST_WAIT)

    def loop(self, before: Any) -> Any:
        """The loop, for instructor to run."""
        from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            return self._wait(error)

        return AsyncRetrying(retry=retry_if_exception(self._again), wait=wait, before=before, reraise=True)

    def _again(self, error: BaseException) -> bool:
        if is_bad_answer(error):
            self.bad_answers += 1
            self.last = reason_of(error, self.connection, self.settings)
            return self.bad_answers <= _REASKS
        if self._is_transient(error):
            self.transport_faults += 1
            self.last = reason_of(error, self.connection, self.settings)
            return self.transport_faults <= _TRANSPORT_RETRIES
        return False

    def _is_transient(self, error: BaseException) -> bool:
        if isinstance(error, self.connection.status_error):
            return error.status_code in _AGAIN  # type: ignore[attr-defined]
        return isinstance(error, self.connection.no_connection)

    def _wait(self, error: BaseException | None) -> float:
        """Seconds: what the server asks for, capped; else twice the time before. A bad answer is re-asked at once."""
        if error is None or is_bad_answer(error):
            return 0.0
        asked = retry_after(getattr(getattr(error, "response", None), "headers", None) or {})
        if asked is None:
            asked = self._fallback_wait * random.uniform(0.75, 1.25)  # eight that failed together part
            self._fallback_wait *= 2
        return min(asked, self.settings.retry_after_cap)

    def is_fatal(self, error: BaseException) -> bool:
        """Whether every other call would end the same way."""
        if isinstance(error, self.connection.status_error):
            return error.status_code in {401, 402, 403, 404}  # type: ignore[attr-defined]
        return False


def retry_after(headers: Any) -> float | None:
    """Seconds that the headers `retry-after-ms` or `retry-after` (seconds or a date) ask for; None without a usable one."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) / unit)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError):
            continue
    return None
