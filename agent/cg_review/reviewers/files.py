"""Reviewing through files: the requests are written for somebody with a chat window, the replies are read back.

`pass-N.md` is the request of point N and `pass-N.json` its reply; a document that needs several parts has
`pass-N-part-M`. The manifest says which document they belong to and how it was cut.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from pydantic import BaseModel, ConfigDict, ValidationError

from cg_review.document import Document
from cg_review.errors import InputError
from cg_review.points import Point, load_points
from cg_review.reviewers import PassResult
from cg_review.reviewers.answers import read_answer, to_raw
from cg_review.reviewers.desk import WHOLE_DOCUMENT_POINTS
from cg_review.reviewers.model import Reading, combine
from cg_review.reviewers.parts import Part, cut, ledger
from cg_review.reviewers.prompts import Prompts, count_tokens, load_prompts, segment_tokens
from cg_review.reviewers.settings import ModelSettings

MANIFEST = "manifest.json"
WINDOW = 100_000  # tokens; a chat window takes more than an unknown server's default
_MANIFEST_FORMAT = 1


class ManifestEntry(BaseModel):
    """One request and where its reply is expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    point: int
    part: str
    prompt: str
    answer: str
    tokens: int


class Manifest(BaseModel):
    """What a folder of requests was made from; `sha256` is of the document's body."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int = _MANIFEST_FORMAT
    document: str
    sha256: str
    today: str
    window: int
    prompts: str
    passes: tuple[ManifestEntry, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One point over one part, under the name of its files."""

    name: str
    point: Point
    part: Part


def plan(document: Document, points: Sequence[Point], window: int, prompts: Prompts) -> list[Request]:
    """All requests of a document, point after point."""
    room = max(500, window - count_tokens(prompts.system()) - 10_000)
    parts = cut(document, room, lambda segment: segment_tokens(document, segment))
    wide = ledger(document, room, lambda segment: segment_tokens(document, segment)) if len(parts) > 1 else ()
    requests = []
    for point in points:
        own = [*parts, *(wide if point.id in WHOLE_DOCUMENT_POINTS else ())]
        requests += [Request(_name(point, part, len(own)), point, part) for part in own]
    return requests


def _name(point: Point, part: Part, of: int) -> str:
    kind = "facts" if part.ledger else "part"
    return f"pass-{point.id}" if of == 1 else f"pass-{point.id}-{kind}-{part.number}"


def write_requests(
    document: Document,
    points: Sequence[Point],
    today: date,
    prompts: Prompts,
    *,
    name: str,
    window: int = WINDOW,
) -> dict[str, str]:
    """The files of a folder of requests, by name; nothing is written here."""
    files: dict[str, str] = {}
    entries = []
    for request in plan(document, points, window, prompts):
        prompt = prompts.passes(request.part, [request.point], today)[request.point.id]
        text = prompts.chat(prompt)
        files[f"{request.name}.md"] = text
        entries.append(
            ManifestEntry(
                point=request.point.id,
                part=f"{request.part.number} of {request.part.of}",
                prompt=f"{request.name}.md",
                answer=f"{request.name}.json",
                tokens=count_tokens(text),
            )
        )
    manifest = Manifest(
        document=name,
        sha256=text_hash(document),
        today=today.isoformat(),
        window=window,
        prompts=prompts.hash,
        passes=tuple(entries),
    )
    files[MANIFEST] = json.dumps(manifest.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    return files


def text_hash(document: Document) -> str:
    """SHA-256 of the document's body: a segment's number means something for this text only."""
    body = document.body.of(document.text).strip()
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


class FileReviewer:
    """Reads the replies that somebody saved; each is validated like any model's answer."""

    def __init__(self, settings: ModelSettings) -> None:
        if settings.answers is None:
            raise InputError("--answers: no folder given")
        self.folder = settings.answers
        self.name = "answers from files"
        self.points = load_points(settings.rules)
        self.prompts = load_prompts(settings.prompts)

    @property
    def fingerprint(self) -> str:
        """A hash of the replies as they are now."""
        digest = hashlib.sha256()
        for path in sorted(self.folder.glob("*.json")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return f"{self.name} {digest.hexdigest()}"

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Read the reply of one point."""
        return (await self.run_all([point], document, today))[0]

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Read the replies. One that is missing, broken or for another text is a failed pass."""
        manifest, wrong = self._manifest(document)
        asked = [point for point in self.points if point.id in points]
        window = manifest.window if manifest else WINDOW
        readings = [
            replace(self._read(request), failed=wrong) if wrong else self._read(request)
            for request in plan(document, asked, window, self.prompts)
        ]
        return tuple(combine(point, [r for r in readings if r.point == point]) for point in points)

    def _manifest(self, document: Document) -> tuple[Manifest | None, str | None]:
        """The manifest, if there is one, and what is wrong with it. A folder without one is taken at its word."""
        path = self.folder / MANIFEST
        try:
            manifest = Manifest.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None, None if self.folder.is_dir() else f"{self.folder}: no such folder"
        except (OSError, ValidationError):
            return None, f"{path}: not readable as a manifest of requests"
        if manifest.sha256 != text_hash(document):
            return manifest, f"{path}: the requests were made from another text of {manifest.document}"
        return manifest, None

    def _read(self, request: Request) -> Reading:
        path = self.folder / f"{request.name}.json"
        try:
            answer = read_answer(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Reading(request.point.id, request.part, failed=f"{path}: missing")
        except (OSError, ValueError) as error:
            what = "not readable" if isinstance(error, (OSError, UnicodeDecodeError)) else str(error)
            return Reading(request.point.id, request.part, failed=f"{path}: {what}")
        findings = to_raw(answer, request.point, request.part)
        failed = None if answer.nothing_else else f"{path}: says that not every segment was looked at"
        return Reading(request.point.id, request.part, findings, failed=failed)
