"""What has been done already: an append-only file of results, so that a run can skip, and an interrupted one go on.

A line is one JSON value: the start of a run, a document's result, or the end of a run. Only whole lines count: one that
was cut by a crash is passed over. A result is written down *before* its CGD, and names the output's hash before and
after: whatever moment a crash hits, the next run sees which of the two lies there and does what an uninterrupted run
would have done.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import ValidationError

from cg_review.errors import InputError
from cg_review.pipeline import Settings
from cg_review.results import Review
from cg_review.reviewers import fingerprint
from cg_review.sources import key_of

NAME = "journal.jsonl"
_VERSION = 1
_COMPACT_ABOVE = 1_000_000  # bytes; a small journal is not worth rewriting


def digest(data: bytes | None) -> str | None:
    """SHA-256 of what a file holds; None for a file that is not there."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def settings_key(settings: Settings) -> str:
    """A hash of all that a review depends on besides its document: rules, prompts, model, points, sources, the day."""
    parts = [
        *(settings.tool.version, settings.tool.rules, fingerprint(settings.reviewer)),
        *(list(settings.points), settings.attended, settings.chunk_context, str(settings.today)),
        *(settings.ignore, settings.root, settings.max_age),
        [key_of(source) for source in settings.sources],
    ]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the last result of one document is in the file, and what it was made of."""

    offset: int
    key: str
    source: str | None
    before: str | None
    after: str | None
    run: int


@dataclass(frozen=True, slots=True)
class Start:
    """How a run began: its moment, and the key of its settings."""

    now: datetime
    settings: str


class Journal:
    """The journal of a project. One process at a time may hold it (`lock.Lock`). Memory: a small entry a document."""

    def __init__(self, folder: Path) -> None:
        """Read what is there. Raises InputError where the file cannot be read or written."""
        self.path = folder / NAME
        self._entries: dict[str, Entry] = {}
        self._run = 0
        self.interrupted: Start | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
            self._read()
        except OSError as error:
            raise InputError(f"{self.path}: the journal cannot be used: {error.strerror or error}") from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def start(self, start: Start, resume: bool) -> None:
        """Note that a run begins; with `resume`, that the interrupted one goes on."""
        self._compact()
        if not (resume and self.interrupted):
            self._run += 1
        self._append({"run": self._run, "now": start.now.isoformat(), "settings": start.settings})

    def finish(self) -> None:
        """Note that the run has come to its end."""
        self._append({"run": self._run, "done": True})

    def recall(
        self, name: str, key: str, source: str | None, output: str | None, this_run: bool
    ) -> Review | None:
        """The result of `name` where all it depends on is as it was and its CGD lies where it was written.

        `source` and `output` are the hashes of the two files now. With `this_run`, only a result of the run that goes on.
        """
        entry = self._entries.get(name)
        if entry is None or (entry.key, entry.source, entry.after) != (key, source, output):
            return None
        if this_run and entry.run != self._run:
            return None
        try:
            line = json.loads(self._raw(entry.offset))
            return Review.model_validate({**line["review"], "tool": line["tool"]})
        except (ValidationError, KeyError, ValueError):
            return None

    def record(self, name: str, key: str, source: str | None, before: str | None, review: Review) -> None:
        """Write a result down; `before` is the output's hash now."""
        after = digest(review.cgd_text.encode()) if review.cgd and review.cgd_text is not None else before
        line = {"document": name, "key": key, "source": source, "before": before, "after": after}
        made = {"tool": review.tool.model_dump(mode="json"), "review": review.model_dump(mode="json")}
        offset = self._append({**line, "run": self._run, **made})
        self._entries[name] = Entry(offset, key, source, before, after, self._run)

    # -- the file ------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        open_run: Start | None = None
        for offset, value in self._lines():
            if "document" in value:
                fields = (value.get(name) for name in ("key", "source", "before", "after", "run"))
                self._entries[value["document"]] = Entry(offset, *fields)  # type: ignore[arg-type]
            elif value.get("done"):
                open_run = None
            elif "now" in value:
                self._run = value["run"]
                open_run = open_run or Start(datetime.fromisoformat(value["now"]), value["settings"])
        self.interrupted = open_run

    def _lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        self._file.seek(0)
        offset = 0
        for raw in self._file:
            try:
                value = json.loads(raw) if raw.endswith(b"\n") else None
            except ValueError:
                value = None
            if isinstance(value, dict) and value.get("v") == _VERSION:
                yield offset, value
            offset += len(raw)

    def _append(self, value: dict[str, Any]) -> int:
        """Add a line and return where it starts. A cut line before it is ended first, so that it stays alone."""
        end = self._file.seek(0, os.SEEK_END)
        lead = b""
        if end:
            self._file.seek(end - 1)
            lead = b"" if self._file.read(1) == b"\n" else b"\n"
        line = json.dumps({"v": _VERSION, **value}, ensure_ascii=False, separators=(",", ":"))
        try:
            self._file.write(lead + line.encode("utf-8", "surrogatepass") + b"\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror or error}") from error
        return end + len(lead)

    def _compact(self) -> None:
        """Rewrite the file with the last result of each document only, when that saves half of it."""
        size = self._file.seek(0, os.SEEK_END)
        if size < _COMPACT_ABOVE:
            return
        offsets = sorted(entry.offset for entry in self._entries.values())
        kept = sum(len(self._raw(offset)) for offset in offsets)
        if kept > size / 2:
            return
        temporary = self.path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            if self.interrupted:
                start = {
                    "run": self._run,
                    "now": self.interrupted.now.isoformat(),
                    "settings": self.interrupted.settings,
                }
                file.write(json.dumps({"v": _VERSION, **start}).encode() + b"\n")
            for offset in offsets:
                file.write(self._raw(offset))
            file.flush()
            os.fsync(file.fileno())
        self._file.close()
        os.replace(temporary, self.path)
        self._file = self.path.open("a+b")
        run, interrupted = self._run, self.interrupted
        self._read()
        self._run, self.interrupted = run, interrupted

    def _raw(self, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.readline()
