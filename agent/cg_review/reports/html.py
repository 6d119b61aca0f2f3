"""One self-contained page: every document with its findings marked, filters, the two rounds; it can be printed.

The page loads nothing and runs only its own script: its policy names that script by hash, so that nothing in a document
could run even if it were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from cg_review.findings import Round, Severity
from cg_review.reports import Conflicts
from cg_review.reports.places import fix_label, points_by_id, table_told, title, worst_first
from cg_review.results import Conflict, Review, ReviewClaim, ReviewFinding, Tool

_HERE = Path(__file__).parent
# Controls, and what reorders text: the page shows what a document's source says, not what it pretends to say.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def parts(
    reviews: Iterable[Review], tool: Tool, color: bool = False, conflicts: Conflicts | None = None
) -> Iterator[str]:
    """The page: its head with the filters, a section a document, what they tell differently, its end."""
    yield _head(tool)
    anchors: dict[str, str] = {}
    for number, review in enumerate(reviews):
        anchors[review.path] = f"d{number}"
        yield "".join(_document(review, anchors[review.path]))
    found = conflicts() if conflicts else ()
    if found:
        yield "".join(_conflicts(found, anchors))
    yield f"</main>\n<script>{_asset('page.js')}</script>\n</body>\n</html>\n"


@lru_cache(maxsize=2)
def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _head(tool: Tool) -> str:
    digest = base64.b64encode(hashlib.sha256(_asset("page.js").encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    severities = "".join(_box("severity", one.value, one.value.capitalize()) for one in Severity)
    points = "".join(
        _box("point", str(point.id), f"{point.id} {point.title}") for point in points_by_id().values()
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clarity Gate review</title>
<style>
{_asset("page.css")}</style>
</head>
<body>
<header>
<h1>Clarity Gate review</h1>
<fieldset>{severities}</fieldset>
<a id="to-across" class="meta" href="#across" hidden>Documents disagree</a>
<details><summary class="meta">Points · <span id="shown"></span> · cg-review {_safe(tool.version)},
 {_safe(tool.model)}, rules {_safe(tool.rules[:12])}</summary><fieldset>{points}</fieldset></details>
</header>
<main>
"""


def _box(kind: str, value: str, words: str) -> str:
    return f'<label><input type="checkbox" checked data-{kind}="{_safe(value)}"> {_safe(words)}</label>'


def _document(review: Review, anchor: str) -> Iterator[str]:
    verdict = review.verdict.value if review.verdict else review.status.upper()
    findings = worst_first(review.findings)
    counts = ", ".join(
        f"{n} {one.value.lower()}"
        for one in Severity
        if (n := sum(f.severity is one for f in review.open_findings))
    )
    yield f'<details class="document" id="{anchor}" open><summary><h2>{_safe(review.path)}</h2> <span class="verdict">'
    yield f'{_safe(verdict)}</span> <span class="meta">{counts or "no findings"}</span></summary>\n<div>\n'
    yield f'<p class="meta">{_state(review)}</p>\n'
    if review.notes:
        yield "<ul>" + "".join(f"<li>{_safe(note)}</li>" for note in review.notes) + "</ul>\n"
    yield '<div class="sides">\n'
    if review.text is not None:
        yield f'<pre class="text">{_marked(review.text, findings, anchor)}</pre>\n'
    yield '<ul class="cards">\n' + "".join(_card(f, anchor) for f in findings) + "</ul>\n</div>\n"
    for round_, words in (
        (Round.A, "Round A: did I read the source right?"),
        (Round.B, "Round B: is this true?"),
    ):
        claims = [claim for claim in review.claims if claim.round is round_]
        if claims:
            yield f"<h3>{words}</h3>\n{_claims(claims)}"
    yield "</div>\n</details>\n"


