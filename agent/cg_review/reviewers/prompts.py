"""Prompts, rendered from `prompts/`: one prefix for all passes over a part, then the point's question.

The document is data: it is handed to the templates as values and never as a template, every segment is one line that
begins with our number, and what a person would not see (comments, characters without width) is not shown.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from cg_review import resources
from cg_review.document import Document, Segment, SegmentKind
from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.points import Example, Point
from cg_review.reviewers.answers import schema_text
from cg_review.reviewers.injection import INVISIBLE
from cg_review.reviewers.parts import Part

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_EXAMPLES, _EXAMPLE_LENGTH = 6, 240
_KINDS = {
    SegmentKind.SENTENCE: "",
    SegmentKind.LIST_ITEM: "item",
    SegmentKind.HEADING: "heading",
    SegmentKind.TABLE: "table",
    SegmentKind.ROW: "row",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request. `system` and `document` are byte-identical for all passes over a part."""

    system: str
    document: str
    question: str

    @property
    def tokens(self) -> int:
        """An estimate of its length."""
        return self.prefix_tokens + count_tokens(self.question)

    @property
    def prefix_tokens(self) -> int:
        """An estimate of the length of what all passes share."""
        return count_tokens(self.system) + count_tokens(self.document)


def count_tokens(text: str) -> int:
    """Tokens of `text`, estimated on the high side for English (a token is about four of its bytes)."""
    return -(-len(text.encode()) * 2 // 7)


class Prompts:
    """The templates in force. A file in an overlay folder replaces the shipped one of that name."""

    def __init__(self, overlays: Sequence[Path] = ()) -> None:
        self._overlays = tuple(overlays)
        self._environment = Environment(
            loader=FunctionLoader(self._source),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )
        self._environment.filters.update(fold=fold, quoted=_quoted, short=_short, paragraphs=_paragraphs)

    def _source(self, name: str) -> str:
        return resources.find("prompts", name, self._overlays).read_text(encoding="utf-8")

    def _render(self, name: str, **values: Any) -> str:
        return self._environment.get_template(name).render(**values).strip() + "\n"

    def names(self) -> list[str]:
        """All templates, as paths below `prompts/`."""
        return [
            name.removeprefix("./")
            for folder in (".", "points")
            for name in resources.names("prompts", folder, ".j2", self._overlays)
        ]

    @property
    def hash(self) -> str:
        """SHA-256 over names and texts of all templates: a result can be traced to them."""
        digest = hashlib.sha256()
        for name in self.names():
            digest.update(f"{name}\0{self._source(name)}\0".encode())
        return digest.hexdigest()

    def system(self) -> str:
        """The first part of the shared prefix."""
        return self._render("system.j2")

    def document(self, part: Part) -> str:
        """The second part of the shared prefix: a part of the document as numbered lines between its delimiters."""
        lines = list(_lines(part))
        return self._render(
            "document.j2",
            token=delimiter(part, lines),
            lines=lines,
            dates=[(key, fold(value)) for key, value, _ in part.document.dates],
            number=part.number,
            of=part.of,
            ledger=part.ledger,
            outline=[_shown(line, fold_it=False) for line in part.outline],
            context=[_shown(line) for line in part.context],
        )

    def question(self, point: Point, today: date) -> str:
        """A point's question; only point 8's mentions `today`, so that a new day keeps the others' cached answers."""
        found = [name for name in self.names() if name.startswith(f"points/{point.id}-")]
        if len(found) != 1:
            raise InputError(f"prompts/points: expected one template for point {point.id}, found {found}")
        values = {"today": today} if point.id == 8 else {}
        return re.sub(r"\n{3,}", "\n\n", self._render(found[0], point=point, **values))

    def passes(self, part: Part, points: Sequence[Point], today: date) -> dict[int, Prompt]:
        """The requests for `points` over one part, by point."""
        system, document = self.system(), self.document(part)
        return {point.id: Prompt(system, document, self.question(point, today)) for point in points}

    def reask(self, part: Part, findings: Sequence[RawFinding]) -> str:
        """The question that follows quotes which are not in their segments."""
        items = []
        for finding in findings:
            local = part.local_number(finding.segment)
            text = shown_text(part.document, part.segments[local - 1]) if local else None
            items.append({"segment": local, "quote": finding.quote, "text": text})
        return self._render("reask.j2", items=items)

    def second_look(self, part: Part, candidates: Sequence[RawFinding], points: Sequence[Point]) -> str:
        """The question that has every candidate looked at again; numbers are the part's."""
        by_id = {point.id: point for point in points}
        shown = [
            {
                "point": by_id[candidate.point],
                "segment": part.local_number(candidate.segment),
                "quote": candidate.quote,
                "reason": candidate.reason,
                "related": [
                    {"segment": part.local_number(other.segment), "quote": other.quote}
                    for other in candidate.related
                    if part.local_number(other.segment)
                ],
            }
            for candidate in candidates
        ]
        used = {candidate.point for candidate in candidates}
        return self._render(
            "adjudicate.j2", candidates=shown, points=[point for point in points if point.id in used]
        )

    def chat(self, prompt: Prompt) -> str:
        """A request as one text, for a chat window."""
        return self._render(
            "chat.j2",
            system=prompt.system,
            document=prompt.document,
            question=prompt.question,
            schema=schema_text(),
        )


@lru_cache(maxsize=8)
def load_prompts(overlays: tuple[Path, ...] = ()) -> Prompts:
    """The templates in force, loaded once."""
    return Prompts(overlays)


def delimiter(part: Part, lines: Sequence[str]) -> str:
    """A code computed from what stands between the delimiters, which therefore cannot contain it."""
    text = "\n".join([*lines, *part.outline, *part.context])
    token = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    while token in text:
        token = hashlib.sha256(token.encode()).hexdigest()[:16]
    return token


def shown_text(document: Document, segment: Segment) -> str:
    """A segment as one line of Markdown: as written, without what a person would not see."""
    if segment.kind is SegmentKind.TABLE and segment.table is not None:
        return _shown(" | ".join(cell.text for cell in document.tables[segment.table].header))
    if segment.kind is SegmentKind.ROW:
        return _shown(segment.span.of(document.text))
    return _shown(segment.text)


def segment_tokens(document: Document, segment: Segment) -> int:
    """An estimate of what showing a segment costs, its number and section line included."""
    heading = 12 if segment.kind is SegmentKind.HEADING else 0
    return count_tokens(shown_text(document, segment)) + heading + 4


def fold(text: str) -> str:
    """`text` on one line."""
    return " ".join(text.split())


def _lines(part: Part) -> Iterator[str]:
    section, one_title = 0, [s.level for s in part.document.sections[1:]].count(1) == 1
    for local, segment in enumerate(part.segments, start=1):
        if segment.section != section:
            section = segment.section
            path = _section_path(part.document, section, one_title)
            if len(path) > 1 or segment.kind is not SegmentKind.HEADING:
                yield f"== {' › '.join(path)}"
        yield f"[{' '.join([f's{local}', *_label(segment)])}] {shown_text(part.document, segment)}"


def _section_path(document: Document, index: int, one_title: bool) -> list[str]:
    """Titles above and of a section; a title that stands above the whole document says nothing about a place in it."""
    path = [_shown(section.title) for section in document.section_path(index)]
    return path[1:] if one_title and len(path) > 1 else path


def _label(segment: Segment) -> list[str]:
    if segment.footnote is not None:
        return ["note", re.sub(r"[^\w.-]", "", segment.footnote)]
    return [word for word in ("quote" if segment.quoted else "", _KINDS[segment.kind]) if word]


def _shown(text: str, fold_it: bool = True) -> str:
    visible = INVISIBLE.sub("", _COMMENT.sub("", text)).encode("utf-8", "replace").decode()
    return fold(visible) if fold_it else visible.replace("\n", " ").rstrip()


def _quoted(text: str) -> str:
    """`text` as a JSON string: one line, with a beginning and an end."""
    return json.dumps(text, ensure_ascii=False)


def _short(examples: Sequence[Example]) -> list[Example]:
    """The first few examples that read well on one line; rule files have many, for tests."""
    readable = [e for e in examples if len(e.text) <= _EXAMPLE_LENGTH and "|" not in e.text]
    return readable[:_EXAMPLES]


def _paragraphs(text: str) -> str:
    """An example on one line; dots stand between its paragraphs."""
    return fold(re.sub(r"\n\s*\n", " … ", text.strip()))
