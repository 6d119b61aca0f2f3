"""From settings to a reviewer. Nothing here decides which model reads: the settings say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cg_review.errors import InputError
from cg_review.reviewers import Reviewer
from cg_review.reviewers.settings import EMBEDDED, ModelSettings

if TYPE_CHECKING:
    from cg_review.reviewers.mailbox import Mailbox


def build(settings: ModelSettings, mailbox: Mailbox | None = None) -> Reviewer:
    """The reviewer that `settings` describe: embedded, a model (over the embedded floor), or answers from files.

    With a `mailbox` the model's answers are those of batches. Raises InputError for a wrong model name, a missing key or package, a cost limit without a known price, or a model
    asked for with `offline`. The model's modules and SDKs are imported only where a model reads.
    """
    if settings.answers is not None:
        from cg_review.reviewers.files import FileReviewer

        return _over_floor(FileReviewer(settings), settings)
    if settings.provider == EMBEDDED:
        return embedded(settings)
    if settings.offline:
        raise InputError(f"--offline forbids --model {settings.model}; use --model embedded or --answers DIR")
    return _over_model(settings, mailbox)


def _over_model(settings: ModelSettings, mailbox: Mailbox | None) -> Reviewer:
    from cg_review.reviewers.desk import Desk
    from cg_review.reviewers.model import ModelReviewer
    from cg_review.reviewers.providers import read_key, require_sdk
    from cg_review.reviewers.second_look import WithSecondLook

    require_sdk(settings)
    read_key(settings)  # only to say early that it is missing
    desk = Desk(settings, mailbox)
    reviewer = _over_floor(ModelReviewer(desk), settings)
    return WithSecondLook(reviewer, desk) if settings.adjudicate else reviewer


def _over_floor(reviewer: Reviewer, settings: ModelSettings) -> Reviewer:
    if not settings.floor:
        return reviewer
    from cg_review.reviewers.floor import WithFloor

    return WithFloor(reviewer, embedded(settings))


def embedded(settings: ModelSettings) -> Reviewer:
    """The embedded reviewer with the rules in force."""
    from cg_review.reviewers.embedded import EmbeddedReviewer

    reviewer: Reviewer = EmbeddedReviewer(settings.rules, settings.min_confidence)
    return reviewer
