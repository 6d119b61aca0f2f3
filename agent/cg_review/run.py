"""Reviews of files: read, review, write, one document after the other; one that fails does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from cg_review.api import run_sync
from cg_review.errors import CgReviewError, InputError
from cg_review.files import check_writable, find_documents, is_cgd_name, output_path, read_bytes, write_text
from cg_review.pipeline import Settings, review_document
from cg_review.results import Review


@dataclass(frozen=True)
class Job:
    """One document: its name in reports, where it is read (None: standard input), where its CGD goes (None: nowhere)."""

    name: str
    source: Path | None
    target: Path | None


def review_paths(
    paths: Sequence[str], settings: Settings, output: str | None, write: bool, stdin_filename: str
) -> tuple[list[Review], int]:
    """Review all documents. Returns the reviews in the order of the paths, and the exit code (DESIGN, "Errors").

    An error of a document is printed on stderr and stands in its review, whose status is "failed".
    """
    jobs = plan(paths, output if write else None, write, stdin_filename)
    reviews, codes = [], {0}
    for job in jobs:
        try:
            review = run_job(job, settings)
        except CgReviewError as error:
            click.echo(f"cg-review: {error}", err=True)
            codes.add(error.exit_code)
            review = Review(
                path=job.name, status="failed", verdict=None, notes=(str(error),), tool=settings.tool
            )
        if review.status == "incomplete":
            codes.add(3)
        reviews.append(review)
    return reviews, max(codes)


def plan(paths: Sequence[str], output: str | None, write: bool, stdin_filename: str) -> list[Job]:
    """What is to be done. Raises InputError before anything is, where two documents would become one CGD."""
    jobs: list[Job] = []
    several = len(paths) > 1 or any(Path(path).is_dir() for path in paths if path != "-")
    for given in paths:
        if given == "-":
            target = output_path(Path(stdin_filename), output, several) if write and output else None
            jobs.append(Job(stdin_filename, None, target))
            continue
        root = Path(given) if Path(given).is_dir() else None
        for source in find_documents([Path(given)]):
            target = output_path(source, output, several, root) if write else None
            jobs.append(Job(str(source), source, target))
    taken: dict[Path, str] = {}
    for job in jobs:
        if job.target is None:
            continue
        key = job.target.resolve()
        if key in taken and taken[key] != job.name:
            raise InputError(f"{job.target}: {taken[key]} and {job.name} would both be written here")
        taken[key] = job.name
        check_writable(job.target)
    return jobs


def run_job(job: Job, settings: Settings) -> Review:
    """Review one document and write its CGD, unless the file has it already."""
    data = sys.stdin.buffer.read() if job.source is None else read_bytes(job.source)
    existing = None
    if job.target is not None and job.target.exists() and not (job.source and is_cgd_name(job.source)):
        existing = read_bytes(job.target)
    review = run_sync(review_document(data, job.name, settings, existing))
    if job.target is None or review.cgd_text is None:
        return review
    if not (job.target.exists() and job.target.read_bytes() == review.cgd_text.encode()):
        write_text(job.target, review.cgd_text)
    return review.model_copy(update={"cgd": str(job.target)})
