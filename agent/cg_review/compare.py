"""Findings of two reviews, side by side, by their stable ids: what is new, what is gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from cg_review.errors import InputError
from cg_review.results import SCHEMA_VERSION, Review, ReviewFinding

Key = tuple[str, str]  # a document's path, a finding's id


@dataclass(frozen=True, slots=True)
class Comparison:
    """The open findings of both sides; each with the path of its document."""

    added: tuple[tuple[str, ReviewFinding], ...]
    gone: tuple[tuple[str, ReviewFinding], ...]
    unchanged: tuple[tuple[str, ReviewFinding], ...]


def compare(old: Iterable[Review], new: Iterable[Review]) -> Comparison:
    """Compare the documents that have the same path. A finding's id survives edits elsewhere in its document."""
    before, after = keyed(old), keyed(new)
    return Comparison(
        added=tuple((path, f) for (path, id_), f in after.items() if (path, id_) not in before),
        gone=tuple((path, f) for (path, id_), f in before.items() if (path, id_) not in after),
        unchanged=tuple((path, f) for (path, id_), f in after.items() if (path, id_) in before),
    )


def same_document(old: Sequence[Review], new: Sequence[Review]) -> tuple[Sequence[Review], Sequence[Review]]:
    """Both sides; where each is one document, both are called by the new one's path."""
    if len(old) == len(new) == 1:
        old = [old[0].model_copy(update={"path": new[0].path})]
    return old, new


def keyed(reviews: Iterable[Review]) -> dict[Key, ReviewFinding]:
    """The open findings, by document and id."""
    return {(review.path, finding.id): finding for review in reviews for finding in review.open_findings}


def read_report(path: Path) -> list[Review]:
    """The reviews of a report written with `--format json`.

    Raises InputError where the file cannot be read, or is no such report, or one of another version.
    """
    try:
        content = json.loads(path.read_bytes())
        version = content["schema_version"]
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{path}: a report of version {version}; this program reads version {SCHEMA_VERSION}"
            )
        return [
            Review.model_validate({**document, "tool": content["tool"]}) for document in content["documents"]
        ]
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"{path}: is no report of `cg-review --format json`") from error
