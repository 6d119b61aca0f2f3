"""The review queue: a YAML file made for people, and how it is read back (FORMAT section 10)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cg_review.cgd.hashing import document_hash
from cg_review.cgd.nodes import plain
from cg_review.cgd.writer import quote_scalar
from cg_review.cgd.yaml_reader import read_yaml
from cg_review.errors import InputError
from cg_review.files import read_bytes
from cg_review.findings import Round
from cg_review.hitl.answers import REMOVE, Answer, Response, inert_line, read_response
from cg_review.hitl.case import Case, Placed
from cg_review.hitl.desk import Desk, View
from cg_review.hitl.reasons import shown

LIFETIME = timedelta(days=7)

_HEAD = f"""\
# Review queue of cg-review: claims that wait for a person.
#
# Fill in `response` of as many claims as you like; the others stay pending and can be answered later:
#   true       it is true. Say in `evidence` what you found: a document and page, an address, a measurement.
#   false      it is not true. The block around it is excluded, so that nothing is lost, unless `replacement`
#              holds a sentence to stand there instead, or {REMOVE} to take the sentence out.
#   estimated  keep it, marked as an estimate.
#   null       not answered yet.
# `id`, `text`, `location` and `round` are there to read; do not change them.
#
# Then run: cg-review apply {{queue}} --by "Your Name"
"""
_ROUNDS = {
    Round.A: "Round A: was the source read right? Compare each with the passage it came from.",
    Round.B: "Round B: is it true? Only you, or what you find, can tell.",
}


@dataclass(frozen=True)
class Entry:
    """One claim of a queue, as a person left it; `line` is 1-based."""

    id: str
    text: str
    location: str
    round: str
    response: Response | None
    notes: str
    evidence: str
    replacement: str
    line: int

    def answer(self, by: str, when: datetime) -> Answer:
        """What the person said. `response` must not be None."""
        replacement = self.replacement.strip()
        choice = "exclude" if not replacement else "remove" if replacement.lower() == REMOVE else "replace"
        return Answer(
            claim=self.id,
            response=self.response,
            evidence=self.evidence,
            choice=choice,
            replacement=replacement if choice == "replace" else "",
            notes=self.notes,
            by=by,
            when=when,
        )


@dataclass(frozen=True)
class Documented:
    """The claims of one document of a queue. `file` is relative to the queue's folder; `hash` may be missing."""

    file: str
    hash: str | None
    claims: tuple[Entry, ...]


@dataclass(frozen=True)
class Queue:
    """A queue as read. `expires` is None where it says nothing."""

    expires: datetime | None
    documents: tuple[Documented, ...]


# -- writing -----------------------------------------------------------------------------------------------------------


def render_queue(desks: Sequence[Desk], target: Path, now: datetime) -> tuple[str, int]:
    """The queue of all open claims of `desks`, to be written to `target`; and how many claims it holds."""
    parts, hashes, count = [], [], 0
    for desk in desks:
        view = desk.view()
        if not view.open:
            continue
        file = Path(os.path.relpath(desk.path.resolve(), target.resolve().parent)).as_posix()
        digest = document_hash(view.case.text)
        hashes.append(f"{file}:{digest}\n")
        parts += [f"  - file: {quote_scalar(file)}", f'    file-hash: "{digest}"', "    claims:"]
        parts += _claims(view)
        count += len(view.open)
    lines = [
        _HEAD.replace("{queue}", target.name),
        'schema-version: "1.0"',
        f'generated: "{_stamp(now)}"',
        f'expires: "{_stamp(now + LIFETIME)}"',
        f'source-files-hash: "{hashlib.sha256("".join(hashes).encode()).hexdigest()}"',
        "documents:" if parts else "documents: []",
        *parts,
    ]
    return "\n".join(lines) + "\n", count


def _claims(view: View) -> list[str]:
    lines: list[str] = []
    for round_ in Round:
        claims = [placed for placed in view.open if placed.claim.round is round_]
        if claims:
            lines += ["", f"      # {_ROUNDS[round_]}"]
        for placed in claims:
            lines += _claim(view.case, placed)
    return lines


