"""One look at a document, shared by the nine passes: traits of sentences and of the whole, dates, clauses."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import regex

from cg_review.cgd.writer import KEY_ORDER
from cg_review.document import Document, Segment, SegmentKind
from cg_review.inline import OPAQUE
from cg_review.reviewers.embedded.dates import (
    DateMention,
    find_dates,
    may_have_dates,
    reads_month_first,
    resolve,
)
from cg_review.reviewers.embedded.letterhead import letterhead
from cg_review.reviewers.embedded.matching import Matcher, lower
from cg_review.reviewers.embedded.prefilter import all_keys_for, keys_for
from cg_review.reviewers.embedded.traits import Traits
from cg_review.reviewers.embedded.words import stems, words_of

_CLAUSE = regex.compile(r";|—| – |: |, but |, so |, while |, although |, though |, yet |, whereas |, which ")
_EVIDENCE_LINK = regex.compile(
    r"bench|report|stud(?:y|ies)|survey|paper|arxiv|doi\.org|measur|evaluat|results?|/issues/|/pull/|statist|census|rfc\d|pricing|changelog|release"
)
_LINKS = 5  # links to other sites that make a document a published page
_LENGTH = 1500  # words, for a document without links; in a longer one the evidence may be pages away, as behind links
LONGEST = 4000  # characters of a sentence that are looked at: what is longer is no sentence, and must not cost its square
_HEAD_SEGMENTS = 8
_TITLE_SEGMENTS = 4
_KEY = regex.compile(r"([\w-]+)\s*:")
_CGD_KEYS = frozenset({*KEY_ORDER, "tier", "annotations"})
_HEAD_LINES = 3  # segments in which a date that stands alone is the document's own
_FEW = 3  # a word or two of a vocabulary do not make a document of it
_WORDS_PER_CODE_SPAN = 33  # a text with more code than this is technical
_PUBLISHED = regex.compile(
    r"\b(?:published|issued|posted|released|report dated|date of report)\b[^.;]{0,20}$"
)
HAPPENS_ON = regex.compile(
    r"\b(?:goes (?:live|to|into)|opens|closes|starts|launches|ships|arrives|begins|expires|takes (?:place|effect)|is released|comes out|is due)\b[^.;]{0,30}\b(?:in|on)\s$"
)
"""Before a day: something begins, or ends, on it, so that it is not the document's own."""
_STAMP = regex.compile(
    r"\b(?:date|published|published on|report|issued|prepared|dated|released|posted|as of|review held|meeting of|minutes of|report of|updated|edited|reviewed|week|status"
    r"|submitted|deposited|signed|circulated|written|checked|sent|state|card of|sheet of|note of|memo of|letter of)\b[^.;]{0,25}$"
)
# "internal · 28 October 2026 · claims department"
_BETWEEN_BARS = (regex.compile(r"[·|•—–]\s*$"), regex.compile(r"\s*(?:$|[·|•—–])"))


