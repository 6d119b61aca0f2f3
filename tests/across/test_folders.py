"""The folders beside this file: what is reported of them is right, and most of what contradicts itself is reported."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "bench_across", HERE.parents[1] / "benchmarks" / "across.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("folder", "least"), [("kb", 0.95), ("library", 0.55), ("clinic", 0.75), ("bakery", 0.6)]
)
def test_nothing_false_and_most_of_it(folder: str, least: float, benchmark: ModuleType) -> None:
    score = benchmark.score(HERE / folder)
    assert score.false == []
    assert score.recall >= least, score.missed
    assert score.fine >= 8
