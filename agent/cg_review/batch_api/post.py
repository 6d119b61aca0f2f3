"""To and from the provider: submit a batch, see how far it is, get its answers, find one whose id was lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cg_review.batch_api.records import Record, Records
from cg_review.errors import CgReviewError, InputError, ReviewIncomplete
from cg_review.reviewers import Usage
from cg_review.reviewers.desk import BATCH_SHARE
from cg_review.reviewers.faults import reason_of
from cg_review.reviewers.mailbox import Answer, Line
from cg_review.reviewers.providers import Connection, connect
from cg_review.reviewers.providers.batches import Batches, Remote, of
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import price_of

_ABSENT = "no such batch: it was deleted, or the key is of another account"
_SKEW = timedelta(minutes=10)  # between the provider's clock and ours
_SENDING = timedelta(hours=1)  # the longest that a submission takes
_SETTLING = timedelta(seconds=60)  # a submission that was cut off may still arrive


class Refused(InputError):
    """The provider refused: nothing was made of what was asked."""


class Gone(Refused):
    """The provider knows no such batch."""


@dataclass(frozen=True, slots=True)
class Post:
    """An open line to a provider. Its methods raise Refused, or ReviewIncomplete where nobody knows what happened."""

    settings: ModelSettings
    connection: Connection
    batches: Batches

    async def submit(self, records: Records, record: Record, lines: Sequence[Line]) -> Record:
        """Submit a batch; its record is written before and after."""
        records.save(record)
        try:
            with self._faults("--batch-api", "no batch endpoint"):
                remote = await self.batches.submit(self.connection.sdk, record.id, lines)
        except Refused:
            records.drop(record)
            raise
        except ReviewIncomplete as error:
            raise ReviewIncomplete(
                f"{error}; whether batch {record.id} arrived, `cg-review batch fetch` finds out in a minute"
            ) from None
        sent = record.model_copy(update={"remote": remote})
        records.save(sent)
        return sent

    async def look(self, record: Record) -> Remote:
        """How far a batch is that has its provider's id."""
        with self._faults(f"batch {record.id} ({record.remote})"):
            return await self.batches.look(self.connection.sdk, str(record.remote))

    async def fetch(self, records: Records, record: Record, remote: Remote) -> Record:
        """Get the answers of a batch that has ended; a request without one has failed."""
        with self._faults(f"batch {record.id} ({remote.id})"):
            given = {one.key: one async for one in self.batches.answers(self.connection.sdk, remote.id)}
            why = f"the batch ended ({remote.state}{remote.why and ': '}{remote.why}) without an answer to it"
            answers = [given.get(key) or Answer(key, None, why) for key in record.requests]
            usage = sum((self._usage(one) for one in answers), Usage())
        closed = record.model_copy(update={"ended": remote.state, "usage": usage})
        records.close(closed, answers)
        return closed

    def _usage(self, answer: Answer) -> Usage:
        if answer.completion is None:
            return Usage()
        usage = self.connection.usage(self.connection.completion(**answer.completion))
        price = price_of(self.settings, BATCH_SHARE)
        return price.priced(usage) if price else usage

    async def settle(self, records: Records, record: Record) -> Record | None:
        """Find out what became of a submission that was cut off; None where nothing did, and its record is gone.

        Raises ReviewIncomplete while that cannot be told.
        """
        others = {one.remote for one in records.all()}
        last = record.submitted + _SENDING
        unsure = datetime.now(UTC) - record.submitted < _SETTLING
        with self._faults(f"batch {record.id}"):
            found = self.batches.find(
                self.connection.sdk, record.id, record.submitted - _SKEW, len(record.requests)
            )
            async for remote in found:
                if remote.id in others or remote.created > last + _SKEW:
                    continue
                ours = await self._is_ours(record, remote)
                if ours:
                    adopted = record.model_copy(update={"remote": remote.id})
                    records.save(adopted)
                    return adopted
                unsure = unsure or ours is None
        if unsure:
            raise ReviewIncomplete(
                f"batch {record.id}: its submission was cut off, and {self.settings.provider} does not tell yet "
                "whether the batch arrived; try again later"
            )
        records.drop(record)
        return None

    async def _is_ours(self, record: Record, remote: Remote) -> bool | None:
        """None: it does not say before it has ended."""
        if self.settings.provider == "openai":
            return True  # found by its name
        if not remote.ended:
            return None
        keys = set(record.requests)
        async for answer in self.batches.answers(self.connection.sdk, remote.id):
            return answer.key in keys
        return False

    @contextmanager
    def _faults(self, what: str, absent: str = _ABSENT) -> Iterator[None]:
        """Say in one line what went wrong, and whether it is known that nothing was done."""
        connection = self.connection
        try:
            yield
        except CgReviewError:
            raise
        except connection.status_error as error:
            status = error.status_code  # type: ignore[attr-defined]
            reason = reason_of(error, connection, self.settings)
            if status in {404, 405}:
                server = self.settings.base_url or self.settings.provider
                raise Gone(f"{what}: {reason}: {server} has {absent}") from None
            kind = Refused if 400 <= status < 500 and status != 408 else ReviewIncomplete
            raise kind(f"{what}: {reason}") from None
        except Exception as error:
            raise ReviewIncomplete(f"{what}: {reason_of(error, connection, self.settings)}") from None


@asynccontextmanager
async def post_office(settings: ModelSettings) -> AsyncIterator[Post]:
    """A line to the provider of `settings`. Raises InputError without a key or the SDK."""
    async with connect(settings) as connection:
        yield Post(settings, connection, of(settings.provider))
