"""What was given for review: its text, and, where it is already a CGD, the source it was made from and its claims.

A CGD is reviewed as its source: markers of an earlier review are taken out and rewrites taken back, so that claim
texts, ids and findings are those of the un-annotated text (FORMAT 12.13, 12.17).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from cg_review.cgd.computed import claims as claim_nodes
from cg_review.cgd.exclusions import find_exclusions
from cg_review.cgd.fences import line_of
from cg_review.cgd.frontmatter import Frontmatter, read_frontmatter
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.layout import END_MARKER, Layout, take_apart
from cg_review.cgd.nodes import Mapping, Scalar
from cg_review.cgd.record import find_record
from cg_review.cgd.writer import KEY_ORDER
from cg_review.document import Document, Span
from cg_review.errors import DocumentRefused, InputError
from cg_review.findings import Claim, Edit, Round
from cg_review.markers import Markers
from cg_review.parse import parse
from cg_review.recover import find_edits, take_back

MAX_BYTES = 10_000_000
"""A source has to leave room for its frontmatter and record below the format's 10 MiB (E-PL06)."""

CHUNK_KEYS = ("chunk-context", "chunk-context-sections")
OWN_KEYS = frozenset({*KEY_ORDER, "tier", "annotations", "source-frontmatter", *CHUNK_KEYS})
_DATE_KEYS = re.compile(
    r"(?i)(?:last[-_ ]?)?(?:date|updated|modified|reviewed|lastmod|published|created|as[-_ ]of|revised)"
    r"(?:[-_ ](?:at|on|date))?"
)


@dataclass(frozen=True)
class Prior:
    """What a CGD carries from an earlier review."""

    frontmatter: Frontmatter
    claims: tuple[Claim, ...]
    hitl_status: str
    hash_matches: bool
    has_tier: bool


@dataclass(frozen=True)
class Given:
    """The source that a caller gave, where its CGD is reviewed in its place: its text, and how far it lies behind."""

    text: str
    shift: int


@dataclass(frozen=True)
class Origin:
    """A document as given. `source` is `text` up to its end marker with the `edits` of an earlier review taken back."""

    name: str
    text: str
    source: str
    body: Span  # of the Markdown in `source`
    layout: Layout
    edits: tuple[
        Edit, ...
    ] = ()  # of the earlier review, in `source`; applying them gives `text` up to its record
    prior: Prior | None = None
    excluded: tuple[Span, ...] = ()
    dates: tuple[tuple[str, str, Span], ...] = ()
    carried: tuple[Claim, ...] = ()  # of the CGD that was made of an earlier version of this source
    given: Given | None = None

    @property
    def source_name(self) -> str:
        """The file name of the source, also where its CGD is reviewed: what claims name."""
        name = re.split(r"[/\\]", self.name)[-1]
        return name[: -len(".cgd.md")] + ".md" if name.lower().endswith(".cgd.md") else name

    @property
    def newline(self) -> str:
        """The line ending that everything added has to use."""
        return self.layout.newline

    def document(self) -> Document:
        """The source, parsed."""
        return self._document

    @cached_property
    def _document(self) -> Document:
        return parse(self.source, self.body, self.excluded, self.dates)

    @cached_property
    def _shifts(self) -> list[int]:
        """How far the text behind each edit has moved, edit by edit."""
        return list(accumulate((len(edit.after) - len(edit.before) for edit in self.edits), initial=0))

    @property
    def has_chunk_context(self) -> bool:
        """Whether a CGD carries advice for chunking, which has to be kept up."""
        return self.prior is not None and self.prior.frontmatter.key(CHUNK_KEYS[0]) is not None

    @property
    def shown(self) -> str:
        """The text that places are told in: the one the caller gave."""
        return self.given.text if self.given else self.text

    def as_shown(self, span: Span) -> Span:
        """Where characters of `source` stand in `shown`."""
        if self.given:
            return Span(span.start + self.given.shift, span.end + self.given.shift)
        return self.as_read(span)

    def as_read(self, span: Span) -> Span:
        """Where characters of `source` stand in `text`."""
        before = bisect_right(self.edits, span.start, key=lambda edit: edit.span.end)
        inside = bisect_left(self.edits, span.end, key=lambda edit: edit.span.start)
        return Span(span.start + self._shifts[before], span.end + self._shifts[max(before, inside)])


