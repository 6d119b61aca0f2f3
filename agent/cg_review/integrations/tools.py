"""The review as tools for a model: schemas for Anthropic and OpenAI, and a dispatcher that runs a call.

    from cg_review.integrations.tools import Workspace, anthropic_tools
    tools = anthropic_tools()                        # client.messages.create(tools=tools, …)
    answer = Workspace("docs").dispatch(name, arguments)

There is no tool that answers a claim: `how_to_answer` returns what to tell the person who can.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cg_review.api import review
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.errors import CgReviewError, InputError
from cg_review.files import cgd_name, read_bytes
from cg_review.findings import FixPlace, Severity
from cg_review.origin import decode
from cg_review.pipeline import Settings, at_noon
from cg_review.project import state_folder
from cg_review.results import Review
from cg_review.reviewers import Reviewer
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.run import Job, Plan, run
from cg_review.validator import refusal, validate


class Arguments(BaseModel):
    """Base of the tools' arguments: unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DocumentArguments(Arguments):
    """A document in the workspace."""

    path: str = Field(description="A Markdown document or CGD, relative to the workspace.")


class ReviewArguments(DocumentArguments):
    """A document to review."""

    write: bool = Field(
        default=True, description="Write the draft CGD beside the document; false only reports."
    )


class TextArguments(Arguments):
    """A text to review."""

    text: str = Field(description="The Markdown text.")


class FoundPlace(BaseModel):
    """A finding, as short as a model needs it."""

    line: int
    quote: str
    severity: Severity
    points: tuple[int, ...]
    reason: str
    fix: str
    fix_place: FixPlace = ""


class ClaimToConfirm(BaseModel):
    """A claim that only a person may confirm."""

    id: str
    text: str
    round: Literal["A", "B"]
    status: Literal["pending", "verified"]
    where_to_look: str


class ReviewAnswer(BaseModel):
    """What a review found, and what is to do."""

    path: str
    status: str
    verdict: str
    findings: list[FoundPlace]
    claims: list[ClaimToConfirm]
    notes: list[str]
    draft: str | None = Field(description="Where the draft CGD lies, or its text where nothing was written.")
    next: str


class ValidateAnswer(BaseModel):
    """The format's faults in a document."""

    path: str
    valid: bool
    faults: list[str]


class CheckAnswer(BaseModel):
    """Whether a document may be ingested."""

    path: str
    ingestable: bool
    reason: str | None


class ClaimsAnswer(BaseModel):
    """The claims of a CGD."""

    path: str
    hitl_status: str
    claims: list[ClaimToConfirm]


class HowToAnswer(BaseModel):
    """What the person has to do; nothing was answered."""

    path: str
    pending: int
    command: str = Field(description="Answers the claims in a terminal.")
    page: str = Field(description="The same on a local web page.")
    say: str


_ASK = (
    "The claims can only be confirmed by a person. Show them to your user, Round A (did I read the source right?) before "
    "Round B (is this true?), and give them the command of how_to_answer. Never answer for them."
)


