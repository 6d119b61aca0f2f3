"""The audit log: every answer of a person, one JSON object a line, append-only (DESIGN; issue D).

A record has `time` (ISO 8601, UTC), `person`, `document` (relative to the project), `hash_before` and `hash_after`
(the document's hashes), and either `claim`, `answer` (true, false, "estimated", null for one taken back), `evidence`,
`notes`, `choice`, `replacement`, `text`, or `event` ("promote", …). `id` names the record: what is there already is
not written again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.layout import take_apart
from cg_review.errors import InputError
from cg_review.findings import Claim
from cg_review.hitl.answers import Answer, read_response
from cg_review.project import state_folder
from cg_review.validator.audit import read_audit

LOG = "audit.jsonl"
Record = dict[str, Any]
_JSON: dict[str | None, Any] = {"true": True, "false": False, None: None}


def log_of(path: Path) -> Path:
    """The audit log of the project that `path` belongs to."""
    return state_folder(path) / LOG


def answer_record(
    document: str, answer: Answer, claim: Claim, before: str, after: str, via: str, was: Any = None
) -> Record:
    """The record of one answer. `was` is what a confirmation replaced."""
    record: Record = {
        "time": answer.when.isoformat(timespec="seconds"),
        "person": answer.by,
        "document": document,
        "claim": answer.claim,
        "text": claim.text,
        "round": str(claim.round),
        "answer": _JSON.get(answer.response, answer.response and str(answer.response)),
        "evidence": answer.evidence,
        "notes": answer.notes,
    }
    if answer.response == "false":
        record |= {"choice": answer.choice, "replacement": answer.replacement}
    record |= {"via": via, "hash_before": before, "hash_after": after}
    if was is not None:
        record["was"] = was
    return _named(record, answer.digest)


def event_record(document: str, event: str, by: str, time: str, before: str, after: str, note: str) -> Record:
    """The record of a command that a person ran on a document."""
    record = {"time": time, "person": by, "document": document, "event": event, "notes": note}
    return _named({**record, "hash_before": before, "hash_after": after}, event + time)


def _named(record: Record, content: str) -> Record:
    key = f"{record['document']}|{record.get('claim')}|{content}|{record['person']}|{record['hash_before']}"
    return {"id": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16], **record}


def append(log: Path, records: Iterable[Record]) -> None:
    """Append records, flushed to the disk. A line that a kill cut in two is taken away first: it was never promised.

    Raises InputError where the log cannot be written.
    """
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    if not lines:
        return
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "ab+") as file:
            file.truncate(_whole(file))
            file.write(lines.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{log}: cannot be written: {error.strerror or error}") from error


def _whole(file: Any) -> int:
    """How many bytes of a log are whole lines."""
    end = int(file.seek(0, os.SEEK_END))
    start = max(0, end - 65_536)
    while True:
        file.seek(start)
        tail = file.read(end - start)
        newline = tail.rfind(b"\n")
        if newline >= 0:
            return int(start + newline + 1)
        if start == 0:
            return 0
        start = max(0, start - 65_536)


def read_log(log: Path) -> list[Record]:
    """All records, oldest first; none where there is no log yet. Raises InputError for a line that is no record."""
    return read_audit(log) if log.exists() else []


def of_document(records: Iterable[Record], document: str) -> list[Record]:
    """The records of one document, oldest first."""
    return [record for record in records if record.get("document") == document]


def held_answers(records: Iterable[Record], pending: Sequence[Claim]) -> dict[str, Answer]:
    """The `false` answers that wait for the last one: the last word on a claim that is pending still, in its words."""
    open_claims = {claim.id: claim for claim in pending}
    held: dict[str, Answer] = {}
    for record in records:
        claim = open_claims.get(str(record.get("claim")))
        if claim is None or "answer" not in record or record.get("text") != claim.text:
            continue
        held.pop(claim.id, None)
        if record["answer"] is False:
            held[claim.id] = read_answer(record)
    return held


def read_answer(record: Record) -> Answer:
    """The answer that a record holds. Raises InputError where it holds none."""
    try:
        return Answer(
            claim=record["claim"],
            response=read_response(record["answer"]),
            evidence=record.get("evidence", ""),
            choice=record.get("choice", "exclude"),
            replacement=record.get("replacement", ""),
            notes=record.get("notes", ""),
            by=record["person"],
            when=record["time"],
        )
    except (KeyError, ValueError) as error:
        raise InputError(f"the audit log has a damaged answer ({record.get('id')}): {error}") from error


def break_in_chain(text: str, records: Sequence[Record]) -> Iterator[str]:
    """Say where a document is not what the log left: the hashes before and after have to meet."""
    steps = [record for record in records if record.get("hash_before") != record.get("hash_after")]
    for earlier, later in pairwise(steps):
        known = {earlier.get("hash_after"), earlier.get("hash_before")}
        if later.get("hash_before") not in known:
            yield f"between {earlier.get('time')} and {later.get('time')} the document was changed by other means"
    layout = take_apart(text)
    if layout.end_marker is not None and stored_hash(layout) != document_hash(layout):
        yield "the document is not what its hash was computed of (W-HS01)"
    if steps and stored_hash(layout) != steps[-1].get("hash_after"):
        yield "the document was changed since the last record of the log"