def _claim(case: Case, placed: Placed) -> list[str]:
    claim, context = placed.claim, shown(case, placed)
    where = f"line {context.line}" if context.line else "the whole document"
    comments = [f"{where}: {context.why}", f"where to look: {claim.source}"]
    if context.before or context.after:
        comments.append(f"in context: {context.before} >>{context.sentence}<< {context.after}")
    return [
        "",
        *(f"      # {inert_line(comment)}" for comment in comments),
        f"      - id: {claim.id}",
        f"        text: {_quoted(claim.text)}",
        f"        location: {_quoted(claim.location)}",
        f"        round: {claim.round}",
        "        response: null",
        '        notes: ""',
        '        evidence: ""',
        '        replacement: ""',
    ]


def _quoted(text: str) -> str:
    scalar = quote_scalar(text)
    return scalar if scalar.startswith('"') else f'"{scalar}"'


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- reading -----------------------------------------------------------------------------------------------------------


def read_queue(path: Path) -> Queue:
    """Read a queue. Raises InputError, naming the line, for whatever it says that is not in the format."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from error
    tree = read_yaml(text, 0, len(text))
    if tree.problems or tree.root is None:
        problem = tree.problems[0] if tree.problems else None
        line = text.count("\n", 0, problem.offset) + 1 if problem else 1
        raise InputError(f"{path}:{line}: not a queue: {problem.message if problem else 'no YAML mapping'}")
    data = plain(tree.root)
    assert isinstance(data, dict)
    version = str(data.get("schema-version") or "")
    if not re.fullmatch(r"1(\.\d+)?", version):
        raise InputError(f"{path}: schema-version {version or 'missing'}; this version reads 1.0")
    lines = _lines_of_ids(text)
    documents = data.get("documents")
    if not isinstance(documents, list):
        raise InputError(f"{path}: `documents` is not a list")
    return Queue(
        _moment(path, data.get("expires")), tuple(_document(path, item, lines) for item in documents)
    )


def _moment(path: Path, value: Any) -> datetime | None:
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise InputError(f"{path}: expires {value!r} is not a moment such as 2026-01-12T09:30:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _document(path: Path, item: Any, lines: dict[str, int]) -> Documented:
    if not isinstance(item, dict) or not isinstance(item.get("file"), str):
        raise InputError(f"{path}: a document without `file`")
    claims = item.get("claims")
    if not isinstance(claims, list):
        raise InputError(f"{path}: {item['file']}: `claims` is not a list")
    entries = tuple(_entry(path, claim, lines) for claim in claims)
    ids = [entry.id for entry in entries]
    twice = next((id_ for id_ in ids if ids.count(id_) > 1), None)
    if twice:
        raise InputError(f"{path}:{lines.get(twice, 1)}: {twice} stands twice; which answer is meant?")
    return Documented(item["file"], item.get("file-hash") or None, entries)


def _entry(path: Path, claim: Any, lines: dict[str, int]) -> Entry:
    if not isinstance(claim, dict) or not isinstance(claim.get("id"), str):
        raise InputError(f"{path}: a claim without `id`")
    id_ = claim["id"]
    fields = {name: _text(path, claim, name, lines) for name in ("text", "location", "round")}
    free = {name: _text(path, claim, name, lines) for name in ("notes", "evidence", "replacement")}
    try:
        response = read_response(claim.get("response"))
    except InputError as error:
        raise InputError(f"{path}:{lines.get(id_, 1)}: {id_}: {error}") from None
    return Entry(id=id_, **fields, **free, response=response, line=lines.get(id_, 1))


def _text(path: Path, claim: dict[str, Any], name: str, lines: dict[str, int]) -> str:
    value = claim.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{path}:{lines.get(claim['id'], 1)}: {claim['id']}: `{name}` is not a text")
    return value or ""


def _lines_of_ids(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = re.search(r"\bid:\s*[\"']?([\w.-]+)", line)
        if match:
            found.setdefault(match[1], number)
    return found
