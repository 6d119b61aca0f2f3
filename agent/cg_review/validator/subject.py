"""The document under validation: its parts, each found once and only when a check asks for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from cg_review.cgd.computed import Computed, claims, compute
from cg_review.cgd.exclusions import Exclusions, find_exclusions
from cg_review.cgd.frontmatter import Frontmatter, read_frontmatter
from cg_review.cgd.headings import Heading, find_headings
from cg_review.cgd.layout import Layout, line_end, next_line, take_apart
from cg_review.cgd.nodes import Mapping, Node, Sequence
from cg_review.cgd.record import Record, find_record

CLARITY = ("CLEAR", "UNCLEAR")
HITL = ("PENDING", "REVIEWED", "REVIEWED_WITH_EXCEPTIONS")

_LINE_ENDING = re.compile(r"\r\n|\r|\n")
_STATUS = re.compile(r"Clarity Gate: (CLEAR|UNCLEAR) \| (PENDING|REVIEWED|REVIEWED_WITH_EXCEPTIONS)\s*")


class StatusLine(NamedTuple):
    """The line after the end marker, if it means to be a status line. `words` are its two statuses as written."""

    start: int
    end: int
    words: tuple[str, str]
    exact: bool


@dataclass(frozen=True, eq=False, repr=False)
class Subject:
    """A text with the moment and the decoding fault it was read with. `undecodable` is an offset, or None."""

    text: str
    now: datetime
    undecodable: int | None = None

    @cached_property
    def layout(self) -> Layout:
        return take_apart(self.text)

    @cached_property
    def frontmatter(self) -> Frontmatter:
        return read_frontmatter(self.layout)

    @cached_property
    def exclusions(self) -> Exclusions:
        return find_exclusions(self.layout)

    @cached_property
    def headings(self) -> list[Heading]:
        return find_headings(self.layout)

    @cached_property
    def record(self) -> Record | None:
        return find_record(self.layout, self.headings)

    @cached_property
    def computed(self) -> Computed:
        return compute(self.frontmatter, self.exclusions)

    @cached_property
    def claims(self) -> list[Mapping]:
        return claims(self.frontmatter)

    def node(self, name: str) -> Node | None:
        """The value of a top-level key."""
        return self.frontmatter.root.get(name)

    def place(self, name: str) -> int | None:
        """Where a top-level key stands; None where it is missing."""
        key = self.frontmatter.root.key(name)
        return key.start if key else None

    @property
    def readable(self) -> bool:
        """Whether there is a frontmatter whose fields can be judged."""
        return self.frontmatter.readable

    @cached_property
    def clarity(self) -> str | None:
        """`clarity-status` where it is of the vocabulary."""
        word = self.frontmatter.text("clarity-status")
        return word if word in CLARITY else None

    @cached_property
    def hitl(self) -> str | None:
        """`hitl-status` where it is of the vocabulary."""
        word = self.frontmatter.text("hitl-status")
        return word if word in HITL else None

    @cached_property
    def count(self) -> int | None:
        """`hitl-pending-count` where it is an integer from 0 on."""
        node = self.node("hitl-pending-count")
        if getattr(node, "kind", "") != "int":
            return None
        text = str(getattr(node, "text", ""))
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    @cached_property
    def judged_claims(self) -> bool:
        """Whether every entry of `hitl-claims` is a mapping, so that claims can be counted."""
        listed = self.node("hitl-claims")
        return isinstance(listed, Sequence) and len(self.claims) == len(listed.items)

    @cached_property
    def status(self) -> StatusLine | None:
        """The first line with text after the end marker's line, where it means to be the status line."""
        if self.layout.status_line is None:
            return None
        start, end = self.layout.status_line
        exact = True
        while not self.text[start:end].strip() and end < len(self.text):
            start, exact = next_line(self.text, end), False
            end = line_end(self.text, start)
        line = self.text[start:end]
        head, _, rest = line.partition(":")
        if " ".join(head.split()).casefold() != "clarity gate":
            return None
        clarity, _, hitl = rest.partition("|")
        return StatusLine(
            start, end, (clarity.strip(), hitl.strip()), exact and bool(_STATUS.fullmatch(line))
        )

    def lines_of(self, *offsets: int) -> list[int]:
        """The 1-based lines of some offsets."""
        return [1 + bisect_right(self._line_starts, offset) for offset in offsets]

    @cached_property
    def _line_starts(self) -> list[int]:
        """Where the second and every further line starts."""
        return [ending.end() for ending in _LINE_ENDING.finditer(self.text)]

    def line_is_ours(self, offset: int) -> bool:
        """Whether the end marker ends its line, white space aside."""
        return not self.text[offset : line_end(self.text, offset)].strip()
