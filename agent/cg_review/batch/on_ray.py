"""Documents on a Ray cluster: the one that RAY_ADDRESS names, or one started on this machine for the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from cg_review.batch.work import Failed, Outcome, Task, Waiter, pack, work_packed
from cg_review.errors import InputError
from cg_review.pipeline import Settings

_RETRIES = 3  # for a document whose worker died


class OnRay:
    """Sends tasks to the workers; the settings lie once in the cluster's store."""

    def __init__(self, settings: Settings, at_once: int) -> None:
        self.at_once = at_once
        self._settings = ray.put(pack(settings))
        self._work = ray.remote(max_retries=_RETRIES)(work_packed)

    def submit(self, task: Task) -> Waiter:
        """Start it on a worker."""
        reference: Any = self._work.remote(task, self._settings)

        def wait() -> Outcome:
            try:
                outcome: Outcome = ray.get(reference)
                return outcome
            except ray.exceptions.RayError as error:
                return Failed(f"{task.name}: its worker failed {_RETRIES + 1} times: {_first_line(error)}", 3)

        return wait


@contextmanager
def open_engine(settings: Settings, jobs: int) -> Iterator[OnRay]:
    """The engine. A cluster that was not there is ended with the run. Raises InputError where none can be had."""
    ours = not ray.is_initialized()
    if ours:
        address = os.environ.get("RAY_ADDRESS")
        size = {"address": address} if address else {"num_cpus": max(jobs, 1), "include_dashboard": False}
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", **size)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"--engine ray: no cluster: {_first_line(error)}") from error
    try:
        yield OnRay(settings, max(jobs, int(ray.cluster_resources().get("CPU", 1))))
    finally:
        if ours:
            ray.shutdown()


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
