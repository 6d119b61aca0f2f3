"""The audit log for a reader's eyes."""

from __future__ import annotations

from cg_review.hitl.answers import inert_line
from cg_review.hitl.audit import Record

_WORDS = {"True": "true", "False": "false", "None": "taken back"}


def line_of(record: Record) -> str:
    """One record on one line: when, who, what."""
    time, who = str(record.get("time", ""))[:19].replace("T", " "), record.get("person", "?")
    if "event" in record:
        return inert_line(f"{time}  {who}  {record['event']}  {record.get('notes', '')}")
    said = str(record.get("answer"))
    parts = [f"{time}  {who}  {record.get('claim')}  {_WORDS.get(said, said)}"]
    if record.get("answer") is False:
        parts.append(
            f"({record.get('choice')}{': ' + record['replacement'] if record.get('replacement') else ''})"
        )
    parts += [f"[{record['evidence']}]"] if record.get("evidence") else []
    parts += [f"note: {record['notes']}"] if record.get("notes") else []
    return inert_line("  ".join([*parts, f"“{record.get('text', '')}”"]))
