"""Documents and answers that the tests of `hitl` share."""

from __future__ import annotations

import difflib
from datetime import UTC, date, datetime
from typing import Any

from cg_review import review
from cg_review.findings import RawFinding
from cg_review.hitl.answering import Answered, answer
from cg_review.hitl.answers import Answer
from cg_review.hitl.case import Case, read_case
from cg_review.reviewers import FakeReviewer, Found

TODAY = date(2026, 6, 15)
NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)

PLAN = """\
# Product plan

Our plan for the year. Status: draft, pre-launch.

## Growth

Revenue will be $50M by Q4. Users prefer our engine over every competitor.
The system processes 10,000 requests per second.

## Pricing

- The base plan costs $99/mo.
- Competitor X charges $120/mo.

| Tier | Uptime |
|---|---|
| Basic | 99.95% |
| Pro | 99.99% |
"""


def drafted(source: str = PLAN, name: str = "plan.md", **options: Any) -> str:
    """The CGD drafted from `source`."""
    text = review(source, name=name, today=TODAY, **options).cgd_text
    assert text is not None
    return text


def found_by(source: str, findings: dict[int, list[RawFinding]]) -> str:
    """The CGD drafted from what a scripted reviewer finds, by point."""
    results = [Found(point, tuple(findings.get(point, ()))) for point in range(1, 10)]
    return drafted(source, reviewer=FakeReviewer(results))


def case_of(text: str, name: str = "plan.cgd.md") -> Case:
    return read_case(text, name)


def body_of(text: str) -> str:
    """The body without any mark: what the author wrote."""
    origin = case_of(text).origin
    return origin.body.of(origin.source).strip()


def claim_id(text: str, words: str) -> str:
    """The id of the one claim that holds `words`."""
    ids = [placed.claim.id for placed in case_of(text).claims if words in placed.claim.text]
    assert len(ids) == 1, (words, ids)
    return ids[0]


def say(text: str, words: str, response: str, **fields: Any) -> Answer:
    """An answer of Maria Lopez to the claim that holds `words`."""
    return Answer(claim=claim_id(text, words), response=response, by="Maria Lopez", when=NOON, **fields)


def give(text: str, *answers: Answer) -> Answered:
    return answer(text, answers, name="plan.cgd.md", today=TODAY)


def all_true(text: str, **fields: Any) -> str:
    """The document after every pending claim was answered as true."""
    answers = [
        Answer(claim=placed.claim.id, response="true", by="Maria Lopez", when=NOON, **fields)
        for placed in case_of(text).pending
    ]
    return give(text, *answers).text


def reviewed_again(text: str) -> Any:
    """The review of an answered document."""
    return review(text.encode(), name="plan.cgd.md", today=TODAY)


def changed_lines(before: str, after: str) -> list[str]:
    """The lines that went and came, each with its sign."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]
