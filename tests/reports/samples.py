"""Reviews to report on: real ones of small documents, and made-up ones that are nasty."""

from __future__ import annotations

from datetime import date

from cg_review import review
from cg_review.findings import Severity
from cg_review.results import Related, Review, ReviewFinding, Tool

TODAY = date(2026, 11, 30)
TOOL = Tool(version="0.1.0", rules="0" * 64, model="embedded")

TEXT = """# Plan

Revenue will be $9M by 2027. Our platform is the fastest on the market.

<!-- cg-review: ignore 9 reason="our own price list" -->
Prices start at $4 per month.

| Region | Users |
|---|---|
| North | 120 |

Sales will triple to $40M
by 2028.
"""


def real(name: str = "docs/a b.md", text: str = TEXT) -> Review:
    """The embedded reviewer's review of a document."""
    return review(text, name=name, today=TODAY)


def failed(name: str = "bad.md") -> Review:
    """A document that could not be read."""
    return Review(path=name, status="failed", verdict=None, notes=(f"{name}: not UTF-8, <b>&",), tool=TOOL)


def finding(
    number: int, severity: Severity = Severity.WARNING, quote: str = "words", **more: object
) -> ReviewFinding:
    """A finding in line `number`."""
    point = {"CRITICAL": 2, "WARNING": 3, "TEMPORAL": 8, "VERIFIABLE": 9}[severity.value]
    values = {
        "id": f"finding-{number:012x}", "points": (point,), "severity": severity, "quote": quote, "line": number,
        "column": 1, "start": 0, "end": len(quote), "related": (), "reason": f"reason {number}", "fix": "", "kind": "",
        "confidence": 1.0, "detected_by": ("embedded",), "claim": None, "suppressed": None,
    }  # fmt: skip
    return ReviewFinding.model_validate({**values, **more})


def made(path: str, *findings: ReviewFinding, text: str | None = None) -> Review:
    """A complete review with these findings."""
    return Review(path=path, status="complete", verdict=None, findings=findings, text=text, tool=TOOL)


NASTY = "</script><script>alert(1)</script> ]]> <![CDATA[ & \" ' \x00\x1b[2J \u202egnp.exe \ud800 ::error:: %0A\r\nnext"


def nasty() -> Review:
    """A review whose every text tries to break out of its format."""
    other = (Related(quote=NASTY, line=2, column=1),)
    one = finding(1, quote=NASTY, reason=NASTY, fix=NASTY, related=other, kind=NASTY)
    silenced = finding(2, quote=NASTY, suppressed=NASTY)
    review = made("a,b:c%</h2><script>.md", one, silenced, text=NASTY)
    return review.model_copy(update={"notes": (NASTY,)})
