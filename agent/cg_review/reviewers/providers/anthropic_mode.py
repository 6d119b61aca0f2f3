"""instructor's JSON schema mode for Anthropic, repaired.

instructor 1.17 looks for the parameter `output_format`, which the SDK's version 2 has no longer, and falls back to
asking for JSON in prose. `tests/reviewers/test_anthropic_mode.py` notices when a release makes this unnecessary.
Imported only by the provider's factory: it needs instructor and the SDK.
"""

from __future__ import annotations

from typing import Any

import anthropic
from instructor import Mode
from instructor.v2.core.decorators import register_mode_handler
from instructor.v2.core.providers import Provider
from instructor.v2.providers.anthropic.handlers import AnthropicStructuredOutputsHandler
from pydantic import BaseModel

from cg_review.reviewers.providers import RefusedByModel


class _Handler(AnthropicStructuredOutputsHandler):
    """Sends the schema where SDK 2 takes it. The system prompt is handed in as `system`, so messages stay as they are."""

    def prepare_request(
        self, response_model: type[BaseModel] | None, kwargs: dict[str, Any]
    ) -> tuple[type[BaseModel] | None, dict[str, Any]]:
        if response_model is None:
            return None, kwargs
        schema = anthropic.transform_schema(response_model)
        return response_model, {
            **kwargs,
            "output_config": {"format": {"type": "json_schema", "schema": schema}},
        }

    def parse_response(self, response: Any, *args: Any, **kwargs: Any) -> Any:
        if response.stop_reason == "refusal":
            raise RefusedByModel
        return super().parse_response(response, *args, **kwargs)


def register() -> None:
    """Put the handler in force, for this process."""
    register_mode_handler(Provider.ANTHROPIC, Mode.JSON_SCHEMA)(_Handler)
