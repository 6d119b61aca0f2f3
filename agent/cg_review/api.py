"""The library's front door: text, bytes or a path in, a `Review` out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cg_review.errors import InputError
from cg_review.pipeline import Settings, at_noon, embedded_reviewer, review_document
from cg_review.points import ALL_POINTS
from cg_review.results import Review
from cg_review.reviewers import Reviewer
from cg_review.sources import Connector, Source, gather

if TYPE_CHECKING:
    from cg_review.batch.engines import Engine

T = TypeVar("T")


async def areview(
    source: str | bytes | Path,
    *,
    name: str | None = None,
    today: date | None = None,
    points: Sequence[int] = ALL_POINTS,
    reviewer: Reviewer | None = None,
    sources: Sequence[Path | Source | Connector] = (),
    attended: bool = False,
    rules: Sequence[Path] = (),
) -> Review:
    """Review a document: its text, its bytes, or a path to it. Nothing is written; the CGD is `Review.cgd_text`.

    `today` defaults to the current day (UTC), `reviewer` to the embedded one. Raises InputError, DocumentRefused.
    """
    if isinstance(source, Path):
        data, default = _read(source), source.name
    else:
        data, default = source.encode() if isinstance(source, str) else source, "document.md"
    settings = Settings(
        now=at_noon(today) if today else datetime.now(UTC),
        points=tuple(points),
        reviewer=reviewer or embedded_reviewer(tuple(rules)),
        sources=gather(sources),
        attended=attended,
        rules=tuple(rules),
    )
    return await review_document(data, name or default, settings)


def review(
    source: str | bytes | Path,
    *,
    name: str | None = None,
    today: date | None = None,
    points: Sequence[int] = ALL_POINTS,
    reviewer: Reviewer | None = None,
    sources: Sequence[Path | Source | Connector] = (),
    attended: bool = False,
    rules: Sequence[Path] = (),
) -> Review:
    """Like `areview`, for callers without an event loop; safe inside a running one too."""
    return run_sync(
        areview(
            source,
            name=name,
            today=today,
            points=points,
            reviewer=reviewer,
            sources=sources,
            attended=attended,
            rules=rules,
        )
    )


def review_folder(
    folder: str | Path,
    output: str | Path | None = None,
    *,
    write: bool = True,
    today: date | None = None,
    points: Sequence[int] = ALL_POINTS,
    reviewer: Reviewer | None = None,
    sources: Sequence[Path | Source | Connector] = (),
    rules: Sequence[Path] = (),
    exclude: Sequence[str] = (),
    jobs: int = 1,
    executor: str | Engine = "local",
    force: bool = False,
    resume: bool = False,
) -> Iterator[Review]:
    """Review every Markdown document below a folder, and write its CGD beside it or into the same place below `output`.

    Gives the reviews in the order of the paths, each as soon as it is done, and keeps none; a document that fails is one
    of status "failed". `executor` is "local" (with `jobs` processes), "ray", "dask", or an engine of your own. Nothing
    happens before the first is asked for. Raises InputError as `cg_review.run.plan` and `run` do.
    """
    from cg_review.run import Options, plan, run

    options = Options(jobs, executor, tuple(exclude), force, resume, clock_given=today is not None)
    settings = Settings(
        now=at_noon(today) if today else datetime.now(UTC),
        points=tuple(points),
        reviewer=reviewer or embedded_reviewer(tuple(rules)),
        sources=gather(sources),
        rules=tuple(rules),
    )
    planned = plan([str(folder)], str(output) if output is not None else None, write, "-", options)
    with run(planned, settings, options) as documents:
        for done in documents:
            yield done.review


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, in a thread of its own where an event loop is running already."""
    box: list[T | BaseException] = []

    async def into_box() -> None:  # what a task returns, asyncio writes out on its way: a whole review
        box.append(await work)

    if not _in_event_loop():
        asyncio.run(into_box())
    else:
        thread = threading.Thread(target=_run_in_thread, args=(into_box(), box))
        thread.start()
        thread.join()
    if isinstance(box[0], BaseException):
        raise box[0]
    return box[0]


def _run_in_thread(work: Coroutine[Any, Any, None], box: list[Any]) -> None:
    try:
        asyncio.run(work)
    except BaseException as error:
        box.append(error)


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
