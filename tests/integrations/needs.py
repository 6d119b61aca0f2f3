"""Frameworks that may be missing: their pins clash, so `make test-frameworks` tests each in an environment of its own."""

from __future__ import annotations

import importlib
import os
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples/integrations"


def need(module: str) -> None:
    """Skip the calling file where `module` is not installed; but fail where the environment was made for it."""
    if os.environ.get("CG_REVIEW_EXTRA_REQUIRED"):
        importlib.import_module(module)
    pytest.importorskip(module)


def output_of(example: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run an example and return what it prints."""
    runpy.run_path(str(EXAMPLES / example), run_name="__main__")
    return capsys.readouterr().out