class Workspace:
    """The documents below a folder, as tools see them; nothing outside it is read or written."""

    def __init__(
        self, root: str | Path = ".", today: date | None = None, reviewer: Reviewer | None = None
    ) -> None:
        """`today` defaults to the current day (UTC), `reviewer` to the embedded one."""
        self.root = Path(root).resolve()
        self.today = today
        self.reviewer = reviewer or EmbeddedReviewer()

    def dispatch(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool call. What the caller gave wrongly comes back as `{"error": …}`, for the model to read."""
        tool = TOOLS.get(name)
        if tool is None:
            return {"error": f"there is no tool {name!r}; there are {', '.join(TOOLS)}"}
        try:
            return tool.run(self, tool.arguments.model_validate(arguments)).model_dump(mode="json")
        except ValidationError as error:
            return {"error": "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())}
        except CgReviewError as error:
            return {"error": str(error)}

    def review_document(self, arguments: ReviewArguments) -> ReviewAnswer:
        """Review a document; its draft is written beside it, merged with what people confirmed in an earlier one."""
        source = self._file(arguments.path)
        target = source.with_name(cgd_name(source.name)) if arguments.write else None
        settings = Settings(now=self._now(), reviewer=self.reviewer)
        with run(Plan((Job(arguments.path, source, target),)), settings) as documents:
            (done,) = documents
        if done.review.status == "failed":
            raise InputError("; ".join(done.review.notes))
        wrote = target.relative_to(self.root).as_posix() if target and done.review.cgd else None
        return _review_answer(done.review, wrote or done.review.cgd_text)

    def review_text(self, arguments: TextArguments) -> ReviewAnswer:
        """Review a text that is in no file."""
        result = review(arguments.text, name="text.md", today=self.today, reviewer=self.reviewer)
        return _review_answer(result, result.cgd_text)

    def validate_document(self, arguments: DocumentArguments) -> ValidateAnswer:
        """Check a CGD against the format."""
        report = validate(self._file(arguments.path), now=self._now(), path=arguments.path)
        faults = [f"line {one.line}: {one.severity} {one.code}: {one.message}" for one in report.faults]
        return ValidateAnswer(path=arguments.path, valid=report.valid, faults=faults)

    def check_document(self, arguments: DocumentArguments) -> CheckAnswer:
        """Ask the ingestion gate; confirmations are compared with the project's audit log where there is one."""
        from cg_review.validator.audit import disagreements, read_audit

        path = self._file(arguments.path)
        reason = refusal(validate(path, now=self._now(), path=arguments.path))
        log = state_folder(path) / "audit.jsonl"
        if reason is None and log.exists():
            reason = next(
                iter(disagreements(decode(read_bytes(path), arguments.path), read_audit(log))), None
            )
        return CheckAnswer(path=arguments.path, ingestable=reason is None, reason=reason)

    def list_claims(self, arguments: DocumentArguments) -> ClaimsAnswer:
        """The claims of a CGD, pending and verified."""
        data = read_frontmatter(decode(read_bytes(self._file(arguments.path)), arguments.path)).data
        listed = data.get("hitl-claims")
        if not isinstance(listed, list):
            raise InputError(f"{arguments.path}: is no CGD; review it first")
        claims = [_recorded(entry) for entry in listed if isinstance(entry, dict)]
        return ClaimsAnswer(path=arguments.path, hitl_status=str(data.get("hitl-status", "")), claims=claims)

    def how_to_answer(self, arguments: DocumentArguments) -> HowToAnswer:
        """The command with which a person answers a document's claims."""
        claims = self.list_claims(arguments).claims
        pending = sum(claim.status == "pending" for claim in claims)
        path = shlex.quote(str(self._file(arguments.path)))
        commands = {"command": f"cg-review confirm {path}", "page": f"cg-review serve {path}"}
        return HowToAnswer(path=arguments.path, pending=pending, **commands, say=_ASK)

    def _file(self, path: str) -> Path:
        resolved = (self.root / path).resolve()
        if not resolved.is_relative_to(self.root):
            raise InputError(f"{path}: is outside the workspace {self.root}")
        if not resolved.is_file():
            raise InputError(f"{path}: no such file in the workspace {self.root}")
        return resolved

    def _now(self) -> datetime:
        return at_noon(self.today) if self.today else datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what a model is told of it, and what runs."""

    name: str
    description: str
    arguments: type[Arguments]
    answer: type[BaseModel]
    run: Callable[[Workspace, Any], BaseModel]
    read_only: bool = True

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return self.arguments.model_json_schema()

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of its answer."""
        return self.answer.model_json_schema()


_ALL = (
    Tool(
        "review_document",
        "Review a Markdown document in the workspace for claims that a language model would mistake for facts, and write "
        "a draft Clarity-Gated Document (.cgd.md) beside it. " + _ASK,
        ReviewArguments,
        ReviewAnswer,
        Workspace.review_document,
        read_only=False,
    ),
    Tool(
        "review_text",
        "Review a Markdown text that is in no file; the draft CGD is returned, nothing is written. " + _ASK,
        TextArguments,
        ReviewAnswer,
        Workspace.review_text,
    ),
    Tool(
        "validate_document",
        "Check a CGD against the Clarity Gate format 2.1; every fault at once.",
        DocumentArguments,
        ValidateAnswer,
        Workspace.validate_document,
    ),
    Tool(
        "check_document",
        "May this CGD be ingested into a knowledge base? Only a valid, CLEAR document that a person has reviewed may.",
        DocumentArguments,
        CheckAnswer,
        Workspace.check_document,
    ),
    Tool(
        "list_claims",
        "List the claims of a CGD that a person has to confirm or has confirmed.",
        DocumentArguments,
        ClaimsAnswer,
        Workspace.list_claims,
    ),
    Tool(
        "how_to_answer",
        "Get the command with which your user confirms or denies the pending claims of a CGD. It answers nothing itself.",
        DocumentArguments,
        HowToAnswer,
        Workspace.how_to_answer,
    ),
)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in _ALL}


def anthropic_tools() -> list[dict[str, Any]]:
    """The tools for `tools=` of Anthropic's Messages API."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in TOOLS.values()
    ]


def openai_tools() -> list[dict[str, Any]]:
    """The tools for `tools=` of OpenAI's Responses API."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
            "strict": False,
        }
        for tool in TOOLS.values()
    ]


def _review_answer(result: Review, draft: str | None) -> ReviewAnswer:
    findings = [
        FoundPlace(**{name: getattr(finding, name) for name in FoundPlace.model_fields})
        for finding in result.open_findings
    ]
    claims = [
        ClaimToConfirm(id=c.id, text=c.text, round=c.round.value, status=c.status, where_to_look=c.source)
        for c in result.claims
    ]
    return ReviewAnswer(
        path=result.path,
        status=result.status,
        verdict=result.verdict.value if result.verdict else result.status.upper(),
        findings=findings,
        claims=claims,
        notes=list(result.notes),
        draft=draft,
        next=_ASK if any(claim.status == "pending" for claim in claims) else "Nothing awaits a person.",
    )


def _recorded(entry: Mapping[str, Any]) -> ClaimToConfirm:
    return ClaimToConfirm(
        id=str(entry.get("id", "")),
        text=str(entry.get("text", "")),
        round="A" if entry.get("round") == "A" else "B",
        status="verified" if str(entry.get("confirmed-by") or "").strip() else "pending",
        where_to_look=str(entry.get("source", "")),
    )
