"""Advice for whoever cuts a document into chunks: which sections the others lean on (the format's RFC-002).

It is advice, no verdict: it changes neither status nor ingestability. The RFC finds references by "see §3.2" only; this
also reads "section 3.2" and links to headings, and other ways to say "see". English only, as there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cg_review.cgd.headings import Heading, comment_spans, find_headings
from cg_review.cgd.layout import Layout
from cg_review.cgd.record import find_record

ADVISABLE_ABOVE = 0.10  # share of orphan references (RFC-002 3.3)
WARN_ABOVE = 0.30  # W-CC02 (RFC-002 3.4)
CENTRAL_FROM = 5  # other sections that refer to one

_REFERENCE = re.compile(  # each way begins with a sign, which is found fast
    r"[§Ss\]](?:(?<=§)\s?(\d+(?:\.\d+)*)|(?<=[Ss])(?<!\w.)ections?\s+(\d+(?:\.\d+)*)|(?<=\])\(#([\w-]+)\))"
)
_SEE = re.compile(
    r"\b(?:see|see also|refer to|as (?:defined|described|specified|listed|set out) in|defined in|listed in|per|according to)\b"
    r"[^.§]{0,40}$",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"[$€£]\s?\d|\d\s?%|\d\s?(?:percent|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[KMGT]i?B|cores?|users?|EUR|USD)\b"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n\s*\n|\n(?=\s*(?:[-*+|>#]|\d+[.)]))")
_CENTRAL_TITLE = re.compile(
    r"\b(?:glossary|definitions?|terms|terminology|abbreviations|parameters)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\b")
_TABLE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|", re.MULTILINE)


class ChunkAdvice(NamedTuple):
    """`advice` and the headings whose text chunks should carry along; the counts it rests on."""

    advice: Literal["advisable", "optional"]
    sections: tuple[str, ...]
    references: int
    orphans: int

    @property
    def orphan_share(self) -> float:
        """The share of references that say "see there" and no value; 0.0 where there are none."""
        return self.orphans / self.references if self.references else 0.0


def chunk_advice(layout: Layout) -> ChunkAdvice:
    """Read the body, without its record, its fences and its comments."""
    record = find_record(layout)
    end = record.span.start if record else layout.body.end
    headings = find_headings(layout, end)
    text = _without(layout, end)
    starts = [heading.start for heading in headings]
    referring: dict[int, set[int]] = defaultdict(set)  # a section, and those that refer to it
    leant_on: set[int] = set()  # sections that orphans point at
    references = orphans = 0
    by_name = _by_name(headings)
    for match in _REFERENCE.finditer(text):
        here = bisect_right(starts, match.start()) - 1
        if here >= 0 and match.start() < headings[here].end:
            continue  # a heading's own number
        references += 1
        orphan, target = _is_orphan(text, match), by_name.get(match[1] or match[2] or f"#{match[3]}")
        orphans += orphan
        if orphan and target is not None:
            leant_on.add(target)
        if target is not None and target != here:
            referring[target].add(here)
    central = tuple(_line(headings[index]) for index in _central(text, headings, referring, end))
    if not central and not (references and orphans / references > ADVISABLE_ABOVE):
        return ChunkAdvice("optional", (), references, orphans)
    sections = central or tuple(_line(headings[index]) for index in sorted(leant_on))
    return ChunkAdvice("advisable", sections, references, orphans)


def _without(layout: Layout, end: int) -> str:
    """The body with blanks for what is no text, so that places stay."""
    pieces, at = [" " * layout.body.start], layout.body.start
    for start, stop in sorted([*layout.fences.spans, *comment_spans(layout, end)]):
        start, stop = max(start, at), min(stop, end)
        if start < stop:
            pieces += [layout.text[at:start], " " * (stop - start)]
            at = stop
    return "".join([*pieces, layout.text[at:end]]) if at < end else "".join(pieces)


def _is_orphan(text: str, match: re.Match[str]) -> bool:
    before = [
        0,
        *(
            found.end()
            for found in _SENTENCE_END.finditer(text, max(0, match.start() - 1_000), match.start())
        ),
    ]
    after = _SENTENCE_END.search(text, match.end())
    sentence = text[max(before[-1], match.start() - 1_000) : after.start() if after else len(text)]
    lead = text[max(before[-1], match.start() - 80) : match.start()]
    return bool(_SEE.search(lead)) and not _VALUE.search(sentence)


def _by_name(headings: list[Heading]) -> dict[str, int]:
    """The headings by their number and by their slug (`#like-this`); the first of a name."""
    named: dict[str, int] = {}
    for index, heading in enumerate(headings):
        own = _NUMBER.match(heading.title)
        if own:
            named.setdefault(own[1], index)
        named.setdefault(f"#{_slug(heading.title)}", index)
    return named


def _central(text: str, headings: list[Heading], referring: dict[int, set[int]], end: int) -> Iterator[int]:
    for index, heading in enumerate(headings):
        stop = headings[index + 1].start if index + 1 < len(headings) else end
        named = heading.level > 1 and _CENTRAL_TITLE.search(heading.title)
        table = referring[index] and _TABLE.search(text, heading.end, stop)
        if named or table or len(referring[index]) >= CENTRAL_FROM:
            yield index


def _line(heading: Heading) -> str:
    return f"{'#' * heading.level} {heading.title}"


def _slug(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
