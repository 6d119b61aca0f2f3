"""`--dry-run`: what a review of documents would ask a model, and cost, without a request."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cg_review.batch.discover import find_documents
from cg_review.errors import InputError
from cg_review.files import read_bytes
from cg_review.markers import load_markers
from cg_review.origin import read_origin
from cg_review.pipeline import Settings
from cg_review.reviewers.settings import EMBEDDED, ModelSettings


def dry_run_of(
    paths: Sequence[str],
    settings: Settings,
    model: ModelSettings,
    stdin_filename: str,
    in_batches: bool = False,
) -> str:
    """A line or more a document. Raises InputError where no model is asked, or a document cannot be read."""
    if model.provider == EMBEDDED or model.answers is not None:
        raise InputError("--dry-run tells what a model would cost: choose one with --model")
    from cg_review.reviewers.desk import Desk
    from cg_review.reviewers.estimate import estimate
    from cg_review.reviewers.mailbox import Mailbox

    desk = Desk(model, Mailbox("") if in_batches else None)
    told = []
    for given in paths:
        sources = [None] if given == "-" else [one.path for one in find_documents([given])]
        for source in sources:
            data = sys.stdin.buffer.read() if source is None else read_bytes(source)
            name = stdin_filename if source is None else str(source)
            document = read_origin(data, name, load_markers(settings.rules)).document()
            told.append(
                f"{name}\n{estimate(desk, settings.points, document, settings.today).describe(model.model)}"
            )
    return "\n".join(told)