@dataclass
class Reading:
    """A segment as the patterns see it. Offsets are those of `segment.plain`."""

    segment: Segment
    lower: str
    keys: frozenset[str]  # of its words, by which patterns are chosen
    source: str = field(default="", repr=False)  # the document's text
    _traits: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    _shown: dict[str, bool] = field(default_factory=dict)
    _cues: dict[str, list[Matcher]] | None = None
    _everywhere: frozenset[str] | None = None
    _scoped: tuple[str, ...] | None = None

    @cached_property
    def words(self) -> list[str]:
        """Its words and numbers, lower case, in order."""
        return words_of(self.lower)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words that carry meaning."""
        return frozenset(stems(self.words))

    @property
    def is_linked_to_evidence(self) -> bool:
        """Whether a footnote, or a link to something that can be evidence, stands on it."""
        return bool(self.segment.footnotes) or (bool(self.segment.links) and self._links_to_evidence)

    @cached_property
    def _links_to_evidence(self) -> bool:
        return any(_EVIDENCE_LINK.search(lower(f"{link.text} {link.target}")) for link in self.segment.links)

    @cached_property
    def clauses(self) -> tuple[tuple[int, int], ...]:
        """The clauses as half-open ranges, split where a hedge stops reaching."""
        cuts = [0, *(match.start() for match in _CLAUSE.finditer(self.lower)), len(self.lower)]
        return tuple(pair for pair in itertools.pairwise(cuts) if pair[1] > pair[0])

    def cues(self, traits: Traits) -> dict[str, list[Matcher]]:
        """The matchers of each trait that its words call for."""
        if self._cues is None:
            self._cues = traits.cues_for(self.keys)
        return self._cues

    def scoped_cues(self, traits: Traits) -> tuple[str, ...]:
        """Those of the traits that reach no further than their clause."""
        if self._scoped is None:
            self._scoped = tuple(name for name in self.cues(traits) if name in traits.clause_scoped)
        return self._scoped

    def spans_of(self, trait: str, traits: Traits) -> tuple[tuple[int, int], ...]:
        """Where the cues of `trait` stand."""
        if trait not in self._traits:
            self._traits[trait] = tuple(
                (match.start, match.end)
                for matcher in self.cues(traits).get(trait, ())
                if matcher.found_in(self.lower)
                for match in matcher.matches(self.lower)
            )
        return self._traits[trait]

    def _shows(self, trait: str, traits: Traits) -> bool:
        """Whether one of the cues of `trait` stands anywhere; where, takes longer to tell."""
        if trait in self._traits:
            return bool(self._traits[trait])
        if trait not in self._shown:
            self._shown[trait] = False
            for matcher in self.cues(traits).get(trait, ()):  # no generator for each trait of each sentence
                if matcher.found_in(self.lower):
                    self._shown[trait] = True
                    break
        return self._shown[trait]

    def everywhere(self, traits: Traits) -> frozenset[str]:
        """The traits that hold at every place of the sentence."""
        if self._everywhere is None:
            found = [
                name
                for name in self.cues(traits)
                if self._shows(name, traits) and (name not in traits.clause_scoped or len(self.clauses) == 1)
            ]
            self._everywhere = frozenset([*found, "sourced"] if self.is_linked_to_evidence else found)
        return self._everywhere

    def has(self, trait: str, traits: Traits, at: tuple[int, int] | None = None) -> bool:
        """Whether the sentence, or the clauses that `at` touches where the trait reaches no further, has the trait."""
        is_everywhere = at is None or trait not in traits.clause_scoped or len(self.clauses) == 1
        if at is None or is_everywhere or at == (0, len(self.lower)):
            return self._shows(trait, traits)
        spans = self.spans_of(trait, traits)
        if not spans:
            return False
        touched = [c for c in self.clauses if c[0] < at[1] and at[0] < c[1]]
        return any(start < c[1] and c[0] < end for start, end in spans for c in touched)


def _own_frontmatter(head: str) -> str:
    """A frontmatter without the keys that make a CGD, so that a CGD reads as the source that it was made of."""
    kept, is_ours = [], False
    for line in head.lstrip("\ufeff").splitlines():
        key = _KEY.match(line)
        if key:
            is_ours = key[1] in _CGD_KEYS
        if line.rstrip() != "---" and not is_ours:
            kept.append(line.strip())
    return "\n".join(kept)


class Analysis:
    """A document read once. `today` is what dates are compared with."""

    def __init__(self, document: Document, today: date, traits: Traits) -> None:
        self.document, self.today, self.traits = document, today, traits
        self.readings = tuple(
            Reading(segment, lower(segment.plain[:LONGEST]), keys, document.text)
            for segment, keys in zip(document.segments, document.keys, strict=True)
        )
        self._of_sections: dict[int, frozenset[str]] = {}
        self._sections_with: dict[regex.Pattern[str], frozenset[int]] = {}
        self.called: dict[int, list[tuple[Reading, list[Any]]]] | None = (
            None  # what calls for which patterns, by point
        )
        self.ledger: object = None  # of its figures, where it was made
        self.month_first = reads_month_first(reading.segment.plain[:LONGEST] for reading in self.readings)

    @cached_property
    def letterhead(self) -> frozenset[int]:
        """The segments that say who writes to whom, and about what."""
        return letterhead(self.document)

    # -- the whole document ----------------------------------------------------------------------------------------

    @cached_property
    def head(self) -> str:
        """Title, first lines and the frontmatter's beginning, where a document says what it is; lower case."""
        parts = [lower(_own_frontmatter(self.document.text[: self.document.body.start]))[:600]]
        count = 0
        for reading in self.readings:
            if reading.segment.kind in (SegmentKind.TABLE, SegmentKind.ROW):
                continue
            count += 1
            if count > _TITLE_SEGMENTS:
                break
            parts.append(reading.lower[:120])
        return "\n".join(parts)

    @cached_property
    def document_traits(self) -> frozenset[str]:
        """The traits of the document as a whole."""
        found = set(self._traits_in(self.head))
        words = [word for reading in self.readings for word in reading.words]
        for name, (vocabulary, per_thousand) in self.traits.vocabularies.items():
            count = sum(map(vocabulary.__contains__, words))
            if count >= _FEW and count * 1000 >= per_thousand * len(words):
                found.add(name)
        if self._code_spans * _WORDS_PER_CODE_SPAN > len(words):
            found.add("technical")
        if self.own_date is None:
            found.add("undated")
        return frozenset(found)

    def section_traits(self, section: int) -> frozenset[str]:
        """The traits that the titles above a sentence show: "Competition", "Roadmap"."""
        if section not in self._of_sections:
            titles = (lower(part.title) for part in self.document.section_path(section)[1:])
            self._of_sections[section] = self._traits_in("\n".join(titles))
        return self._of_sections[section]

    def _traits_in(self, text: str) -> frozenset[str]:
        return frozenset(
            name
            for name, matchers in self.traits.document.items()
            if any(matcher.found_in(text) for matcher in matchers)
        )

    @property
    def _code_spans(self) -> int:
        """How often code stands in or between the sentences; a fence counts for two."""
        inline = sum(reading.segment.plain.count(OPAQUE) for reading in self.readings)
        return inline + 2 * len(self.document.code)

    @cached_property
    def length(self) -> int:
        """How many words and numbers it has."""
        return sum(len(reading.words) for reading in self.readings)

    @cached_property
    def links_out(self) -> int:
        """How many links lead to other sites."""
        return sum(
            link.target.startswith("http") for segment in self.document.segments for link in segment.links
        )

    @property
    def is_page(self) -> bool:
        """Whether it links to other sites as a published page does."""
        return self.links_out >= _LINKS

    @property
    def is_published(self) -> bool:
        """Whether it reads as a published or a long document, whose claims stand otherwise than those of a memo."""
        return self.is_page or self.length > _LENGTH

    def sections_with(self, expression: regex.Pattern[str]) -> frozenset[int]:
        """The sections in whose sentences `expression` matches; looked for once."""
        if expression not in self._sections_with:
            self._sections_with[expression] = frozenset(
                reading.segment.section
                for reading in self.seek(self.readings, expression)
                if reading.segment.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
                and expression.search(reading.lower)
            )
        return self._sections_with[expression]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all sentences together."""
        return frozenset().union(*(reading.keys for reading in self.readings))

    def seek(self, readings: Sequence[Reading], *expressions: regex.Pattern[str]) -> Sequence[Reading]:
        """Those of `readings` in which one of `expressions` may match, by their words: hardly any, for most expressions."""
        keys = keys_for(*expressions)
        if keys is None:
            return readings
        every = all_keys_for(*expressions)
        if keys.isdisjoint(self.keys) or not every <= self.keys:
            return []
        return [r for r in readings if not keys.isdisjoint(r.keys) and every <= r.keys]

    # -- dates -----------------------------------------------------------------------------------------------------

    @cached_property
    def dates(self) -> tuple[tuple[DateMention, ...], ...]:
        """The dates of each segment, by its place in `readings`."""
        return tuple(
            find_dates(reading.segment.plain[:LONGEST], self.month_first)
            if may_have_dates(reading.lower, reading.keys)
            else ()
            for reading in self.readings
        )

    @cached_property
    def own_date(self) -> date | None:
        """The day the document says it is of: a stamp in its first lines or its frontmatter; None when it has none."""
        for key, value, _span in self.document.dates:
            for mention in find_dates(value, self.month_first):
                if mention.last and "expir" not in key and "due" not in key:
                    return mention.last
        head = [
            (reading, mention)
            for reading, mentions in list(zip(self.readings, self.dates, strict=True))[:_HEAD_SEGMENTS]
            for mention in mentions
            if mention.last and mention.unit in {"day", "month"} and not mention.ambiguous
            if not HAPPENS_ON.search(reading.lower[: mention.start])
        ]
        published = (m.last for r, m in head if _PUBLISHED.search(r.lower[: m.start]))
        return next(published, None) or self._dated_by_its_head(head)

    def _dated_by_its_head(self, head: list[tuple[Reading, DateMention]]) -> date | None:
        """The first date of the head that stands as the document's own, not as the day of what it tells of."""
        for reading, mention in head:
            before = reading.lower[: mention.start]
            heading = reading.segment.kind is SegmentKind.HEADING and not before.endswith("on ")
            dateline = (
                reading.segment.number <= _HEAD_LINES
                and len(reading.lower) < 90
                and mention.unit == "day"
                and not before.rstrip().endswith(("by", "until", "due", "deadline"))
            )
            alone = (
                reading.segment.number <= _HEAD_LINES
                and mention.unit == "day"
                and _BETWEEN_BARS[0].search(before)
                and _BETWEEN_BARS[1].match(reading.lower, mention.end)
            )
            if (
                heading
                or alone
                or (dateline and reading.segment.kind is not SegmentKind.HEADING)
                or _STAMP.search(before)
            ):
                return mention.last
        return None

    @cached_property
    def now(self) -> date:
        """The document's own date where it has one that is not after today, else today."""
        return min(self.own_date, self.today) if self.own_date else self.today

    def is_ahead(self, reading: Reading) -> bool:
        """Whether the sentence gives a date after the document's own (today, where it has none)."""
        return any(True for _ in self.dates_ahead(reading))

    def dates_ahead(self, reading: Reading) -> Iterator[DateMention]:
        """The dates of a sentence that lie after the document's own (after today, where it has none)."""
        for mention in self.dates[reading.segment.number - 1]:
            written = reading.segment.plain[mention.start : mention.end]
            days = resolve(mention, written, self.now)
            if days and days[0] > self.now and not mention.ambiguous:
                yield mention

    # -- silence ---------------------------------------------------------------------------------------------------

    def has(self, trait: str, reading: Reading, at: tuple[int, int] | None = None) -> bool:
        """Whether the trait holds for the sentence (at a place of it) or for the document."""
        if trait == "ahead":
            return self.is_ahead(reading)
        if trait == "opening":
            before = self.readings[reading.segment.number - 2].segment if reading.segment.number > 1 else None
            return (
                before is None
                or before.section != reading.segment.section
                or before.kind is SegmentKind.HEADING
            )
        if trait in self.traits.document:
            return trait in self.document_traits or trait in self.section_traits(reading.segment.section)
        if trait == "sourced" and reading.is_linked_to_evidence:
            return True
        return reading.has(trait, self.traits, at)

    def silenced(self, reading: Reading, at: tuple[int, int], names: Collection[str]) -> bool:
        """Whether one of the traits of a sentence holds at the place: nothing said there is a finding."""
        if self.is_silent(reading, names):
            return True
        scoped = reading.scoped_cues(self.traits)
        return bool(scoped) and any(name in names and reading.has(name, self.traits, at) for name in scoped)

    def is_silent(self, reading: Reading, names: Iterable[str]) -> bool:
        """Whether one of the traits holds at every place of a sentence."""
        everywhere = reading.everywhere(self.traits)
        return bool(everywhere) and not everywhere.isdisjoint(names)
