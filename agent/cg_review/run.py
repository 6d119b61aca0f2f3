"""Reviews of files: read, review, write. One that fails does not stop the others; results come in the order of the paths."""

from __future__ import annotations

import dataclasses
import glob
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from cg_review.batch.discover import Input, find_documents
from cg_review.batch.engines import Engine, in_order, open_engine
from cg_review.batch.journal import Journal, Start, digest, settings_key
from cg_review.batch.lock import only_run
from cg_review.batch.work import Failed, Outcome, Task
from cg_review.convert import CONVERTIBLE, convert, converter, is_convertible
from cg_review.errors import CgReviewError, InputError
from cg_review.files import (
    CGD_SUFFIX,
    MARKDOWN,
    check_writable,
    is_cgd_name,
    output_path,
    read_bytes,
    temporary_prefix,
    write_text,
)
from cg_review.origin import is_cgd
from cg_review.pipeline import Settings
from cg_review.project import draft_path, state_folder
from cg_review.results import Review


@dataclass(frozen=True)
class Job:
    """One document: its name in reports, where it is read (None: standard input), where its CGD goes (None: nowhere)."""

    name: str
    source: Path | None
    target: Path | None


@dataclass(frozen=True)
class Options:
    """How a run is made. Nothing of it changes what a document's review says.

    `exclude` are patterns like those of a .gitignore. `force` reviews what is unchanged too. `resume` goes on with an
    interrupted run, by that run's clock unless `clock_given`. With `convert`, folders are searched for what can be
    converted too. With `texts`, every review carries its text, though converting a document once more takes time;
    `across` means the same, for then the documents are compared.
    """

    jobs: int = 1
    engine: str | Engine = "local"
    exclude: tuple[str, ...] = ()
    force: bool = False
    resume: bool = False
    clock_given: bool = False
    convert: bool = False
    across: bool = False
    texts: bool = False


@dataclass(frozen=True)
class Done:
    """A document that is through: its review, the exit code it asks for, and whether an earlier run did the work."""

    review: Review
    exit_code: int = 0
    remembered: bool = False


@dataclass(frozen=True)
class Plan:
    """What is to be done, and the folder for the run's state (None: a run that keeps none)."""

    jobs: tuple[Job, ...]
    state: Path | None = None


# -- planning ----------------------------------------------------------------------------------------------------------


def plan(
    paths: Sequence[str], output: str | None, write: bool, stdin_filename: str, options: Options = Options()
) -> Plan:
    """What is to be done. Raises InputError before anything is, where two documents would become one CGD."""
    suffixes = frozenset(MARKDOWN) | (CONVERTIBLE if options.convert else frozenset())
    found: list[Input | None] = []
    for given in paths:
        found += [None] if given == "-" else find_documents([given], options.exclude, suffixes)
    unique = list({one and one.path: one for one in reversed(found)}.values())[::-1]
    several = len(unique) > 1 or any(one is not None and one.root for one in unique)
    if several and output and not os.path.lexists(output) and not output.endswith((CGD_SUFFIX, "/", os.sep)):
        output += "/"  # several CGDs can only go into a folder, there already or not
    jobs = [_job(one, output, write, stdin_filename, several) for one in unique]
    _check_targets(jobs)
    roots = [one.root for one in unique if one is not None and one.root is not None]
    return Plan(tuple(jobs), _state(roots, output) if write and (roots or options.resume) else None)


def _job(one: Input | None, output: str | None, write: bool, stdin_filename: str, several: bool) -> Job:
    if one is None:
        target = output_path(Path(stdin_filename), output, several) if write and output else None
        return Job(stdin_filename, None, target)
    return Job(str(one.path), one.path, output_path(one.path, output, several, one.root) if write else None)


def _check_targets(jobs: Sequence[Job]) -> None:
    taken: dict[Path, str] = {}
    for job in jobs:
        if job.target is None:
            continue
        key = job.target.resolve()
        if key in taken and taken[key] != job.name:
            raise InputError(f"{job.target}: {taken[key]} and {job.name} would both be written here")
        taken[key] = job.name
        check_writable(job.target)


