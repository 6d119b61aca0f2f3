"""instructor's JSON schema mode for OpenAI, with refusals told apart from bad answers.

Imported only by the provider's factory: it needs instructor.
"""

from __future__ import annotations

from typing import Any

from instructor import Mode
from instructor.v2.core.decorators import register_mode_handler
from instructor.v2.core.providers import Provider
from instructor.v2.providers.openai.handlers import OpenAIJSONSchemaHandler

from cg_review.reviewers.providers import RefusedByModel


class _Handler(OpenAIJSONSchemaHandler):
    """The library's own, but a refusal or a filtered answer is not asked again in vain."""

    def parse_response(self, response: Any, *args: Any, **kwargs: Any) -> Any:
        choice = response.choices[0] if getattr(response, "choices", None) else None
        if choice is not None and (
            choice.finish_reason == "content_filter" or getattr(choice.message, "refusal", None)
        ):
            raise RefusedByModel
        return super().parse_response(response, *args, **kwargs)


def register() -> None:
    """Put the handler in force, for this process."""
    register_mode_handler(Provider.OPENAI, Mode.JSON_SCHEMA)(_Handler)
