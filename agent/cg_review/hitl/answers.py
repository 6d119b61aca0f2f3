"""One model of an answer for all ways in (FORMAT section 10; DESIGN, "Every way to answer produces the same Answer")."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from cg_review.cgd.record import inert
from cg_review.errors import InputError
from cg_review.findings import AS_ESTIMATE, Model, Round

REMOVE = "(remove)"
"""What a queue's `replacement` says where the sentence is to go without one."""

_WHERE_TO_LOOK = re.compile(r"(?:compare with|check|see|ask|contact|read)\s+", re.IGNORECASE)
_PASSAGE = re.compile(r": “.*”\Z", re.DOTALL)
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)


class Response(StrEnum):
    """What a person says of a claim."""

    TRUE = "true"
    FALSE = "false"
    ESTIMATED = "estimated"


Choice = Literal["exclude", "replace", "remove"]
"""What a `false` does to the sentence: an exclusion block around its block (nothing is lost), other words, or nothing."""


def inert_line(text: str) -> str:
    """`text` on one line, unable to open a comment or an end marker anywhere, with no characters that move a cursor,
    reverse text or are none.
    """
    return inert(_UNPRINTABLE.sub(" ", text))


def person(name: str | None) -> str:
    """A person's name, fit to be written down. Raises InputError where there is none: a machine ends no review."""
    cleaned = inert_line(name or "")
    if not any(map(str.isalpha, cleaned)):
        raise InputError("who answers? give the person's name (--by NAME): a machine cannot finish a review")
    if len(cleaned) > 100:
        raise InputError("a person's name may have at most 100 characters (--by)")
    return cleaned


Line = Annotated[str, AfterValidator(inert_line)]


class Answer(Model):
    """What a person said of one claim. `response` None takes an earlier answer back.

    `evidence` is what was found (the claim's new source); `replacement` the sentence to stand instead where `choice`
    is "replace"; `when` is UTC.
    """

    claim: str
    response: Response | None
    evidence: Line = ""
    choice: Choice = "exclude"
    replacement: Line = ""
    notes: Line = ""
    by: str
    when: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @property
    def day(self) -> str:
        """The date it was given, YYYY-MM-DD."""
        return self.when.date().isoformat()

    @property
    def digest(self) -> str:
        """Names what was answered, whoever and whenever: equal answers have equal digests."""
        said = [self.claim, self.response, self.evidence, self.choice, self.replacement, self.notes]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def read_response(value: Any) -> Response | None:
    """A queue's or form's `response`. Raises InputError outside the vocabulary: never a guess."""
    if value is None or value in ("", "null", "~"):
        return None
    text = str(value).lower()
    try:
        return Response(text)
    except ValueError:
        raise InputError(f"response {value!r} is none of true, false, estimated, null") from None


def found(answer: Answer, source: str, round_: Round) -> str:
    """The source of a claim once it is confirmed: what was found.

    Where no evidence was given, Round A confirms the passage that the claim came from, Round B the person's word.
    """
    if answer.response is Response.ESTIMATED:
        return AS_ESTIMATE
    if answer.evidence:
        return answer.evidence
    place = _PASSAGE.sub("", _WHERE_TO_LOOK.sub("", source, count=1))
    return place if round_ is Round.A and place else f"confirmed by {answer.by}"