def _state(roots: Sequence[Path], output: str | None) -> Path:
    """The state's folder: of the project that is reviewed, or of the output where that project is read-only."""
    common = Path(os.path.commonpath([root.resolve() for root in roots])) if roots else Path()
    folder = state_folder(common)
    if output is not None and not os.access(folder if folder.exists() else folder.parent, os.W_OK):
        return state_folder(Path(output))
    return folder


# -- running -----------------------------------------------------------------------------------------------------------


@contextmanager
def run(planned: Plan, settings: Settings, options: Options = Options()) -> Iterator[Iterator[Done]]:
    """Give the documents as they get done, in the order of the plan; each is reviewed when it is asked for, in flat memory.

    Raises InputError, before the first, where another run works in the project or the engine cannot be used.
    """
    with ExitStack() as stack:
        memory = None
        if planned.state is not None:
            memory = stack.enter_context(_memory(planned.state, settings, options))
            memory.begin()
            settings = memory.settings
        engine = stack.enter_context(open_engine(options.engine, options.jobs, settings))
        yield _documents(planned, settings, engine, memory)


def pending(planned: Plan, settings: Settings, options: Options = Options()) -> Iterator[Task]:
    """What `run` would review now: without what is unchanged, and without what cannot be read. Keeps nothing."""
    with ExitStack() as stack:
        memory = None
        if planned.state is not None:
            memory = stack.enter_context(_memory(planned.state, settings, options))
        for job in planned.jobs:
            task = _prepare(job, memory)[1].task
            if isinstance(task, Task):
                yield task


def _documents(planned: Plan, settings: Settings, engine: Engine, memory: _Memory | None) -> Iterator[Done]:
    prepared = (_prepare(job, memory) for job in planned.jobs)
    for (job, given), outcome in in_order(engine, ((one, one[1].task) for one in prepared)):
        yield _finish(job, given, outcome, settings, memory)
    if memory is not None:
        memory.journal.finish()


@dataclass(frozen=True)
class _Given:
    """A document as it was read: the hashes of source and output, and the task or what it came to already."""

    task: Task | Outcome
    source: str | None = None
    before: str | None = None


class _Memory:
    """The journal, as one run uses it."""

    def __init__(self, journal: Journal, settings: Settings, options: Options) -> None:
        self.journal = journal
        self.resumes = options.resume and journal.interrupted is not None
        if journal.interrupted is not None and self.resumes and not options.clock_given:
            settings = dataclasses.replace(settings, now=journal.interrupted.now)
        self.settings = settings
        self.key = settings_key(settings)
        self.only_this_run = options.force
        self.needs_text = options.across or options.texts
        self.blind = options.force and not self.resumes
        if options.resume and journal.interrupted is None:
            click.echo("cg-review: no interrupted run here; what is unchanged is skipped as always", err=True)
        elif journal.interrupted is not None and self.resumes and journal.interrupted.settings != self.key:
            click.echo(
                "cg-review: the interrupted run had other settings; its documents are read anew", err=True
            )

    def begin(self) -> None:
        """Write down that a run begins."""
        self.journal.start(Start(self.settings.now, self.key), self.resumes)

    def recall(self, job: Job, source: str | None, output: str | None) -> Review | None:
        """What is known of a document that has not changed."""
        return (
            None
            if self.blind
            else self.journal.recall(_id(job), self.key, source, output, self.only_this_run)
        )

    def record(self, job: Job, given: _Given, review: Review) -> None:
        """Write a complete review down."""
        self.journal.record(_id(job), self.key, given.source, given.before, review)


def _id(job: Job) -> str:
    return f"{job.name}\n{job.target}"


@contextmanager
def _memory(folder: Path, settings: Settings, options: Options) -> Iterator[_Memory]:
    with only_run(folder), Journal(folder) as journal:
        yield _Memory(journal, settings, options)


