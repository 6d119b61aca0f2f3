"""The options that say who reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from cg_review.cli.model_options import model_options
from cg_review.reviewers.settings import ModelSettings
from click.testing import CliRunner


def given(*arguments: str, **environment: str) -> ModelSettings:
    seen: list[ModelSettings] = []

    @click.command()
    @click.option("--rules", multiple=True, type=click.Path(path_type=Path))
    @model_options
    def command(rules: tuple[Path, ...], model_settings: ModelSettings) -> None:
        assert rules == model_settings.rules
        seen.append(model_settings)

    result = CliRunner().invoke(command, arguments, env=environment)
    if result.exit_code:
        raise click.UsageError(result.output)
    return seen[0]


def test_without_options_the_embedded_reviewer_reads() -> None:
    assert given() == ModelSettings()
    assert given(OPENAI_API_KEY="sk-there") == ModelSettings()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--model", "openai:m", "--base-url", "http://h/v1"],
            {"model": "openai:m", "base_url": "http://h/v1"},
        ),
        (["--no-cache", "--no-floor"], {"cache": False, "floor": False}),
        (["--max-cost", "0.5", "--max-tokens-total", "9"], {"max_cost": 0.5, "max_tokens_total": 9}),
        (
            ["--adjudicate", "--offline", "--log-content"],
            {"adjudicate": True, "offline": True, "log_content": True},
        ),
        (["--rules", "r"], {"rules": (Path("r"),)}),
        (["--concurrency", "2", "--deadline", "9"], {"concurrency": 2, "deadline": 9.0}),
    ],
)
def test_options_become_settings(arguments: list[str], expected: dict[str, Any]) -> None:
    assert given(*arguments) == ModelSettings(**expected)


def test_the_environment_names_the_model_and_the_option_wins() -> None:
    assert given(CG_REVIEW_MODEL="openai:a").model == "openai:a"
    assert given("--model", "openai:b", CG_REVIEW_MODEL="openai:a").model == "openai:b"


@pytest.mark.parametrize("arguments", [["--max-cost", "0"], ["--window", "12"], ["--answers", "/nowhere"]])
def test_values_out_of_range_are_usage_errors(arguments: list[str]) -> None:
    with pytest.raises(click.UsageError):
        given(*arguments)
