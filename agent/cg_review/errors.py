"""Everything that can go wrong in a way a caller should know about.

A message says what is wrong, where, and what to do about it. `exit_code` is what the command line returns (DESIGN,
"Errors, exits, output").
"""

from __future__ import annotations

from cg_review.lines import unbroken


class CgReviewError(Exception):
    """Base of every error this package raises on purpose. Its message is one line, whatever a file's name holds."""

    exit_code = 2

    def __str__(self) -> str:
        return unbroken(super().__str__())


class InputError(CgReviewError):
    """What the caller gave cannot be used: missing, unreadable, not UTF-8, a wrong option, an output not writable."""

    exit_code = 2


class DocumentRefused(CgReviewError):
    """The document was read, but cannot be drafted, edited or ingested as it is; a person has to change it first."""

    exit_code = 1


class ReviewIncomplete(CgReviewError):
    """The reviewer could not finish; what was done is kept."""

    exit_code = 3
