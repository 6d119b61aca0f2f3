"""The report of the seed ("Output Format"), section for section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cg_review.cgd.record import inert
from cg_review.cgd.tables import escape_cell
from cg_review.findings import Round, Severity
from cg_review.lines import as_lines, one_line
from cg_review.reports import Conflicts
from cg_review.reports.places import fix_label
from cg_review.results import Conflict, Review, ReviewClaim, ReviewFinding, Tool

_SECTIONS = (
    (Severity.CRITICAL, "Critical (will cause hallucination)"),
    (Severity.WARNING, "Warning (could cause equivocation)"),
    (Severity.TEMPORAL, "Temporal (date/time issues)"),
)

_BACKTICKS = re.compile(r"`+")


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """All reviews, one after the other, an empty line between."""
    for number, review in enumerate(reviews):
        yield ("\n" if number else "") + _document(review)
    found = conflicts() if conflicts else ()
    if found:
        yield "\n## Contradictions Between Documents\n\n" + "".join(map(_conflict, found))


def _document(review: Review) -> str:
    findings = review.open_findings
    lines = [
        "## Clarity Gate Results",
        "",
        f"**Document:** {_text(review.path)}",
        f"**Issues Found:** {len(findings)}",
        "",
    ]
    for severity, title in _SECTIONS:
        lines += [f"### {title}", *_listed([f for f in findings if f.severity is severity]), ""]
    lines += ["### Externally Verifiable Claims", *_verifiable(review), ""]
    if review.notes or review.unanchored:
        lines += ["### Notes", *(f"- {_text(note)}" for note in review.notes)]
        lines += [
            f"- unanchored (point {one.point}): “{_text(one.quote)}”: {_text(one.why)}"
            for one in review.unanchored
        ]
        lines += [""]
    lines += ["---", "", "## Round A: Derived Data Confirmation", "", *_round_a(review), ""]
    lines += ["---", "", "## Round B: HITL Verification Required", "", *_round_b(review), ""]
    produced = f"Written to `{review.cgd}`." if review.cgd else "None was written."
    lines += ["---", "", f"**Would you like me to produce an annotated CGD version?** {produced}", ""]
    verdict = review.verdict.value if review.verdict else review.status.upper()
    return "\n".join([*lines, "---", "", f"**Verdict:** {verdict}", ""])


def _conflict(conflict: Conflict) -> str:
    places = [
        f"  - {_text(p.path)}, line {p.line}: {_text(p.value)} (“{_text(p.quote)}”)" for p in conflict.places
    ]
    return "\n".join([f"- **{_text(conflict.subject)}**", *places, ""])


def _listed(findings: Sequence[ReviewFinding]) -> list[str]:
    return [
        f"- “{_text(f.quote)}” (line {f.line}, point {', '.join(map(str, f.points))}): {_text(f.reason)} **{fix_label(f)}:** {_fix(f)}"
        for f in findings
    ] or ["None."]


def _fix(finding: ReviewFinding) -> str:
    """A text to paste as code, so that its own Markdown stands as it is written."""
    if not finding.fix_place:
        return _text(finding.fix)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(finding.fix)), default=0))
    if "\n" in finding.fix or finding.fix.startswith((" ", "\t")):  # a code span would fold it
        block = "`" * max(3, len(fence))
        return "".join(f"\n  {line}" for line in ["", block, *as_lines(finding.fix), block])
    inside = one_line(finding.fix, 1000)
    blank = " " if inside.startswith(("`", " ")) or inside.endswith(("`", " ")) else ""
    return f"{fence}{blank}{inside}{blank}{fence}"


def _verifiable(review: Review) -> list[str]:
    rows = [finding for finding in review.open_findings if 9 in finding.points]
    if not rows:
        return ["None."]
    sources = {claim.id: claim.source for claim in review.claims}
    lines = ["| # | Claim | Type | Suggested Verification |", "|---|-------|------|------------------------|"]
    for number, finding in enumerate(rows, 1):
        kind = finding.kind.replace("_", " ").capitalize() or "Fact"
        where = sources.get(finding.claim or "", finding.fix)
        lines.append(f"| {number} | {_cell(finding.quote)} | {_cell(kind)} | {_cell(where)} |")
    return lines


def _round_a(review: Review) -> list[str]:
    claims = _pending(review, Round.A)
    if not claims:
        return ["None."]
    return [
        *(f"- {_text(c.text)} ({_text(c.source)})" for c in claims),
        "",
        'Reply "confirmed" or flag any I misread.',
    ]


def _round_b(review: Review) -> list[str]:
    claims = _pending(review, Round.B)
    if not claims:
        return ["None."]
    head = [
        "| # | Claim | Why HITL Needed | Human Confirms |",
        "|---|-------|-----------------|----------------|",
    ]
    rows = [
        f"| {n} | {_cell(c.text)} | {_cell(c.why)} | [ ] True / [ ] False |" for n, c in enumerate(claims, 1)
    ]
    return head + rows


def _pending(review: Review, round_: Round) -> list[ReviewClaim]:
    return [claim for claim in review.claims if claim.round is round_ and claim.status == "pending"]


def _text(text: str) -> str:
    return inert(one_line(text, 500))


def _cell(text: str) -> str:
    return escape_cell(_text(text))
