"""What went wrong with a call, as a report says it: no key, nothing of the document."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from cg_review.reviewers.answers import describe
from cg_review.reviewers.mailbox import Unasked
from cg_review.reviewers.providers import Connection, RefusedByModel
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import BudgetReached

_KIND_LENGTH = 200


def reason_of(error: BaseException, connection: Connection, settings: ModelSettings) -> str:
    """The reason why a call has no answer."""
    if isinstance(error, (BudgetReached, Unasked)):
        return str(error)
    if isinstance(error, RefusedByModel):
        return "the model refused to answer"
    if isinstance(error, connection.status_error):
        return _status(error, settings)
    if isinstance(error, connection.no_connection):
        timed_out = "Timeout" in type(error).__name__
        where = settings.base_url or f"{settings.provider}'s server"
        return f"no answer in time from {where}" if timed_out else f"no usable connection to {where}"
    if isinstance(error, ValidationError):
        return f"the answer does not fit the schema ({describe(error)})"
    if is_bad_answer(error):
        return "the answer is not readable as JSON"
    if is_cut(error):
        return "the answer was cut at the token limit (--max-output raises it)"
    # a reply of a shape the libraries did not expect; one odd server must not lose the other passes
    return f"the server's reply cannot be used ({type(error).__name__})"


def _status(error: Any, settings: ModelSettings) -> str:
    status = error.status_code
    if status in {401, 403}:
        return f"HTTP {status}: the key in {settings.key_variable} was not accepted"
    # the kind of fault, never the server's message, which may quote the document
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error", body)
    kind = inner.get("type") if isinstance(inner, dict) else None
    return f"HTTP {status}" + (f" ({kind[:_KIND_LENGTH]})" if isinstance(kind, str) else "")


def is_cut(error: BaseException) -> bool:
    """Whether the answer ran into its limit."""
    from instructor.core import IncompleteOutputException

    return isinstance(error, IncompleteOutputException)


def is_bad_answer(error: BaseException) -> bool:
    """Whether there was an answer, and it cannot be read."""
    from instructor.core import ResponseParsingError

    return isinstance(error, (ValidationError, ResponseParsingError)) or (
        isinstance(error, ValueError) and type(error).__name__ == "JSONDecodeError"
    )


def root_of(error: BaseException) -> BaseException:
    """What instructor's wrapper wraps."""
    from instructor.core import InstructorRetryException

    cause = error.__cause__
    return cause if isinstance(error, InstructorRetryException) and cause is not None else error
