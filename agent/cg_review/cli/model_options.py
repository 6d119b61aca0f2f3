"""The options that say who reads: one decorator for every command that reviews.

@model_options
def command(..., model_settings: ModelSettings) -> int: ...
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from cg_review.reviewers.settings import EMBEDDED, ModelSettings

_SHOW_REQUESTS = 2  # -vv
_FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--model",
        metavar="WHO",
        default=EMBEDDED,
        show_default=True,
        envvar="CG_REVIEW_MODEL",
        help="Who reads: embedded, anthropic:NAME or openai:NAME. Documents go nowhere unless this says so.",
    ),
    click.option(
        "--base-url",
        metavar="URL",
        envvar="CG_REVIEW_BASE_URL",
        help="The server, for openai:NAME any OpenAI-compatible one.",
    ),
    click.option(
        "--api-key-env",
        metavar="NAME",
        envvar="CG_REVIEW_API_KEY_ENV",
        help="The environment variable with the key (default: the vendor's own).",
    ),
    click.option(
        "--answers",
        type=_FOLDER,
        metavar="DIR",
        help="Read the passes from pass-1.json … here (see `cg-review prompts`).",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0, min_open=True),
        metavar="USD",
        help="Stop before this run costs more.",
    ),
    click.option(
        "--max-tokens-total",
        type=click.IntRange(min=1),
        metavar="N",
        help="Stop before this run uses more tokens.",
    ),
    click.option(
        "--window", type=click.IntRange(min=2_000), metavar="N", help="The model's window, in tokens."
    ),
    click.option(
        "--max-output", type=click.IntRange(min=100), metavar="N", help="Tokens that one answer may take."
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(0, 2),
        metavar="T",
        help="Sampling temperature, where it is taken.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 64),
        metavar="N",
        help="Requests at once (default: 8; 1 for a local server).",
    ),
    click.option(
        "--deadline",
        type=click.FloatRange(min=1),
        default=300.0,
        show_default=True,
        metavar="SECONDS",
        help="For one pass over one part, retries included.",
    ),
    click.option("--adjudicate", is_flag=True, help="Have the model look at every finding again."),
    click.option("--no-floor", is_flag=True, help="Leave out what only the embedded patterns find."),
    click.option(
        "--min-confidence",
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        metavar="P",
        help="Leave out what the embedded reviewer holds for less likely (0 to 1).",
    ),
    click.option("--no-cache", is_flag=True, help="Neither read nor keep answers on disk."),
    click.option("--offline", is_flag=True, help="Forbid every request to a model."),
    click.option("--log-content", is_flag=True, help="Let -vv show requests, the document included."),
    click.option(
        "--prompts",
        multiple=True,
        type=_FOLDER,
        metavar="DIR",
        help="A folder laid over the shipped prompts.",
    ),
)


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command and hand their values on as `model_settings`."""

    @functools.wraps(command)
    def with_settings(*args: Any, **values: Any) -> Any:
        ours = {name: values.pop(name) for name in _NAMES}
        settings = model_settings(ours, tuple(values.get("rules", ())))
        if values.get("verbose", 0) >= _SHOW_REQUESTS:
            _show_requests()
        return command(*args, model_settings=settings, **values)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), with_settings)


_GIVEN = (
    "model", "base_url", "api_key_env", "answers", "max_cost", "max_tokens_total", "window", "max_output",
    "temperature", "concurrency", "deadline", "adjudicate", "offline", "log_content", "prompts",
    "min_confidence",
)  # fmt: skip
_NAMES = (*_GIVEN, "no_cache", "no_floor")


def _show_requests() -> None:
    """Log what passes between us and a model to stderr; its content only with --log-content."""
    logger = logging.getLogger("cg_review.models")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(logging.StreamHandler())


def model_settings(values: Mapping[str, Any], rules: tuple[Path, ...] = ()) -> ModelSettings:
    """Settings from the options' values; `--no-x` options are turned round."""
    return ModelSettings(
        **{name: values[name] for name in _GIVEN if name in values},
        cache=not values.get("no_cache", False),
        floor=not values.get("no_floor", False),
        rules=rules,
    )