def _prepare(job: Job, memory: _Memory | None) -> tuple[Job, _Given]:
    """Read a document, and see whether it is done already."""
    try:
        data = sys.stdin.buffer.read() if job.source is None else read_bytes(job.source)
        lies = read_bytes(job.target) if job.target is not None and job.target.exists() else None
        if lies is not None and not is_cgd(lies):
            raise InputError(
                f"{job.target}: exists and is not a CGD, so it is not overwritten; choose another -o"
            )
    except CgReviewError as error:
        return job, _Given(Failed(str(error), error.exit_code))
    converted = job.source is not None and is_convertible(job.source.name)
    own = job.source is not None and is_cgd_name(job.source)
    existing = None if own else _existing(job, lies)
    read = [data, converter().encode() if converted else b"", existing or b"" if lies is None else b""]
    source, before = digest(b"".join(read)), digest(lies)
    known = memory.recall(job, source, before) if memory is not None else None
    if known is not None:
        cgd_text = lies.decode() if known.cgd is not None and lies is not None else None
        text = _text_again(job, data, converted, memory)
        known = known.model_copy(update={"text": text, "cgd_text": cgd_text})
    return job, _Given(known or Task(job.name, data, existing, converted), source, before)


def _text_again(job: Job, data: bytes, converted: bool, memory: _Memory | None) -> str | None:
    """The text of a document that is not reviewed again; converting it once more is only worth it where it is shown or compared."""
    if not converted:
        return data.decode()
    return convert(data, job.name).decode() if memory is not None and memory.needs_text else None


def _finish(job: Job, given: _Given, outcome: Outcome, settings: Settings, memory: _Memory | None) -> Done:
    """Write the CGD, unless the file has it already; the journal knows of it first."""
    if isinstance(outcome, Failed):
        return _failed(job, outcome, settings)
    code = 3 if outcome.status == "incomplete" else 0
    if outcome is given.task:
        return Done(outcome, code, remembered=True)
    try:
        review = _written(job, given, outcome, memory)
    except CgReviewError as error:
        return _failed(job, Failed(str(error), error.exit_code), settings)
    return Done(review, code)


def _written(job: Job, given: _Given, review: Review, memory: _Memory | None) -> Review:
    text, target = review.cgd_text, job.target
    if target is not None and text is not None:
        review = review.model_copy(update={"cgd": str(target)})
        lies = read_bytes(target) if target.exists() else None
        if digest(lies) != given.before:
            raise InputError(f"{target}: was changed while {job.name} was being reviewed; review it again")
    if memory is not None and review.status == "complete":
        memory.record(job, given, review)
    if target is not None and text is not None and digest(text.encode()) != given.before:
        if memory is not None and memory.journal.interrupted is not None:
            _sweep(target)
        write_text(target, text)
    return review if text is not None or target is None else _kept(target, review)


def _sweep(target: Path) -> None:
    """Remove what the interrupted run had half written for this file."""
    for left in target.parent.glob(f"{glob.escape(temporary_prefix(target))}*.tmp"):
        left.unlink(missing_ok=True)


def _kept(target: Path, review: Review) -> Review:
    """Keep the draft of a CGD that can only be written when its claims are answered (FORMAT 12.8, 12.9)."""
    if review.draft_text is None or target.exists():
        return review
    write_text(draft_path(target), review.draft_text)
    told = f"answer its claims with `cg-review confirm {target}` or `cg-review queue {target}`"
    return review.model_copy(update={"notes": (*review.notes, told)})


def _existing(job: Job, lies: bytes | None) -> bytes | None:
    """The CGD that a new review is merged with, or its draft."""
    if lies is not None or job.target is None or not draft_path(job.target).exists():
        return lies
    return read_bytes(draft_path(job.target))


def _failed(job: Job, failure: Failed, settings: Settings) -> Done:
    click.echo(f"cg-review: {failure.reason}", err=True)
    notes = (failure.reason,)
    review = Review(path=job.name, status="failed", verdict=None, notes=notes, tool=settings.tool)
    return Done(review, failure.exit_code)
