"""What a reviewer finds in a text, as places: the whole pipeline, with whichever reviewer is asked for."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from cg_review import resources, review
from cg_review.errors import DocumentRefused
from cg_review.reviewers import Reviewer
from cg_review.reviewers.factory import build
from cg_review.reviewers.settings import ModelSettings
from labelled import Prediction

Reader = Callable[[str, str, date], list[Prediction] | None]


def prompts_hash() -> str:
    """SHA-256 over names and bytes of the prompts that are shipped."""
    folder, digest = resources.shipped("prompts"), hashlib.sha256()
    for path in sorted(folder.rglob("*.j2")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def make_reader(settings: ModelSettings) -> Reader:
    """A function from text, name and today to predictions: one for each point of each finding.

    With `settings.answers` a document's answers are looked for in the folder of its name there, and a document without
    any is left out (None). So is one that can't be reviewed as it is, and stderr says why.
    """

    def reviewer_of(name: str) -> Reviewer:
        if settings.answers is not None:
            return build(replace(settings, answers=settings.answers / Path(name).stem))
        return build(settings)

    shared = reviewer_of("") if settings.answers is None else None

    def read(text: str, name: str, today: date) -> list[Prediction] | None:
        if settings.answers is not None and not (settings.answers / Path(name).stem).is_dir():
            return None
        try:
            result = review(text, name=name, today=today, reviewer=shared or reviewer_of(name))
        except DocumentRefused as refused:
            print(f"left out: {refused}", file=sys.stderr)
            return None
        if result.status != "complete":
            failed = [f"point {one.point}: {one.reason}" for one in result.passes if one.status == "failed"]
            raise SystemExit(f"{name}: the review is incomplete ({'; '.join(failed)})")
        return [
            Prediction(point, finding.start, finding.end)
            for finding in result.open_findings
            for point in finding.points
        ]

    return read
