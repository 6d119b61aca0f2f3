"""Where documents are reviewed: in this process, in several, or on a cluster. All give the same bytes.

An engine takes a task and gives a function that waits for its outcome; `in_order` keeps a bounded number of them under
way and hands outcomes out in the order of the tasks, so that memory does not grow with the number of documents.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from multiprocessing import connection
from typing import Protocol, TypeVar

from cg_review.api import run_sync
from cg_review.batch.work import Failed, Outcome, Task, Waiter, pack, work, work_packed
from cg_review.errors import InputError
from cg_review.pipeline import Settings
from cg_review.reviewers.embedded import EmbeddedReviewer

ENGINES = ("local", "ray", "dask")
_AHEAD = (
    4  # tasks under way for each that can run at once, so that one long document does not idle the others
)

_TRIES = 2  # for a document that was under way when a process died, each time alone

Item = TypeVar("Item")


class Engine(Protocol):
    """Runs tasks; `at_once` of them together."""

    at_once: int

    def submit(self, task: Task) -> Waiter:
        """Start a task."""
        ...


def in_order(engine: Engine, items: Iterable[tuple[Item, Task | Outcome]]) -> Iterator[tuple[Item, Outcome]]:
    """Each item with its outcome, in order; an item that has its outcome already passes through."""
    ahead = 1 if engine.at_once == 1 else engine.at_once * _AHEAD
    waiting: deque[tuple[Item, Waiter]] = deque()
    for item, task in items:
        waiting.append((item, engine.submit(task) if isinstance(task, Task) else _known(task)))
        if len(waiting) >= ahead:
            first, wait = waiting.popleft()
            yield first, wait()
    for item, wait in waiting:
        yield item, wait()


def _known(outcome: Outcome) -> Waiter:
    return lambda: outcome


def open_engine(name: str | Engine, jobs: int, settings: Settings) -> AbstractContextManager[Engine]:
    """The engine `name`, or an engine of the caller's own.

    Raises InputError where its package is missing, or it cannot run the reviewer.
    """
    if not isinstance(name, str):
        return nullcontext(name)
    if name == "local":
        if jobs <= 1:
            return InProcess(settings)
        # A model's rate limit and budget are one for all documents, so they stay in one process.
        return (
            Processes(settings, jobs)
            if isinstance(settings.reviewer, EmbeddedReviewer)
            else Loop(settings, jobs)
        )
    if name not in ENGINES:
        raise InputError(f"--engine {name}: expected one of {', '.join(ENGINES)}")
    if not isinstance(settings.reviewer, EmbeddedReviewer):
        raise InputError(
            f"--engine {name}: only the embedded reviewer runs on a cluster; use --engine local --jobs N"
        )
    try:
        opened: Callable[[Settings, int], AbstractContextManager[Engine]]
        opened = import_module(f"cg_review.batch.on_{name}").open_engine
    except ModuleNotFoundError as error:
        raise InputError(
            f"--engine {name}: {error.name} is missing; pip install 'cg-review[{name}]'"
        ) from error
    return opened(settings, jobs)


class InProcess:
    """One document after the other, here."""

    at_once = 1

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, task: Task) -> Waiter:
        """Review it when it is waited for."""
        return lambda: run_sync(work(task, self._settings))


class Loop:
    """Several documents together in one event loop: they wait for a model, and share its limits."""

    def __init__(self, settings: Settings, jobs: int) -> None:
        self.at_once = jobs
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._gate = asyncio.Semaphore(jobs)

    def __enter__(self) -> Loop:
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit(self, task: Task) -> Waiter:
        """Start it in the loop."""
        return asyncio.run_coroutine_threadsafe(self._gated(task), self._loop).result

    async def _gated(self, task: Task) -> Outcome:
        async with self._gate:
            return await work(task, self._settings)


async def _cancel_all() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Processes:
    """Several processes on this machine. What was under way when one dies is tried again, alone."""

    def __init__(self, settings: Settings, jobs: int) -> None:
        self.at_once = jobs
        self._packed = pack(settings)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, task: Task) -> Waiter:
        """Start it in a process."""
        pool = self._pool = self._pool or _pool(self.at_once)
        try:
            future = pool.submit(work_packed, task, self._packed)
        except BrokenProcessPool:
            self._pool = None
            return self.submit(task)
        return lambda: self._wait(pool, future, task)

    def _wait(self, pool: ProcessPoolExecutor, future: Future[Outcome], task: Task) -> Outcome:
        try:
            return future.result()
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
        return self._alone(task)

    def _alone(self, task: Task) -> Outcome:
        for _ in range(_TRIES):
            with _pool(1) as pool:
                try:
                    return pool.submit(work_packed, task, self._packed).result()
                except BrokenProcessPool:
                    continue
        return Failed(f"{task.name}: the process that reviewed it died again and again (out of memory?)", 3)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: this process may have threads (a progress bar, a caller's own).
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
