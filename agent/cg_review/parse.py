"""Markdown to `Document`: blocks from markdown-it-py, inline structure from `inline`, sentences from `sentences`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from cg_review.cgd.ids import Slugger
from cg_review.document import (
    Cell,
    Comment,
    Document,
    Link,
    Section,
    Segment,
    SegmentKind,
    Span,
    Table,
    line_starts,
)
from cg_review.inline import OPAQUE, Inline, InlineParser, Inlines, build_markdown, counting
from cg_review.sentences import sentence_ranges
from cg_review.table_cells import read_rows
from cg_review.toml_frontmatter import find_toml, toml_dates

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_PRINTED = re.compile(r"[^\r\n]")
_STOPS = ".!?:;…。"
_CODE_TOKENS = {"fence", "code_block", "html_block", "math_block", "math_block_label"}


def parse(
    text: str,
    body: Span | None = None,
    excluded: Sequence[Span] = (),
    dates: Sequence[tuple[str, str, Span]] = (),
    split: bool = True,
    like: Document | None = None,
) -> Document:
    """Parse the `body` of `text` (all of it by default).

    `excluded` are spans of the text that are never prose (exclusion blocks); `dates` are the frontmatter's date stamps.
    Without `split` a paragraph is one segment, for those who look at the structure alone. `like` is a document of
    nearly the same text: what its blocks read as is taken over.
    """
    body = body or Span(0, len(text))
    known = like.inlines if like else Inlines()
    return _Builder(text, body, list(excluded), tuple(dates), split, known).build()


def parse_part(text: str, part: Span, like: Document) -> Document:
    """The structure of a `part` of `text`, read as a body of its own, with the link references of `like`."""
    return _Builder(text, part, [], (), False, like.inlines, dict(like.inlines.references)).build()


@dataclass
class _Container:
    """Where the walk over the block tokens stands."""

    quotes: int = 0
    lists: list[bool] = field(default_factory=list)  # ordered?
    footnote: str | None = None


class _Builder:
    def __init__(
        self,
        text: str,
        body: Span,
        excluded: list[Span],
        dates: tuple[tuple[str, str, Span], ...],
        split: bool,
        known: Inlines,
        references: dict[str, object] | None = None,
    ) -> None:
        self.split = split
        self.text, self.body, self.excluded, self.dates = text, body, excluded, dates
        source = body.of(text)
        self.starts = [start + body.start for start in line_starts(source)]
        self.md = build_markdown()
        env: dict[str, object] = {"references": references} if references else {}
        self.toml = find_toml(text, body)
        if self.toml:
            self.dates += toml_dates(text, self.toml)
            blank = _PRINTED.sub(" ", self.toml.of(text))
            source = blank.join((text[body.start : self.toml.start], text[self.toml.end : body.end]))
        # NUL would be replaced by the parser, which changes nothing about offsets
        self.tokens = self.md.parse(re.sub(r"\r\n?", "\n", source), env)
        self.inline = InlineParser(self.md, env, known)
        self.slugger = Slugger()
        self.container = _Container()
        self.segments: list[Segment] = []
        self.sections = [Section(0, 0, "", "root", None, None)]
        self.tables: list[Table] = []
        self.comments: list[Comment] = []
        self.code: list[Span] = [*excluded, *([self.toml] if self.toml else [])]
        self.fences: list[Span] = []
        self.footnotes: dict[str, list[int]] = {}
        self.block = 0

    # -- lines -----------------------------------------------------------------------------------------------------

    def line(self, number: int) -> Span:
        """The span of the body's line `number` (0-based), without its end."""
        return Span(*self.line_range(number))

    def line_range(self, number: int) -> tuple[int, int]:
        """Where line `number` starts and ends."""
        if number >= len(self.starts):
            return self.body.end, self.body.end
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.body.end
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def lines(self, token_map: Sequence[int]) -> Span:
        """The span of lines [first, last) without the last one's end."""
        return Span(self.line(token_map[0]).start, self.line(max(token_map[0], token_map[1] - 1)).end)

    def is_excluded(self, span: Span) -> bool:
        return any(span.overlaps(other) for other in self.excluded)

    # -- blocks ----------------------------------------------------------------------------------------------------

    def build(self) -> Document:
        position = 0
        while position < len(self.tokens):
            position = self.visit(position)
        return Document(
            text=self.text,
            body=self.body,
            segments=tuple(self.segments),
            sections=tuple(self.sections),
            tables=tuple(self.tables),
            comments=tuple(sorted(self.comments, key=lambda comment: comment.span)),
            code=tuple(sorted(self.code)),
            fences=tuple(self.fences),
            excluded=tuple(self.excluded),
            footnotes={label: tuple(numbers) for label, numbers in self.footnotes.items()},
            dates=self.dates,
            inlines=self.inline.known,
        )

    def visit(self, position: int) -> int:
        """Take the token at `position`; return the position of the next one."""
        token = self.tokens[position]
        kind = token.type
        if kind == "table_open":
            return self.visit_table(position)
        if kind in _CODE_TOKENS and token.map:
            self.visit_code(token)
        elif kind == "inline" and token.map:
            opener = self.tokens[position - 1]
            if opener.type == "heading_open":
                self.visit_heading(token, opener)
            elif not (self.excluded and self.is_excluded(self.lines(token.map))):
                self.visit_paragraph(token)
        else:
            self.enter_or_leave(token)
        return position + 1

    def enter_or_leave(self, token: Token) -> None:
        container = self.container
        if token.type in {"blockquote_open", "blockquote_close"}:
            container.quotes += token.nesting
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            container.lists.append(token.type.startswith("ordered"))
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            container.lists.pop()
        elif token.type == "footnote_reference_open":
            container.footnote = str(token.meta.get("label", ""))
            self.footnotes.setdefault(container.footnote, [])
        elif token.type == "footnote_reference_close":
            container.footnote = None

    def visit_code(self, token: Token) -> None:
        assert token.map is not None
        span = self.lines(token.map)
        self.code.append(span)
        if token.type == "fence":
            self.fences.append(span)
        if token.type == "html_block":
            self.note_comments(span.start, span.of(self.text), block=True)

    def note_comments(self, start: int, html: str, block: bool) -> None:
        for match in _COMMENT.finditer(html):
            span = Span(start + match.start(), start + match.end())
            self.comments.append(Comment(span, match[1].strip(), block))

    def note_inline_comments(self, inline: Inline, offsets: Sequence[int]) -> None:
        for piece in inline.pieces:
            if piece.kind == "html":
                self.note_comments(offsets[piece.start], piece.detail, block=False)

    def visit_heading(self, token: Token, opener: Token) -> None:
        assert token.map is not None
        assert opener.map is not None
        offsets = self.content_offsets(token.content, token.map)
        inline = self.inline.parse(token.content)
        self.note_inline_comments(inline, offsets)
        level, title = int(opener.tag[1]), inline.with_code().strip()
        parent = next(i for i in range(len(self.sections) - 1, -1, -1) if self.sections[i].level < level)
        number = len(self.segments) + 1
        excluded = bool(self.excluded) and self.is_excluded(self.lines(opener.map))
        has_text = any(map(str.isalnum, inline.plain)) and not excluded
        section = Section(
            len(self.sections), level, title, self.slugger.slug(title), parent, number if has_text else None
        )
        self.sections.append(section)
        self.block += 1
        if has_text:
            last = len(inline.plain)
            insertion = self.line(opener.map[1] - 1).end
            places, prefix = self.places(inline, offsets), self.prefix(opener.map[0])
            self.add_segment(SegmentKind.HEADING, inline, offsets, places, (0, last), insertion, prefix)

    def visit_paragraph(self, token: Token) -> None:
        assert token.map is not None
        offsets = self.content_offsets(token.content, token.map)
        inline = self.inline.parse(token.content)
        self.note_inline_comments(inline, offsets)
        self.block += 1
        kind = SegmentKind.LIST_ITEM if self.container.lists else SegmentKind.SENTENCE
        whole = [(0, len(inline.plain))]
        prefix, places = self.prefix(token.map[0]), self.places(inline, offsets)
        for start, end in sentence_ranges(inline.plain) if self.split else whole:
            if any(map(str.isalnum, inline.plain[start:end])):
                self.add_segment(kind, inline, offsets, places, (start, end), None, prefix)

    def places(self, inline: Inline, offsets: array[int]) -> array[int]:
        """Where each plain character of a block stands in the text; nothing for those who look at the structure alone."""
        return inline.places(offsets) if self.split else array("I")

    def prefix(self, line: int) -> str:
        """What a new line in the same container as `line` starts with."""
        if not (self.container.quotes or self.container.lists or self.container.footnote):
            return ""
        match = re.match(
            r"(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]|\[\^[^\]]*\]:)(?=[ \t]|$|>))*[ \t]*",
            self.line(line).of(self.text),
        )
        return re.sub(r"[^> \t]", " ", match[0] if match else "")

    def content_offsets(self, content: str, token_map: Sequence[int]) -> array[int]:
        """For each character of a block's content, where it stands in the text; one more for its end."""
        offsets: array[int] = array("I")
        for number, part in enumerate(content.split("\n"), token_map[0]):
            line_start, line_end = self.line_range(number)
            source = self.text[line_start:line_end]
            stripped = part.strip(" \t")
            # container prefixes are on the left and closing marks of a heading on the right of the content
            at = source.rfind(stripped) if stripped else len(source)
            if at < 0:
                at = max(0, len(source) - len(part))
            lead = len(part) - len(part.lstrip(" \t")) if stripped else 0
            # a tab that a container used up in part comes back as blanks, which stand nowhere of their own
            first = line_start + at
            end = min(first + len(part) - lead, line_end)
            if lead:
                offsets.extend([max(line_start, first - lead + i) for i in range(lead)])
            offsets += counting(first, end + 1)
            if first + len(part) - lead > end:
                offsets.extend([end] * (len(part) - lead - (end - first)))
        return offsets

    # -- segments --------------------------------------------------------------------------------------------------

    def add_segment(
        self,
        kind: SegmentKind,
        inline: Inline,
        offsets: array[int],
        places: array[int],
        plain_range: tuple[int, int],
        insertion: int | None,
        prefix: str,
    ) -> None:
        start, end = plain_range
        plain = inline.plain[start:end]
        first = inline.opening(inline.offsets[start])
        last = inline.end_of(end - 1)
        close = inline.closing(last)
        if insertion is None:
            insertion = offsets[_insertion(inline, start, end, last, close)]
        pieces = inline.pieces_in(first, close)
        number = len(self.segments) + 1
        if self.container.footnote is not None:
            self.footnotes[self.container.footnote].append(number)
        self.segments.append(
            Segment(
                number=number,
                kind=kind,
                span=Span(offsets[first], offsets[close]),
                text=" ".join(inline.content[first:close].split()),
                plain=plain,
                plain_offsets=places[start:end],
                section=len(self.sections) - 1,
                block=self.block,
                insertion=insertion,
                links=tuple(Link(*link) for link in inline.links_in(first, close)) if pieces else (),
                footnotes=tuple(p.detail for p in pieces if p.kind == "footnote") if pieces else (),
                footnote=self.container.footnote,
                quoted=self.container.quotes > 0,
                list_depth=len(self.container.lists),
                ordered=bool(self.container.lists and self.container.lists[-1]),
                prefix=prefix,
                styled=inline.styled[start:end],
            )
        )

    # -- tables ----------------------------------------------------------------------------------------------------

    def visit_table(self, position: int) -> int:
        opener = self.tokens[position]
        assert opener.map is not None
        end = position
        while self.tokens[end].type != "table_close":
            end += 1
        span = self.lines(opener.map)
        if self.is_excluded(span):
            self.block += 1
            return end + 1
        rows = read_rows(self.text, self.tokens[position:end], self.line, self.inline)
        for cell in (
            cell for row in rows for cell in row if "<!--" in cell.text and "<!--" not in cell.plain
        ):
            self.note_comments(cell.span.start, cell.text, block=False)
        self.block += 1
        index, number = len(self.tables), len(self.segments) + 1
        text_start = min((cell.span.start for cell in rows[0]), default=span.start)
        line = self.line(opener.map[0])
        prefix_length = len(self.prefix(opener.map[0]))
        start = min(line.start + prefix_length, text_start)
        self.add_table_segment(SegmentKind.TABLE, Span(start, span.end), rows[0], index, None, opener.map[0])
        for row_index, row in enumerate(rows[1:]):
            row_span = Span(row[0].span.start, row[-1].span.end) if row else span
            self.add_table_segment(SegmentKind.ROW, row_span, row, index, row_index, opener.map[0])
        numbers = tuple(range(number + 1, number + len(rows)))
        self.tables.append(Table(index, number, Span(start, span.end), rows[0], tuple(rows[1:]), numbers))
        return end + 1

    def add_table_segment(
        self,
        kind: SegmentKind,
        span: Span,
        row: tuple[Cell, ...],
        table: int,
        row_index: int | None,
        line: int,
    ) -> None:
        plain, offsets = "", array("I")
        for position, cell in enumerate(row):
            if position:
                plain += " | "
                offsets.extend([cell.span.start] * 3)
            plain += cell.plain
            offsets.extend(min(cell.span.start + i, cell.span.end) for i in range(len(cell.plain)))
        number = len(self.segments) + 1
        if self.container.footnote is not None:
            self.footnotes[self.container.footnote].append(number)
        text = span.of(self.text) if kind is SegmentKind.TABLE else " | ".join(cell.text for cell in row)
        insertion = span.start if kind is SegmentKind.TABLE else (row[-1].insertion if row else span.end)
        self.segments.append(
            Segment(
                number=number,
                kind=kind,
                span=span,
                text=text,
                plain=plain,
                plain_offsets=offsets,
                section=len(self.sections) - 1,
                block=self.block,
                insertion=insertion,
                footnote=self.container.footnote,
                quoted=self.container.quotes > 0,
                list_depth=len(self.container.lists),
                table=table,
                row=row_index,
                prefix=self.prefix(line),
            )
        )


def _insertion(inline: Inline, start: int, end: int, last: int, close: int) -> int:
    """Content index at which a marker for the plain range [start, end) goes (POINTS, "Markers the annotation uses")."""
    stop = end
    while stop > start and inline.plain[stop - 1] in _STOPS:
        stop -= 1
    closes_with_markup = any(piece.kind == "markup" for piece in inline.pieces_in(last, close))
    if stop in (start, end) or closes_with_markup or inline.plain[end - 1] == OPAQUE:
        return close
    before_stop = inline.end_of(stop - 1)
    return inline.closing(before_stop)