def _conflicts(conflicts: Sequence[Conflict], anchors: Mapping[str, str]) -> Iterator[str]:
    yield '<details class="document" id="across" open><summary><h2>Documents disagree</h2> '
    yield f'<span class="meta">{len(conflicts)}</span></summary>\n<div>\n<table><thead><tr><th>About</th><th>Told</th>'
    yield "<th>Where</th></tr></thead><tbody>\n"
    for conflict in conflicts:
        subject = f'<td rowspan="{len(conflict.places)}">{_safe(conflict.subject)}</td>'
        for place in conflict.places:
            where = f'<a href="#{anchors[place.path]}">{_safe(place.path)}</a>, line {place.line}: <q>{_safe(place.quote)}</q>'
            yield f"<tr>{subject}<td>{_safe(place.value)}</td><td>{where}</td></tr>\n"
            subject = ""
    yield "</tbody></table>\n</div>\n</details>\n"


def _state(review: Review) -> str:
    parts = [
        f"points passed: {review.points_passed or 'none'}",
        f"{review.clarity_status} | {review.hitl_status}",
    ]
    if review.cgd:
        parts.append(review.cgd)
    return " · ".join(map(_safe, parts))


def _marked(text: str, findings: Sequence[ReviewFinding], anchor: str) -> str:
    """The text, cut wherever a finding starts or ends; a piece carries all findings over it, and the gravest's color."""
    cuts = sorted({0, len(text), *(p for f in findings for p in (f.start, f.end))})
    pieces = []
    for start, end in zip(cuts, cuts[1:], strict=False):  # noqa: RUF007
        over = [f for f in findings if f.start <= start and end <= f.end]
        words = _safe(text[start:end])
        if over:
            ids = " ".join(_id(f, anchor) for f in over)
            words = f'<mark class="{over[0].severity.value}" data-cards="{ids}">{words}</mark>'
        pieces.append(words)
    return "".join(pieces)


def _card(finding: ReviewFinding, anchor: str) -> str:
    silenced = finding.suppressed is not None
    lines = [
        f'<p><span class="tag">{finding.severity.value}</span> {_safe(title(finding))} · '
        f'<a href="#" data-mark="{_id(finding, anchor)}">line {finding.line}</a></p>',
        f"<p><q>{_safe(finding.quote)}</q></p>",
        f"<p>{_safe(finding.reason)}</p>",
    ]
    lines += [
        f"<p>See {table_told(one) or f'line {one.line}: <q>{_safe(one.quote)}</q>'}</p>"
        for one in finding.related
    ]
    if finding.fix:
        words = _safe(finding.fix)
        paste = f'<code class="paste">{words}</code>' if finding.fix_place else words
        lines.append(f"<p><b>{fix_label(finding)}:</b> {paste}</p>")
    if silenced:
        lines.append(f"<p><b>Silenced by the author:</b> {_safe(finding.suppressed or '')}</p>")
    by = f'<p class="meta">{_safe(finding.id)}, by {_safe(", ".join(finding.detected_by))}</p>'
    css = f"card {finding.severity.value}{' silenced' if silenced else ''}"
    data = f'data-severity="{finding.severity.value}" data-points="{" ".join(map(str, finding.points))}"'
    return f'<li class="{css}" id="{_id(finding, anchor)}" {data}>{"".join(lines)}{by}</li>\n'


def _claims(claims: Sequence[ReviewClaim]) -> str:
    heads = "".join(f"<th>{head}</th>" for head in ("#", "Claim", "Why", "Where to look", "Status"))
    rows = "".join(
        f"<tr><td>{number}</td><td>{_safe(claim.text)}<br><code>{_safe(claim.id)}</code></td><td>{_safe(claim.why)}</td>"
        f"<td>{_safe(claim.source)}</td><td>{claim.status}</td></tr>\n"
        for number, claim in enumerate(claims, 1)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table>\n"


def _id(finding: ReviewFinding, anchor: str) -> str:
    return f"{anchor}-{_safe(finding.id)}"


def _safe(text: str) -> str:
    return escape(_UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text))
