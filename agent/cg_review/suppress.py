"""Suppression comments: `<!-- cg-review: ignore 2,9 reason="…" -->` (DESIGN, "Findings, rounds, claims").

On lines of its own the comment covers the block that follows: a paragraph, a heading, a table, a whole list. At the end
of a line it covers the sentences, the heading or the table row on that line. Without points it covers all nine. A
reason is required; a comment that is wrong covers nothing and says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from cg_review.document import Comment, Document, Segment, Span

_COMMENT = re.compile(r"cg-review\s*:\s*(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_IGNORE = re.compile(
    r"""ignore(?![\w-])(?P<points>[\s\d,–-]*)(?:reason\s*=\s*(?P<reason>"[^"]*"|'[^']*'|“[^”]*”))?\s*""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. `points` are 1 to 9, none for all; `segments` are the numbers of those it covers.

    `problem` says why it silences nothing; None where it is in order.
    """

    points: tuple[int, ...]
    reason: str
    segments: frozenset[int]
    span: Span
    problem: str | None = None

    def silences(self, point: int, segment: int) -> bool:
        """Whether a finding of `point` on `segment` is silenced."""
        return self.problem is None and segment in self.segments and (not self.points or point in self.points)


def suppressions(document: Document) -> tuple[Suppression, ...]:
    """The suppression comments of a document, in order; other comments are none of ours."""
    found = []
    for comment in document.comments:
        match = _COMMENT.fullmatch(comment.text)
        if match:
            found.append(_read(document, comment, match["rest"].strip()))
    return tuple(found)


def unused(found: Iterable[Suppression], findings: Iterable[tuple[int, int]]) -> tuple[Suppression, ...]:
    """Those that are in order and silence none of `findings`, given as (point, segment number)."""
    points_of: dict[int, set[int]] = {}
    for point, segment in findings:
        points_of.setdefault(segment, set()).add(point)
    return tuple(
        one
        for one in found
        if one.problem is None
        and not any(
            one.silences(point, segment) for segment in one.segments for point in points_of.get(segment, ())
        )
    )


def _read(document: Document, comment: Comment, rest: str) -> Suppression:
    match = _IGNORE.fullmatch(rest)
    if match is None:
        return _wrong(comment, 'expected: ignore, points such as 2,9 (or none for all), reason="…"')
    reason = (match["reason"] or "")[1:-1].strip()
    try:
        points = _points(match["points"])
    except ValueError:
        return _wrong(comment, f"points are 1 to 9, such as 2,9 or 1-4, not {match['points'].strip()!r}")
    if not reason:
        return _wrong(comment, 'a reason is required: reason="…"')
    segments = _next_block(document, comment) if comment.block else _same_line(document, comment)
    if not segments:
        return _wrong(comment, "there is no text on its line or below it")
    return Suppression(points, reason, frozenset(s.number for s in segments), comment.span)


def _wrong(comment: Comment, problem: str) -> Suppression:
    return Suppression((), "", frozenset(), comment.span, problem)


def _points(written: str) -> tuple[int, ...]:
    """Points from "2,9" or "1-4, 7". Raises ValueError when they are not 1 to 9."""
    points: set[int] = set()
    for part in written.replace("–", "-").replace(",", " ").replace(" - ", "-").split():
        first, _, last = part.partition("-")
        points.update(range(int(first), int(last or first) + 1))
    if not points <= set(range(1, 10)) or ("-" in written and not points):
        raise ValueError(written)
    return tuple(sorted(points))


def _next_block(document: Document, comment: Comment) -> list[Segment]:
    after = [s for s in document.segments if s.span.start >= comment.span.end]
    if not after:
        return []
    first = after[0]
    if not first.list_depth:
        return [s for s in after if s.block == first.block]
    end = next((i for i, s in enumerate(after) if not s.list_depth or s.section != first.section), len(after))
    return after[:end]


def _same_line(document: Document, comment: Comment) -> list[Segment]:
    line, _ = document.position(comment.span.start)
    starts = document._line_starts
    on_line = Span(starts[line - 1], comment.span.start)
    return [
        s
        for s in document.segments
        if s.span.overlaps(on_line)
        and not (s.table is not None and s.row is None and _is_below_header(document, s, line))
    ]


def _is_below_header(document: Document, table: Segment, line: int) -> bool:
    """Whether the line is one of a table's rows: the comment then covers the row and not the table."""
    return document.position(table.span.start)[0] != line
