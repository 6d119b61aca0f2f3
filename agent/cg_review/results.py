"""The typed results of a review, as the JSON shows them (docs/json.md)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from cg_review.findings import FixPlace, Model, Round, Severity, Verdict

SCHEMA_VERSION = 1


class Related(Model):
    """The other side of a finding; line and column are 1-based."""

    quote: str
    line: int
    column: int


class ReviewFinding(Model):
    """A finding with its place: `quote` is exactly the characters [start, end) of the decoded text."""

    id: str
    points: tuple[int, ...]
    severity: Severity
    quote: str
    line: int
    column: int
    start: int
    end: int
    related: tuple[Related, ...]
    reason: str
    fix: str
    fix_place: FixPlace = ""
    kind: str
    confidence: float
    detected_by: tuple[str, ...]
    claim: str | None
    suppressed: str | None


class ReviewClaim(Model):
    """A claim a person has to confirm; `line` is None for the sign-off."""

    id: str
    text: str
    value: str | None
    source: str
    location: str
    round: Round
    why: str
    status: Literal["pending", "verified"]
    line: int | None


class ReviewUnanchored(Model):
    """A finding whose quote is not in the document; nothing was done about it."""

    point: int
    segment: int
    quote: str
    reason: str
    why: str


class PassSummary(Model):
    """How one point's pass ended."""

    point: int
    status: Literal["found", "failed", "not asked"]
    reason: str | None = None
    usage: dict[str, Any] | None = None


class ChunkContext(Model):
    """Whether chunks should carry sections of the document along, and which (RFC-002)."""

    advice: Literal["advisable", "optional"]
    sections: tuple[str, ...] = ()


class Tool(Model):
    """What made a result: a result can be traced to it."""

    name: str = "cg-review"
    version: str
    rules: str
    model: str
    min_confidence: float = 0.0
    """What the embedded reviewer's findings needed (0 to 1); what was less likely was left out."""


class ConflictPlace(Model):
    """Where a document tells a value that another one tells differently; line and column are 1-based."""

    path: str
    line: int
    column: int
    quote: str
    value: str


class Conflict(Model):
    """A thing that documents tell differently, with the first place of each value in each document."""

    subject: str
    places: tuple[ConflictPlace, ...]


class Review(Model):
    """The review of one document."""

    path: str
    status: Literal["complete", "incomplete", "failed"]
    verdict: Verdict | None
    tier1: Literal["PASS", "BLOCK"] | None = None
    """BLOCK while a contradiction, inside or with a source, waits for a person; None where nothing was reviewed."""
    findings: tuple[ReviewFinding, ...] = ()
    claims: tuple[ReviewClaim, ...] = ()
    unanchored: tuple[ReviewUnanchored, ...] = ()
    passes: tuple[PassSummary, ...] = ()
    points_passed: str = ""
    clarity_status: str | None = None
    hitl_status: str | None = None
    cgd: str | None = None
    notes: tuple[str, ...] = ()
    usage: dict[str, Any] = Field(default_factory=dict)
    chunk_context: ChunkContext | None = None
    tool: Tool = Field(exclude=True)
    cgd_text: str | None = Field(default=None, exclude=True, repr=False)
    """The Clarity-Gated Document, BOM and line endings included; None where none could be written."""
    text: str | None = Field(default=None, exclude=True, repr=False)
    """The text as read, which the findings' places are in."""
    draft_text: str | None = Field(default=None, exclude=True, repr=False)
    """What people's answers make a CGD of, where none can be written yet (FORMAT 12.8, 12.9)."""
    unchanged: bool = Field(default=False, exclude=True)
    """The document was a CGD already and this review changes nothing in it."""

    @property
    def open_findings(self) -> tuple[ReviewFinding, ...]:
        """The findings that no author silenced."""
        return tuple(finding for finding in self.findings if finding.suppressed is None)
