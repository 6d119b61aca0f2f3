"""Against a real local dask cluster of two workers (`make test-frameworks`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from integrations.needs import need

need("distributed")

from batch.clusters import same_bytes_as_local, survives_a_killed_worker
from cg_review.batch.on_dask import open_engine

pytestmark = pytest.mark.slow


def test_the_same_bytes_as_the_local_engine(tmp_path: Path) -> None:
    same_bytes_as_local(tmp_path, "dask")


def test_a_worker_killed_in_the_middle_costs_nothing(tmp_path: Path) -> None:
    survives_a_killed_worker(tmp_path, open_engine)
