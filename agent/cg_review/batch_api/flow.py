"""A run's way through batches: collect what its documents ask, submit it, wait, and say which documents can be finished.

Finishing a document is the ordinary run with a mailbox for a model, so nothing here reviews or writes one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from cg_review.api import run_sync
from cg_review.batch_api.post import post_office
from cg_review.batch_api.records import Record, Records, Run
from cg_review.convert import convert
from cg_review.errors import CgReviewError, InputError, ReviewIncomplete
from cg_review.pipeline import Settings, origin_of
from cg_review.reviewers import Usage
from cg_review.reviewers.cache import AnswerCache
from cg_review.reviewers.desk import Desk
from cg_review.reviewers.factory import build
from cg_review.reviewers.mailbox import Line, Mailbox, Spool
from cg_review.reviewers.model import ModelReviewer
from cg_review.reviewers.providers.batches import Remote, of
from cg_review.reviewers.settings import EMBEDDED, ModelSettings
from cg_review.reviewers.usage import BudgetReached, budget_of
from cg_review.run import Options, Plan, pending

_FIRST_LOOK, _LONGEST_PAUSE = 1.0, 60.0  # seconds between looks at a batch that is under way

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asking:
    """A document with questions that are not answered: the hash of its source, and their keys."""

    name: str
    source: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ready:
    """The documents of a run that can be finished, and those that cannot: the reason of each."""

    planned: Plan
    waiting: dict[str, str] = field(default_factory=dict)  # a batch is under way
    left: dict[str, str] = field(default_factory=dict)  # no batch has its answers


def check(model: ModelSettings, options: Options, names: Sequence[str]) -> None:
    """Raise InputError where a run cannot be made through batches."""
    if model.provider == EMBEDDED or model.answers is not None:
        raise InputError("--batch-api: only a vendor's model reads in batches; choose one with --model")
    refused = {
        "--adjudicate: its questions are about the answers": model.adjudicate,
        "--no-cache: the answers of a batch pass through the cache": not model.cache,
        "--engine: a model reads on this machine only": options.engine != "local",
        "--resume: go on with `cg-review batch fetch`": options.resume,
        "standard input: it cannot be read again": "-" in names,
    }
    for why, given in refused.items():
        if given:
            raise InputError(f"--batch-api does not go with {why}")


class BatchRun:
    """One run of documents through batches. Every method may be called again; none does anything twice."""

    def __init__(
        self,
        run: Run,
        records: Records,
        planned: Plan,
        settings: Settings,
        options: Options,
        model: ModelSettings,
    ) -> None:
        """Raises InputError as `build` and `budget_of` do. The clock is the run's."""
        self.run, self.records, self.planned, self.options, self.model = run, records, planned, options, model
        # what is paid for is read whatever the limits: they hold where a batch is submitted
        self._unlimited = replace(model, max_cost=None, max_tokens_total=None)
        self._mailbox = Mailbox(f"{model.provider} {model.base_url or ''}")
        self._desk = Desk(self._unlimited, self._mailbox)
        if self._desk.cache:  # looking at answers is no use of them: what they cost stands in the review
            self._desk.cache = AnswerCache(self._desk.cache.folder, read_only=True)
        self._limits = budget_of(model, self._desk.price)
        self.settings = replace(settings, now=run.now, reviewer=build(self._unlimited, self._mailbox))

    # -- what is asked -------------------------------------------------------------------------------------------------

    def _collect(self, spool: Spool | None) -> list[Asking]:
        """The documents that have open questions; those that nobody was asked go into the spool."""
        mailbox = self._mailbox
        mailbox.answers = self.records.answers(self.run.id)
        mailbox.underway = {key for record in self.records.open() for key in record.requests}
        mailbox.spool = spool
        try:
            return list(self._asking())
        finally:
            mailbox.spool = None

    def _asking(self) -> Iterator[Asking]:
        for task in pending(self.planned, self.settings, self.options):
            try:
                data = convert(task.data, task.name) if task.converted else task.data
                origin = origin_of(data, task.name, self.settings, task.existing)
                document = origin.document()
            except CgReviewError:
                continue  # the ordinary run says so
            self._mailbox.open = set()
            reviewer = ModelReviewer(self._desk)
            run_sync(reviewer.run_all(self.settings.points, document, self.settings.today))
            if self._mailbox.open:
                source = hashlib.sha256(origin.source.encode("utf-8", "surrogatepass")).hexdigest()
                yield Asking(task.name, source, frozenset(self._mailbox.open))

    # -- sending -------------------------------------------------------------------------------------------------------

    def send(self, tell: Tell) -> list[Record]:
        """Submit what nobody was asked yet, in as few batches as may be; returns the batches that the run waits for.

        Raises ReviewIncomplete, before anything is sent, where it could cost more than the run may.
        """
        run_sync(settle(self.records, self._desk.settings, tell))
        with Spool() as spool:
            asking = self._collect(spool)
            if spool.tokens:
                self._check_limits(spool)
            for lines in spool.chunks(of(self.model.provider).LIMITS):
                record = run_sync(self._submit(self._record(lines, asking, spool)))
                tell(f"batch {record.id}: {describe(record)} sent to {record.model}")
        wanted = {key for one in asking for key in one.keys}
        return [record for record in self.records.open() if wanted.intersection(record.requests)]

    async def _submit(self, intent: tuple[Record, Sequence[Line]]) -> Record:
        async with post_office(self.model) as post:
            return await post.submit(self.records, *intent)

    def _record(
        self, lines: Sequence[Line], asking: Sequence[Asking], spool: Spool
    ) -> tuple[Record, Sequence[Line]]:
        keys, moment = [key for key, _ in lines], datetime.now(UTC)
        asked = set(keys)
        record = Record(
            id=short_id(moment, keys),
            run=self.run,
            model=self.model.model,
            base_url=self.model.base_url,
            api_key_env=self.model.api_key_env,
            submitted=moment,
            documents={one.name: one.source for one in asking if asked & one.keys},
            requests=tuple(keys),
            worst=self._worst(spool, keys),
        )
        return record, lines

    def _worst(self, spool: Spool, keys: Iterable[str]) -> Usage:
        """The most that requests can cost, at the price of a batch."""
        desk = self._desk
        single = (Usage(1, spool.tokens[key], output_tokens=desk.max_output) for key in keys)
        return sum((desk.price.priced(one) if desk.price else one for one in single), Usage())

    def _check_limits(self, spool: Spool) -> None:
        ours = [record for record in self.records.all() if record.run.id == self.run.id]
        self._limits.spent = sum((record.usage or record.worst for record in ours), Usage())
        try:
            run_sync(self._limits.reserve(self._worst(spool, spool.tokens)))
        except BudgetReached as error:
            raise ReviewIncomplete(
                f"{len(spool.tokens)} requests for a batch: {error}; nothing was sent"
            ) from None
        self._limits.reserved.clear()

    # -- waiting and finishing -----------------------------------------------------------------------------------------

    def wait(self, tell: Tell) -> None:
        """Submit, wait, and submit what the answers lead to, until no question is open that can be asked."""
        while batches := self.send(tell):
            pause = _FIRST_LOOK
            while batches := [one for one in batches if not self._has_ended(one, tell)]:
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _has_ended(self, record: Record, tell: Tell) -> bool:
        try:
            return run_sync(fetch(self.records, record, tell)).ended is not None
        except ReviewIncomplete as error:  # no connection for a while is no reason to give up
            tell(str(error))
            return False

    def ready(self) -> Ready:
        """What can be finished with the answers that are here."""
        asking = {one.name: one for one in self._collect(None)}
        sent: dict[str, set[str]] = {}
        for record in self.records.all():
            for name, source in record.documents.items():
                sent.setdefault(name, set()).add(source)
        waiting, left = {}, {}
        underway = set(self._mailbox.underway)
        for name, one in asking.items():
            if one.keys & underway:
                waiting[name] = f"{name}: waits for a batch"
            elif one.source not in sent.get(name, ()):
                changed = "changed since" if name in sent else "was not there when"
                left[name] = f"{name}: {changed} its batch was submitted; it is not reviewed: submit it again"
        jobs = tuple(job for job in self.planned.jobs if job.name not in waiting and job.name not in left)
        return Ready(replace(self.planned, jobs=jobs), waiting, left)

    @property
    def has_batches(self) -> bool:
        """Whether any batch is this run's own."""
        return any(record.run.id == self.run.id for record in self.records.all())

    def finished(self, ready: Ready) -> None:
        """Note that what was ready has been reviewed."""
        for record in self.records.all():
            if record.run.id == self.run.id and record.ended is not None and not ready.waiting:
                self.records.save(record.model_copy(update={"finished": True}))


