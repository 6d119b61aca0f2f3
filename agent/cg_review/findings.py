"""What a review produces: findings, claims and their parts (DESIGN, "Findings, rounds, claims"; STYLE, glossary)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from cg_review.document import Span

AS_ESTIMATE = "marked as an estimate"
"""The source of a claim that a person let stand as an estimate: its marker stays (FORMAT 12.13)."""


FixPlace = Literal["", "instead", "above"]
"""Where a fix is pasted as it is: instead of what is quoted, or on a line above it. Empty: it is advice."""


class Model(BaseModel):
    """Base of the typed results: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Severity(StrEnum):
    """How bad a finding is, gravest first."""

    CRITICAL = "CRITICAL"
    WARNING = "WARNING"
    TEMPORAL = "TEMPORAL"
    VERIFIABLE = "VERIFIABLE"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return list(Severity).index(self)


class Round(StrEnum):
    """A: did I read the source right? B: is this true?"""

    A = "A"
    B = "B"


class Verdict(StrEnum):
    """The outcome of a review (FORMAT 12.18)."""

    PASS = "PASS"
    PENDING = "PENDING CONFIRMATION"
    QUARANTINED = "QUARANTINED"
    INCOMPLETE = "INCOMPLETE"
    BLOCKED = "BLOCKED"


class Quote(Model):
    """A segment's number (1-based) and words quoted from it, verbatim."""

    segment: int
    quote: str


class RawFinding(Model):
    """What a pass answers, whoever reads: a segment and a quote, not yet found in the document.

    An empty `quote` means the whole segment. `kind` is a point's own sub-type, such as PRICING under point 9;
    `confidence` is 0 to 1. `severity` is given where a pass raises or lowers its point's (with the reason why).
    `detected_by` names who found it, where that is not simply the reviewer (a model's pass over the embedded floor).
    """

    point: int = Field(ge=1, le=9)
    segment: int
    quote: str = ""
    reason: str
    fix: str = ""
    fix_place: FixPlace = ""
    kind: str = ""
    confidence: float = Field(default=1.0, ge=0, le=1)
    related: tuple[Quote, ...] = ()
    severity: Severity | None = None
    detected_by: tuple[str, ...] = ()


class Place(Model):
    """A stretch of the document: where it is, exactly what stands there, and the segment that holds it."""

    span: Span
    quote: str
    segment: int


class Finding(Model):
    """A span that one or more passes object to. `points[0]` leads; `severity` is the gravest."""

    id: str
    points: tuple[int, ...]
    severity: Severity
    span: Span
    quote: str
    segment: int
    related: tuple[Place, ...] = ()
    reason: str
    fix: str
    fix_place: FixPlace = ""
    kind: str = ""
    confidence: float = 1.0
    detected_by: tuple[str, ...] = ()
    suppressed: str | None = None  # the author's reason for silencing it
    claim: str | None = None  # the id of its claim


class Unanchored(Model):
    """A model's finding whose quote is not in the document, or fits more than one place: shown, never applied."""

    point: int
    segment: int
    quote: str
    reason: str
    why: str


class Edit(Model):
    """A change of the text at `span` (of the text before any change): `before` becomes `after`."""

    span: Span
    before: str
    after: str
    finding: str
    kind: Literal["insertion", "rewrite", "kept"]


class Claim(Model):
    """Something a person has to confirm (FORMAT section 2). Pending while `confirmed_by` is None."""

    id: str
    text: str
    value: str | None = None
    source: str
    location: str
    round: Round
    why: str = ""
    confirmed_by: str | None = None
    confirmed_date: str | None = None
    span: Span | None = None  # where its sentence is; None for the sign-off claim
    finding: str | None = None  # the id of the finding it belongs to
    has_passage: bool = False  # `source` is a passage of a source given for this review

    @property
    def status(self) -> Literal["pending", "verified"]:
        """ "verified" once a person has confirmed it."""
        return "verified" if self.confirmed_by else "pending"
