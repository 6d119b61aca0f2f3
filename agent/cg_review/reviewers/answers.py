"""What a model answers, for all nine passes alike, and for the second look.

One schema: a changed schema is reported to break the providers' prefix caches. Plain types only, because strict modes
refuse the rest; a bound is a description for the model and a validator for us (ENGINES, "instructor").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.parts import Part

_LABEL = re.compile(r"\[?s(\d{1,7})\b[^\]]*\]?")
_FENCE = re.compile(r"\A```[\w-]*\n(.*)\n```\Z", re.DOTALL)


def _segment_number(value: object) -> object:
    """Take "s12" and "[s12 row]" for 12: people and models copy the label as it stands."""
    match = _LABEL.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(match[1]) if match else value


SegmentNumber = Annotated[
    int, BeforeValidator(_segment_number), Field(description="the segment's number, such as 12 for [s12]")
]


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerQuote(_Plain):
    """Another place that proves a finding."""

    segment: SegmentNumber
    quote: str = Field(description="words copied from that segment, character for character")


class AnswerFinding(_Plain):
    """One finding as a model words it; segments are numbered as in the part that was shown."""

    segment: SegmentNumber
    quote: str = Field(
        description="words copied from that segment, character for character; empty for a whole table"
    )
    reason: str = Field(description="one sentence: what a reader would wrongly take for fact, and why")
    fix: str = Field(description="the smallest change that would settle it")
    kind: str = Field(description="the point's kind, or an empty string")
    confidence: int = Field(description="0 to 100: would a careful second reader agree?")
    related: list[AnswerQuote] = Field(description="the other side of a conflict, or the proof; else empty")

    @field_validator("confidence")
    @classmethod
    def _in_range(cls, value: int) -> int:
        if not 0 <= value <= 100:
            raise ValueError("confidence is 0 to 100")
        return value


class PassAnswer(_Plain):
    """The answer to one point's question."""

    findings: list[AnswerFinding]
    nothing_else: bool = Field(description="true when every segment was looked at and nothing is to add")


class LookVerdict(_Plain):
    """What the second look says of one candidate."""

    candidate: int = Field(description="the candidate's number in the list")
    stands: bool = Field(description="false to withdraw it")
    reason: str = Field(description="one sentence")


class LookAnswer(_Plain):
    """The answer of the second look."""

    verdicts: list[LookVerdict]


def read_answer(text: str) -> PassAnswer:
    """Read an answer that a person saved from a chat; one Markdown fence around it is taken off.

    Raises ValueError with what is wrong and where; never with the answer's content.
    """
    stripped = text.removeprefix("\ufeff").strip()
    fenced = _FENCE.match(stripped)
    try:
        return PassAnswer.model_validate_json(fenced[1] if fenced else stripped)
    except ValidationError as error:
        raise ValueError(describe(error)) from None


def describe(error: ValidationError) -> str:
    """The first thing wrong with an answer, without the answer's own words: they may quote the document."""
    first = error.errors(include_input=False, include_url=False)[0]
    if first["type"] == "json_invalid":
        return "not valid JSON"
    place = ".".join(map(str, first["loc"])) or "answer"
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


def schema_text() -> str:
    """The answer's JSON schema, for whoever answers by hand."""
    return json.dumps(PassAnswer.model_json_schema(), indent=2)


def to_raw(answer: PassAnswer, point: Point, part: Part) -> tuple[RawFinding, ...]:
    """Findings with the document's segment numbers. A number that the part does not have is a place nowhere."""
    return tuple(_raw_findings(answer, point, part))


def _raw_findings(answer: PassAnswer, point: Point, part: Part) -> Iterator[RawFinding]:
    for finding in answer.findings:
        yield RawFinding(
            point=point.id,
            segment=part.document_number(finding.segment),
            quote=finding.quote,
            reason=finding.reason.strip() or point.question.strip(),
            fix=finding.fix.strip() or point.fix.strip(),
            kind=_kind(finding.kind, point.kinds),
            confidence=finding.confidence / 100,
            related=_related(finding.related, part),
        )


def _kind(kind: str, known: dict[str, str]) -> str:
    """The kind where the point knows it; a word of the model's own is no kind."""
    wanted = kind.strip().upper().replace(" ", "_")
    return wanted if wanted in known else ""


def _related(quotes: Sequence[AnswerQuote], part: Part) -> tuple[Quote, ...]:
    return tuple(Quote(segment=part.document_number(quote.segment), quote=quote.quote) for quote in quotes)
