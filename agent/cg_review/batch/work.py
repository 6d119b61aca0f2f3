"""The unit of work: one document's bytes in, its review out. Pure, so that any engine may run it, anywhere, twice."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from cg_review.convert import convert
from cg_review.errors import CgReviewError
from cg_review.pipeline import Settings, review_document
from cg_review.results import Review


@dataclass(frozen=True, slots=True)
class Task:
    """A document: its name in reports, its bytes, and the bytes of the CGD that lies where its CGD goes.

    `converted`: the bytes are of another format, and are made Markdown first.
    """

    name: str
    data: bytes
    existing: bytes | None = None
    converted: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a document could not be reviewed, and the exit code that says so."""

    reason: str
    exit_code: int


Outcome = Review | Failed
Waiter = Callable[[], Outcome]  # waits for an outcome


async def work(task: Task, settings: Settings) -> Outcome:
    """Review one document. Never raises: a fault of the program costs this document and no other."""
    try:
        data = convert(task.data, task.name) if task.converted else task.data
        return await review_document(data, task.name, settings, task.existing)
    except CgReviewError as error:
        return Failed(str(error), error.exit_code)
    except Exception as error:
        return Failed(f"{task.name}: could not be reviewed: {type(error).__name__}: {error}", 3)


def work_packed(task: Task, packed: bytes) -> Outcome:
    """The same with settings as `pack` made them, for engines that send work to other processes."""
    from cg_review.api import run_sync

    return run_sync(work(task, _unpack(packed)))


def pack(settings: Settings) -> bytes:
    """Settings as bytes. Raises what pickle raises where the reviewer cannot leave this process."""
    return pickle.dumps(settings)


@lru_cache(maxsize=2)
def _unpack(packed: bytes) -> Settings:
    settings: Settings = pickle.loads(packed)
    return settings
