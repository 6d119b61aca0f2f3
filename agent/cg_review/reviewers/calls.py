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

from pydantic import BaseModel, ValidationError

from cg_review.reviewers import Usage
from cg_review.reviewers.answers import describe
from cg_review.reviewers.prompts import Prompt
from cg_review.reviewers.providers import Connection, RefusedByModel
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import Budget, BudgetReached, Price, metered

_log = logging.getLogger("cg_review.models")
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
_TRANSPORT_RETRIES, _REASKS = 4, 1
_FIRST_WAIT, _MESSAGE_LENGTH = 0.5, 200

Schema = TypeVar("Schema", bound=BaseModel)


class CallFailed(Exception):
    """A call without an answer. `fatal`: the same would happen to every other call; `cut`: it was too long."""

    def __init__(
        self, reason: str, usage: Usage | None = None, *, fatal: bool = False, cut: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason, self.usage, self.fatal, self.cut = reason, usage or Usage(), fatal, cut


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
                root = _root(error)
                meter.close()
                raise CallFailed(
                    retry.describe(root), meter.usage, fatal=retry.is_fatal(root), cut=retry.is_cut(root)
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
        if _is_bad_answer(error):
            self.bad_answers += 1
            self.last = self.describe(error)
            return self.bad_answers <= _REASKS
        if self._is_transient(error):
            self.transport_faults += 1
            self.last = self.describe(error)
            return self.transport_faults <= _TRANSPORT_RETRIES
        return False

    def _is_transient(self, error: BaseException) -> bool:
        if isinstance(error, self.connection.status_error):
            return error.status_code in _AGAIN  # type: ignore[attr-defined]
        return isinstance(error, self.connection.no_connection)

    def _wait(self, error: BaseException | None) -> float:
        """Seconds: what the server asks for, capped; else twice the time before. A bad answer is re-asked at once."""
        if error is None or _is_bad_answer(error):
            return 0.0
        asked = retry_after(getattr(getattr(error, "response", None), "headers", None) or {})
        if asked is None:
            asked = self._fallback_wait * random.uniform(0.75, 1.25)  # eight that failed together part
            self._fallback_wait *= 2
        return min(asked, self.settings.retry_after_cap)

    def is_cut(self, error: BaseException) -> bool:
        """Whether the answer ran into its limit."""
        from instructor.core import IncompleteOutputException

        return isinstance(error, IncompleteOutputException)

    def is_fatal(self, error: BaseException) -> bool:
        """Whether every other call would end the same way."""
        if isinstance(error, self.connection.status_error):
            return error.status_code in {401, 402, 403, 404}  # type: ignore[attr-defined]
        return False

    def describe(self, error: BaseException) -> str:
        """The reason as a report gives it: no key, nothing of the document."""
        if isinstance(error, BudgetReached):
            return str(error)
        if isinstance(error, RefusedByModel):
            return "the model refused to answer"
        if isinstance(error, self.connection.status_error):
            return self._describe_status(error)
        if isinstance(error, self.connection.no_connection):
            timed_out = "Timeout" in type(error).__name__
            where = self.settings.base_url or f"{self.settings.provider}'s server"
            return f"no answer in time from {where}" if timed_out else f"no usable connection to {where}"
        if isinstance(error, ValidationError):
            return f"the answer does not fit the schema ({describe(error)})"
        if _is_bad_answer(error):
            return "the answer is not readable as JSON"
        if self.is_cut(error):
            return "the answer was cut at the token limit (--max-output raises it)"
        # a reply of a shape the libraries did not expect; one odd server must not lose the other passes
        return f"the server's reply cannot be used ({type(error).__name__})"

    def _describe_status(self, error: Any) -> str:
        status = error.status_code
        if status in {401, 403}:
            return f"HTTP {status}: the key in {self.settings.key_variable} was not accepted"
        body = error.body if isinstance(error.body, dict) else {}
        inner = body.get("error", body)
        kind = inner.get("type") if isinstance(inner, dict) else None
        return f"HTTP {status}" + (f" ({str(kind)[:_MESSAGE_LENGTH]})" if isinstance(kind, str) else "")


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


def _is_bad_answer(error: BaseException) -> bool:
    from instructor.core import ResponseParsingError

    return isinstance(error, (ValidationError, ResponseParsingError)) or (
        isinstance(error, ValueError) and type(error).__name__ == "JSONDecodeError"
    )


def _root(error: BaseException) -> BaseException:
    """What instructor's wrapper wraps."""
    from instructor.core import InstructorRetryException

    cause = error.__cause__
    return cause if isinstance(error, InstructorRetryException) and cause is not None else error