# -- batches, whatever run they are of ---------------------------------------------------------------------------------


def short_id(moment: datetime, parts: Iterable[str]) -> str:
    """A name for what was made at a moment of these parts."""
    return hashlib.sha256("\n".join([moment.isoformat(), *parts]).encode()).hexdigest()[:12]


def describe(record: Record) -> str:
    """How much is in a batch, and what it can cost."""
    cost = (record.usage or record.worst).cost
    price = "" if cost is None else f", {'' if record.usage else 'up to '}${cost:.4f}"
    return f"{len(record.requests)} requests of {len(record.documents)} document(s){price}"


async def settle(records: Records, settings: ModelSettings, tell: Tell) -> None:
    """Find out what became of submissions to this provider that were cut off. Raises ReviewIncomplete as `Post.settle`."""
    lost = [one for one in records.open() if one.remote is None and _same_provider(one, settings)]
    if not lost:
        return
    async with post_office(settings) as post:
        for record in lost:
            found = await post.settle(records, record)
            became = f"is {found.remote}" if found else "never arrived, and nothing was paid for it"
            tell(f"batch {record.id}: its submission was cut off; it {became}")


def _same_provider(record: Record, settings: ModelSettings) -> bool:
    theirs = record.settings
    return (theirs.provider, theirs.base_url) == (settings.provider, settings.base_url)


async def fetch(records: Records, record: Record, tell: Tell) -> Record:
    """Get the answers of a batch where it has ended. Raises what `Post.look` and `Post.fetch` do."""
    if record.ended is not None:
        return record
    if record.remote is None:
        raise ReviewIncomplete(f"batch {record.id}: it is not known yet whether it was submitted")
    async with post_office(record.settings) as post:
        remote = await post.look(record)
        if not remote.ended:
            tell(f"batch {record.id}: {remote.state}, {remote.done} of {len(record.requests)} requests done")
            return record
        closed = await post.fetch(records, record, remote)
    tell(f"batch {record.id}: {remote.state}, {describe(closed)}")
    return closed


async def look(record: Record) -> Remote:
    """How far a batch is, as its provider tells. Raises what `Post.look` does."""
    async with post_office(record.settings) as post:
        return await post.look(record)