def in_place_of(source: Origin, cgd: Origin) -> Origin | None:
    """The CGD of a source, to be reviewed in its place, where the source is still what the CGD was made of."""
    body = source.body.of(source.source).strip()
    if body != cgd.body.of(cgd.source).strip():
        return None
    start = source.source.index(body, source.body.start)
    return replace(cgd, given=Given(source.text, start - cgd.source.index(body, cgd.body.start)))


def decode(data: bytes, name: str) -> str:
    """The text of `data`, BOM kept. Raises InputError where it is empty, too large, binary or not UTF-8."""
    if len(data) >= MAX_BYTES:
        raise InputError(
            f"{name}: {len(data):,} bytes; a document may have at most {MAX_BYTES - 1:,}: split it"
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: not UTF-8 (byte {error.start}): save it as UTF-8 first") from error
    if "\0" in text:
        raise InputError(f"{name}: contains NUL bytes, so it is not a text file")
    if not text.strip("\ufeff \t\r\n"):
        raise InputError(f"{name}: is empty, there is nothing to review")
    return text


def is_cgd(data: bytes) -> bool:
    """Whether `data` is a CGD: its frontmatter can be read and declares a version of the format."""
    frontmatter = read_frontmatter(data.decode("utf-8", "replace"))
    return frontmatter.readable and frontmatter.key("clarity-gate-version") is not None


def read_origin(data: bytes, name: str, markers: Markers) -> Origin:
    """Take a document apart.

    Raises InputError where it is not a text that can be read, DocumentRefused where no CGD can be made of it: an end
    marker outside a fence (E-ST08), an unclosed fence, malformed exclusion blocks, or a damaged CGD.
    """
    text = decode(data, name)
    layout = take_apart(text)
    frontmatter = read_frontmatter(layout)
    if frontmatter.readable and frontmatter.key("clarity-gate-version") is not None:
        return _read_cgd(name, layout, frontmatter, markers)
    return _read_source(name, layout, frontmatter)


def _read_source(name: str, layout: Layout, frontmatter: Frontmatter) -> Origin:
    if layout.frontmatter is not None and not _is_frontmatter(layout, frontmatter):
        layout = take_apart(
            layout.text, has_frontmatter=False
        )  # two horizontal rules with prose between them
        frontmatter = read_frontmatter(layout)
    _refuse_unsealable(name, layout)
    body = Span(layout.body.start, len(layout.text))
    return Origin(
        name=name,
        text=layout.text,
        source=layout.text,
        body=body,
        layout=layout,
        excluded=_excluded(name, layout),
        dates=_dates(frontmatter),
    )


def _is_frontmatter(layout: Layout, frontmatter: Frontmatter) -> bool:
    """Whether what stands between the first two `---` lines is meant as YAML: a mapping, or lines that look like one."""
    assert layout.frontmatter is not None
    if frontmatter.readable:
        return bool(frontmatter.root.entries)
    lines = [line for line in layout.text[slice(*layout.frontmatter)].splitlines() if line.strip()]
    keyed = sum(bool(re.match(r"\s*(?:#|-\s|[\w\"'.-]+\s*:(?:\s|$))", line)) for line in lines)
    return bool(lines) and keyed * 2 >= len(lines)


def _refuse_unsealable(name: str, layout: Layout) -> None:
    """Refuse a source in which the end marker of its CGD could not stand (FORMAT 12.4, 12.16)."""
    offsets = [*layout.frontmatter_markers, *layout.markers]
    if offsets:
        line = line_of(layout.text, offsets[0])
        raise DocumentRefused(
            f"{name}:{line}: E-ST08: an end marker outside a fence; put {END_MARKER!r} into a code fence"
        )
    if layout.fences.unclosed is not None:
        line = line_of(layout.text, layout.fences.unclosed)
        raise DocumentRefused(f"{name}:{line}: a code fence is opened here and never closed; close it")


def _excluded(name: str, layout: Layout) -> tuple[Span, ...]:
    exclusions = find_exclusions(layout)
    if exclusions.problems:
        problem = exclusions.problems[0]
        line = line_of(layout.text, problem.offset)
        raise DocumentRefused(f"{name}:{line}: {problem.code}: {problem.message}")
    return tuple(Span(*block.span) for block in exclusions.blocks)


def _dates(frontmatter: Frontmatter) -> tuple[tuple[str, str, Span], ...]:
    """The date stamps of a source's own frontmatter, for point 8."""
    found = []
    for entry in frontmatter.root.entries:
        key, value = entry.key, entry.value
        if not (isinstance(key, Scalar) and isinstance(value, Scalar)) or key.text in OWN_KEYS:
            continue
        if _DATE_KEYS.fullmatch(key.text):
            found.append((key.text, value.text, Span(key.start, value.end)))
    return tuple(found)


# -- a document that is already a CGD ----------------------------------------------------------------------------------


def _read_cgd(name: str, layout: Layout, frontmatter: Frontmatter, markers: Markers) -> Origin:
    if layout.end_marker is None:
        raise DocumentRefused(f"{name}: E-ST06: a CGD without its end marker; run `cg-review validate` on it")
    if len(layout.markers) > 1:
        line = line_of(layout.text, layout.markers[1])
        raise DocumentRefused(f"{name}:{line}: E-ST08: more than one end marker")
    claims = tuple(_claim(name, layout.text, node) for node in claim_nodes(frontmatter))
    record = find_record(layout)
    end = record.span.start if record else layout.body.end
    edits = find_edits(layout, frontmatter, claims, markers, end)
    tail = layout.text[record.span.end : layout.body.end] if record else ""
    if tail.strip():
        line = line_of(layout.text, record.span.end if record else 0)
        raise DocumentRefused(
            f"{name}:{line}: text behind the HITL Verification Record; move it before the record"
        )
    source = take_back(layout.text[:end], edits)
    excluded = _excluded(name, layout)
    origin = Origin(
        name=name,
        text=layout.text,
        source=source,
        body=Span(layout.body.start, len(source)),
        layout=layout,
        edits=edits,
        prior=Prior(
            frontmatter=frontmatter,
            claims=claims,
            hitl_status=frontmatter.text("hitl-status") or "",
            hash_matches=stored_hash(layout) == document_hash(layout),
            has_tier=frontmatter.node("tier") is not None,
        ),
        dates=_dates(frontmatter),
    )
    return origin if not excluded else _with_excluded(origin, excluded)


def _with_excluded(origin: Origin, excluded: Sequence[Span]) -> Origin:
    """Move the exclusion blocks, found in the text as read, to the source."""
    moved = []
    for span in excluded:
        shift = sum(
            len(e.before) - len(e.after) for e in origin.edits if origin.as_read(e.span).start < span.start
        )
        moved.append(Span(span.start + shift, span.end + shift))
    return replace(origin, excluded=tuple(moved))


def _claim(name: str, text: str, node: Mapping) -> Claim:
    """A claim of the frontmatter. Raises DocumentRefused where it lacks what a claim needs."""
    fields = {key: _field(node, key) for key in ("id", "text", "value", "source", "location", "round")}
    missing = [key for key in ("id", "text", "source", "location") if not fields[key]]
    if missing or fields["round"] not in ("A", "B"):
        line = line_of(text, node.start)
        what = f"without `{missing[0]}`" if missing else "whose round is neither A nor B"
        raise DocumentRefused(f"{name}:{line}: a claim {what}; run `cg-review validate` on it")
    return Claim(
        id=fields["id"] or "",
        text=fields["text"] or "",
        value=fields["value"],
        source=fields["source"] or "",
        location=fields["location"] or "",
        round=Round(fields["round"]),
        confirmed_by=_field(node, "confirmed-by"),
        confirmed_date=_field(node, "confirmed-date"),
    )


def _field(node: Mapping, key: str) -> str | None:
    value = node.get(key)
    if not isinstance(value, Scalar) or value.kind in ("null", "unknown") or not value.text.strip():
        return None
    return value.text
