"""Compares the confirmations in a document with the append-only log of answers (`check --audit`, FORMAT 12.10).

A line of the log is a JSON object: `time` (ISO 8601), `person`, `claim` (its id), `answer` (true, false or
"estimated"), `evidence`, `document`, `hash_before`, `hash_after` (the document's `document-sha256`). A document is found
in the log by its hash, so that it may have been moved or renamed since.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cg_review.cgd.computed import claims, is_pending
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.hashing import stored_hash
from cg_review.cgd.layout import take_apart
from cg_review.cgd.nodes import plain
from cg_review.errors import InputError


def read_audit(path: Path) -> list[dict[str, Any]]:
    """Return the records of an audit log; a last line that was cut is left out.

    Raises InputError with the line that is no record.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    records = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(f"{path}:{number}: not a record of the audit log")
        records.append(record)
    return records


def disagreements(text: str, records: list[dict[str, Any]]) -> Iterator[str]:
    """Say for each confirmed claim what the log does not bear out, and whether the log knows this state of the document."""
    stored = stored_hash(take_apart(text))
    known = [record for record in records if record.get("hash_after") == stored]
    names = {record.get("document") for record in known}
    last = {str(record.get("claim")): record for record in records if record.get("document") in names}
    confirmed = [
        fields
        for claim in claims(read_frontmatter(text))
        if not is_pending(claim) and isinstance(fields := plain(claim), dict)
    ]
    if confirmed and not known:
        yield "the audit log does not know the document in this state (no hash_after is its document-sha256)"
        return
    for fields in confirmed:
        id_, person, day = (str(fields.get(name) or "") for name in ("id", "confirmed-by", "confirmed-date"))
        record = last.get(id_)
        if record is None:
            yield f"{id_} is confirmed by {person}, but the audit log has no answer for it"
        elif record.get("answer") not in (True, "true", "confirmed", "estimated"):
            yield f"{id_} is confirmed by {person}, but the last answer in the audit log is {record.get('answer')!r}"
        elif str(record.get("person")) != person or str(record.get("time"))[:10] != day:
            yield f"{id_} is confirmed by {person} on {day}, the audit log says {record.get('person')} on {str(record.get('time'))[:10]}"
