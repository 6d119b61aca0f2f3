"""A filled-in queue is applied: document by document, each atomically, and never twice (FORMAT section 10).

The checkpoint beside the queue names what was applied and the moment the run began: after a kill, applying again goes on
with that moment, so that the documents become the same bytes as in one clean run.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from cg_review.cgd.hashing import document_hash
from cg_review.errors import CgReviewError, DocumentRefused
from cg_review.hitl import audit
from cg_review.hitl.answers import Answer, Response
from cg_review.hitl.case import Placed
from cg_review.hitl.desk import Desk, View, standing
from cg_review.hitl.lock import locked
from cg_review.hitl.queue import Documented, Entry, Queue, read_queue

_CONTENT = re.compile(r"[-+~≈<>≤≥$€£¥]*\d+(?:[.,:/]\d+)*\s?[%‰°]?|[^\W\d_]+")
_ARTICLES = {"a", "an", "the"}


@dataclass
class Outcome:
    """What became of one document: messages, each with its code where it has one, and numbers of answers."""

    file: str
    applied: int = 0
    held: int = 0
    already: int = 0
    unanswered: int = 0
    skipped: int = 0  # answers to other words than the document has
    messages: list[str] = field(default_factory=list)
    failed: bool = False
    status: str = ""

    def fail(self, message: str) -> None:
        """Nothing of this document is written."""
        self.messages.append(message)
        self.failed = True


def apply_queue(path: Path, by: str, now: datetime, force: bool = False) -> list[Outcome]:
    """Apply a queue in the name of `by`. Raises InputError where the queue cannot be read, DocumentRefused where it has
    expired (W-QU02; not with `force`).
    """
    queue = read_queue(path)
    if queue.expires is not None and queue.expires < now and not force:
        raise DocumentRefused(
            f"{path}: W-QU02: this queue expired on {queue.expires:%Y-%m-%d %H:%M} UTC; make a new one, or use --force"
        )
    checkpoint = _Checkpoint.open(path, by, now, queue)
    outcomes = [_apply_document(path, document, by, checkpoint) for document in queue.documents]
    if not any(outcome.failed for outcome in outcomes):
        checkpoint.finish()
    return outcomes


def _apply_document(path: Path, document: Documented, by: str, checkpoint: _Checkpoint) -> Outcome:
    outcome = Outcome(document.file)
    desk = Desk(path.parent / document.file, "queue")
    try:
        with locked(desk.state):
            view = desk.settle()
            records = audit.of_document(audit.read_log(desk.log), desk.document)
            done = _done(records) | checkpoint.done(document.file)
            answers = _answers(document, view, done, by, checkpoint.when, outcome)
            if not outcome.failed and answers:
                checkpoint.begin()
                result = desk.give(answers)
                outcome.held = sum(one in result.held for one in answers)
                outcome.applied = len(answers) - outcome.held
            if not outcome.failed:
                checkpoint.note(document.file, answers)
    except CgReviewError as error:
        outcome.fail(str(error))
        return outcome
    outcome.status = _status(desk)
    return outcome


def _status(desk: Desk) -> str:
    view = desk.view()
    prior = view.case.origin.prior
    assert prior is not None
    pending = len(view.open)
    clarity = prior.frontmatter.text("clarity-status")
    return f"{clarity} | {prior.hitl_status}" + (f", {pending} claim(s) to answer" if pending else "")


def _done(records: list[audit.Record]) -> dict[str, str]:
    """What the log says was applied: claim -> digest of the last answer."""
    return {
        str(record["claim"]): audit.read_answer(record).digest for record in records if record.get("claim")
    }


def _answers(
    document: Documented, view: View, done: Mapping[str, str], by: str, when: datetime, outcome: Outcome
) -> list[Answer]:
    """The answers to apply; what cannot be is told in `outcome`."""
    answers = []
    known = {entry.id for entry in document.claims if entry.id in view.case.by_id or entry.id in done}
    if document.hash and document.hash != document_hash(view.case.text) and len(known) < len(document.claims):
        missing = next(entry for entry in document.claims if entry.id not in known)
        outcome.fail(
            f"E-QU01 changed since the queue was made, and {missing.id} is not in it: make a new queue"
        )
        return []
    for entry in document.claims:
        if entry.response is None:
            outcome.unanswered += 1
            continue
        one = entry.answer(by, when)
        placed = view.case.by_id.get(entry.id)
        if done.get(entry.id) == one.digest and (placed is None or _stands(view, placed)):
            outcome.already += 1
        elif placed is None:
            outcome.fail(f"E-QU01 line {entry.line}: the document has no claim {entry.id}")
        elif placed.claim.confirmed_by:
            _tell_confirmed(view, entry, placed, outcome)
        elif _is_fitting(entry, placed, outcome):
            answers.append(one)
    return answers


def _stands(view: View, placed: Placed) -> bool:
    """Whether an answer that was given still holds: the claim is confirmed, or its `false` is held."""
    return bool(placed.claim.confirmed_by) or placed.claim.id in view.held


def _tell_confirmed(view: View, entry: Entry, placed: Placed, outcome: Outcome) -> None:
    if entry.response is Response.FALSE:
        outcome.fail(f"line {entry.line}: {entry.id} is {standing(view, placed.claim)}; it was not changed")
        return
    outcome.already += 1


def _is_fitting(entry: Entry, placed: Placed, outcome: Outcome) -> bool:
    """Whether an answer is to the claim as it is now (E-QU02, W-QU01)."""
    claim = placed.claim
    for name, given, real in (
        ("location", entry.location, claim.location),
        ("round", entry.round, str(claim.round)),
    ):
        if given and given != real:
            outcome.fail(
                f"E-QU02 line {entry.line}: {entry.id}: `{name}` is read-only: the queue says {given!r}, the document {real!r}"
            )
            return False
    if entry.text and entry.text != claim.text:
        same = content(entry.text) == content(claim.text)
        what = "applied: only small words differ" if same else "not applied, it stays pending: read it again"
        outcome.skipped += not same
        outcome.messages.append(
            f"W-QU01 line {entry.line}: {entry.id}: the text differs; {what}\n"
            f"    queue:    {entry.text}\n    document: {claim.text}"
        )
        return same
    return True


def content(text: str) -> list[str]:
    """The numbers, names and content words of a text."""
    words = [match[0].lower().replace(" ", "") for match in _CONTENT.finditer(text)]
    return [word for word in words if word not in _ARTICLES]


# -- the checkpoint ----------------------------------------------------------------------------------------------------


@dataclass
class _Checkpoint:
    """JSON lines beside the queue: how a run began, each document that is done, and that the run is."""

    path: Path
    when: datetime
    lines: list[dict[str, Any]]
    begins: dict[str, Any] | None

    @classmethod
    def open(cls, queue: Path, by: str, now: datetime, content_: Queue) -> _Checkpoint:
        """Go on with a run that was cut, where the same person applies the same answers; else begin one."""
        path = queue.with_name(queue.name + ".applied")
        lines = _read(path)
        digest = hashlib.sha256(repr(content_.documents).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        begun = [line for line in lines if "begun" in line]
        last = begun[-1] if begun else None
        is_open = last is not None and not any("done" in line for line in lines[lines.index(last) :])
        if last is not None and is_open and (last.get("by"), last.get("answers")) == (by, digest):
            return cls(path, datetime.fromisoformat(last["begun"]), lines, None)
        return cls(path, now, lines, {"begun": now.isoformat(), "by": by, "answers": digest})

    def done(self, file: str) -> dict[str, str]:
        """The answers of a document that were applied: claim -> digest."""
        found: dict[str, str] = {}
        for line in self.lines:
            if line.get("file") == file and isinstance(line.get("claims"), dict):
                found |= line["claims"]
        return found

    def note(self, file: str, answers: list[Answer]) -> None:
        """Write down that a document is done."""
        if answers:
            self._append({"file": file, "claims": {one.claim: one.digest for one in answers}})

    def finish(self) -> None:
        """Write down that the run is done, where it did anything."""
        if self.begins is None and not any("done" in line for line in self.lines[-1:]):
            self._append({"done": True})

    def begin(self) -> None:
        """Write down the moment before anything is applied."""
        if self.begins:
            self._append(self.begins)
            self.begins = None

    def _append(self, line: dict[str, Any]) -> None:
        audit.append(self.path, [line])
        self.lines.append(line)


def _read(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a checkpoint; what a kill cut is as if it had not been."""
    if not path.exists():
        return []
    lines = []
    for line in path.read_bytes().decode("utf-8", "replace").split("\n")[:-1]:
        try:
            read = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict):
            lines.append(read)
    return lines
