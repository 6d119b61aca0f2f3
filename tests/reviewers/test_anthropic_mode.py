"""Our handler for Anthropic's JSON schema is here because instructor's own does not work with SDK 2."""

from __future__ import annotations

import inspect
import warnings

import anthropic
import pytest
from anthropic.resources.messages import AsyncMessages
from cg_review.reviewers.answers import PassAnswer
from instructor.v2.providers.anthropic.handlers import AnthropicStructuredOutputsHandler


def test_the_librarys_handler_still_falls_back_to_prose() -> None:
    """When this fails, a release made `providers/anthropic_mode.py` unnecessary, but for its refusals: take it out."""
    request = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    with pytest.warns(UserWarning, match="does not support `output_format`"):
        _, made = AnthropicStructuredOutputsHandler().prepare_request(PassAnswer, request)
    assert "output_config" not in made
    assert "output_format" not in made


def test_the_sdk_takes_the_schema_where_our_handler_puts_it() -> None:
    parameters = inspect.signature(AsyncMessages.create).parameters
    assert "output_config" in parameters
    assert "output_format" not in parameters


def test_our_handler_sends_the_schema_and_leaves_the_messages_alone() -> None:
    from cg_review.reviewers.providers.anthropic_mode import _Handler

    request = {
        "model": "m",
        "system": [{"type": "text", "text": "S"}],
        "messages": [{"role": "user", "content": "Hi"}],
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, made = _Handler().prepare_request(PassAnswer, request)
    assert model is PassAnswer
    assert made["output_config"]["format"] == {
        "type": "json_schema",
        "schema": anthropic.transform_schema(PassAnswer),
    }
    assert {key: made[key] for key in request} == request
