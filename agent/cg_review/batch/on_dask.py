"""Documents on a Dask cluster: the one that DASK_SCHEDULER_ADDRESS names, or one started on this machine for the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from distributed import Client, Future, LocalCluster, get_client
from distributed.scheduler import KilledWorker

from cg_review.batch.work import Failed, Outcome, Task, Waiter, pack, work_packed
from cg_review.errors import InputError
from cg_review.pipeline import Settings


class OnDask:
    """Sends tasks to the workers; the settings lie once on each of them."""

    def __init__(self, client: Client, settings: Settings, at_once: int) -> None:
        self.at_once = at_once
        self._client = client
        self._settings = client.scatter(pack(settings), broadcast=True)

    def submit(self, task: Task) -> Waiter:
        """Start it on a worker; `pure=False`, for equal documents have different names."""
        future: Future = self._client.submit(work_packed, task, self._settings, pure=False)

        def wait() -> Outcome:
            try:
                outcome: Outcome = future.result()
                return outcome
            except KilledWorker:
                return Failed(f"{task.name}: its workers died again and again (out of memory?)", 3)

        return wait


@contextmanager
def open_engine(settings: Settings, jobs: int) -> Iterator[OnDask]:
    """The engine: within a caller's client where there is one. Raises InputError where no cluster can be had."""
    with _client(jobs) as client:
        threads = sum(client.nthreads().values())
        yield OnDask(client, settings, max(jobs, threads))


@contextmanager
def _client(jobs: int) -> Iterator[Client]:
    theirs = _given_client()
    if theirs is not None:
        yield theirs
        return
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    size: dict[str, Any] = {"n_workers": max(jobs, 1), "threads_per_worker": 1, "dashboard_address": None}
    try:
        cluster = address or LocalCluster(processes=True, silence_logs=50, **size)
        client = Client(cluster)
    except (OSError, RuntimeError) as error:
        raise InputError(f"--engine dask: no cluster: {str(error).splitlines()[0]}") from error
    try:
        yield client
    finally:
        client.close()
        if not isinstance(cluster, str):
            cluster.close()


def _given_client() -> Client | None:
    try:
        return get_client()
    except ValueError:  # nobody has one
        return None
