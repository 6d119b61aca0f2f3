"""What is known of the batches of a project: one file a batch below `.cg-review/batches`, and one with its answers.

A record is written before its batch is submitted and again with the provider's id afterwards, so that whatever moment a
crash hits, the next command knows which requests may have been paid for. Answers are kept as the provider gave them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cg_review.errors import InputError
from cg_review.files import read_bytes, write_text
from cg_review.reviewers import Usage
from cg_review.reviewers.mailbox import Answer
from cg_review.reviewers.settings import ModelSettings

FOLDER = "batches"
_RECORD, _ANSWERS = ".json", ".answers.jsonl"


class Run(BaseModel):
    """A run that is made through batches: how to go on with it. `folder` is relative to the project's root."""

    model_config = ConfigDict(frozen=True)

    id: str
    now: datetime
    folder: str
    arguments: tuple[str, ...]


class Record(BaseModel):
    """A batch. `id` is ours, `remote` the provider's (None: not known whether it took the batch).

    `requests` are their keys, `documents` the hash of each document's source by its name. `worst` is the most that the
    batch can cost, `usage` what it did. `ended` is the provider's last word, once its answers are here; `finished` when
    the documents were reviewed with them.
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(pattern="^[0-9a-f]{12}$")  # it names files
    run: Run
    model: str
    base_url: str | None
    api_key_env: str | None
    submitted: datetime
    documents: dict[str, str]
    requests: tuple[str, ...]
    worst: Usage
    remote: str | None = None
    ended: str | None = None
    usage: Usage | None = None
    finished: bool = False

    @property
    def settings(self) -> ModelSettings:
        """How the provider is reached."""
        return ModelSettings(model=self.model, base_url=self.base_url, api_key_env=self.api_key_env)


class Records:
    """The batches of a project, whose state is in `state`."""

    def __init__(self, state: Path) -> None:
        self.folder = state / FOLDER

    def all(self) -> list[Record]:
        """The batches in the order of their submission. Raises InputError for a file that is no record."""
        found = [self._read(path) for path in self.folder.glob(f"*{_RECORD}")]
        return sorted(found, key=lambda record: (record.submitted, record.id))

    def open(self) -> list[Record]:
        """Those whose answers are not here."""
        return [record for record in self.all() if record.ended is None]

    def path(self, record: Record) -> Path:
        """Where a record lies."""
        return self.folder / f"{record.id}{_RECORD}"

    def save(self, record: Record) -> None:
        """Write a record, whole or not at all."""
        write_text(self.path(record), record.model_dump_json(indent=1) + "\n")

    def drop(self, record: Record) -> None:
        """Forget a batch that was never made."""
        self.path(record).unlink(missing_ok=True)

    def close(self, record: Record, answers: Iterable[Answer]) -> None:
        """Keep the answers of a batch, and only then that it has ended."""
        lines = [json.dumps([one.key, one.completion, one.failed]) + "\n" for one in answers]
        write_text(self.folder / f"{record.id}{_ANSWERS}", "".join(lines))
        self.save(record)

    def answers(self, run: str) -> Answers:
        """All answers that are here; what failed only where it failed in the run `run`."""
        return Answers(
            [
                (self.folder / f"{record.id}{_ANSWERS}", record.run.id == run)
                for record in self.all()
                if record.ended is not None and (self.folder / f"{record.id}{_ANSWERS}").exists()
            ]
        )

    def _read(self, path: Path) -> Record:
        try:
            return Record.model_validate_json(read_bytes(path))
        except ValidationError as error:
            raise InputError(f"{path}: is not the record of a batch; move it away") from error


class Answers:
    """Answers by key, read when they are asked for: of each only its place is kept in memory."""

    def __init__(self, files: Sequence[tuple[Path, bool]]) -> None:
        """`files` from the oldest; the flag says whether failures count. Raises InputError for one that cannot be read."""
        self._places: dict[str, tuple[Path, int]] = {}
        for path, failures in files:
            offset = 0
            for line in read_bytes(path).splitlines(keepends=True):
                key, completion, _ = json.loads(line)
                if completion is not None or failures:
                    self._places[key] = (path, offset)
                offset += len(line)

    def __call__(self, key: str) -> Answer | None:
        """The answer under `key`."""
        if key not in self._places:
            return None
        path, offset = self._places[key]
        with path.open("rb") as file:
            file.seek(offset)
            return Answer(*json.loads(file.readline()))
