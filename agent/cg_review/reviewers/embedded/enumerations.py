"""Point 5: so many things announced, and the list or table of them, wherever it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Count, Ledger
from cg_review.reviewers.embedded.lists import fewest_items, items_of, opens_item
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_LABELLED = regex.compile(r"^[^:;.]{1,40}: (?P<items>[^:;.]+)\.?$")
_NAMED = regex.compile(
    r"^(?:the |our |its )?(?P<title>(?:[a-z-]+ ){0,2}[a-z-]+s)(?: in use| used| in force)?(?: are|:) (?P<items>[^:;.()]+(?:, | and )[^:;.()]+)\.?$"
)
_COUNTED = regex.compile(r"^(?P<noun>[a-z]{3,}) (?P<n>\d{1,2})\b")
_OF_THINGS = regex.compile(r"(?:[a-rt-z]s|ed|people)$")
_ASIDE = regex.compile(r"\([^)]*\)")
_NOT_THESE = regex.compile(r"\b(?:promised|planned|wanted|hoped for|asked for|between)\b")
_FEWEST = 3
"""A list of fewer is too easily an accident of layout."""
_LONGEST_TITLE = 3


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A list or table of `size` things of a kind: the stems of its name, with the head noun's.

    `least` is how many it has if an "and" of a sentence can be inside one of them; 0 where none can.
    """

    segment: int
    size: int
    noun: str
    modifiers: frozenset[str]
    title: str
    least: int = 0


def wrong_enumerations(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Eight fixes" and a section "Fixed" of seven; "twelve hubs" and lists of 5, 4 and 2 of them."""
    by_noun: dict[str, list[Enumeration]] = defaultdict(list)
    for enumeration in _enumerations(point, analysis):
        by_noun[enumeration.noun].append(enumeration)
    told: set[tuple[str, object]] = set()
    for count in ledger.counts if by_noun else ():
        known = by_noun.get(count.noun, ())
        if len(known) != 1 or (count.noun, count.value) in told or not _speaks_of(count, known[0]):
            continue
        told.add((count.noun, count.value))
        listed = known[0]
        fits = (listed.least or listed.size) <= count.value <= listed.size
        if not fits and abs(count.value - listed.size) <= max(1, listed.size // 5):
            yield _told(count, listed)


def _told(count: Count, listed: Enumeration) -> RawFinding:
    """A count that is not the list's: of one that its own sentence lists, the list decides."""
    if count.reading.segment.number != listed.segment:
        reason = f'"{count.written}" here, and {listed.size} are listed under "{listed.title}"'
        return two_sided(count.reading, listed.segment, reason, 0.7)
    number = count.reading.segment.plain[count.quantity.start : count.quantity.end]
    fix = with_number(count.reading, count.quantity, listed.size) if listed.least == listed.size else ""
    return one_sided(count.reading, f'"{number}" are announced and {listed.size} named', 0.7, fix)


def _speaks_of(count: Count, listed: Enumeration) -> bool:
    """Whether a count is of all that the list has: no part, no other kind of them, and not of the list's own lines."""
    return (
        not count.approximate
        and not count.periods
        and not _NOT_THESE.search(count.reading.lower)
        and count.modifiers <= listed.modifiers | _NEUTRAL
        and (listed.modifiers <= count.modifiers or not listed.modifiers)
        and (count.whole > 0 or count.reading.segment.kind is SegmentKind.HEADING or count.value >= _FEWEST)
    )


_NEUTRAL = frozenset({"new", "current", "different", "follow", "separate", "main", "small", "own"})


def _enumerations(point: Point, analysis: Analysis) -> Iterator[Enumeration]:
    """The lists that are alone under a title that names them, and the tables whose first column does."""
    yield from _lists(analysis)
    yield from _named_in_sentences(analysis)
    yield from _headings(analysis)
    for table in analysis.document.tables:
        rows = [row for row in table.rows if row and not _is_total(lower(row[0].plain), point)]
        name = _name(lower(table.header[0].plain)) if table.header else None
        if name and _FEWEST <= len(rows) <= 60:
            yield Enumeration(table.segment, len(rows), *name, table.header[0].plain.strip("* "))


def _named_in_sentences(analysis: Analysis) -> Iterator[Enumeration]:
    """ "The labels are red, amber, green and grey." """
    for reading in analysis.seek(analysis.readings, _NAMED):
        match = _NAMED.match(reading.lower.strip()) if "," in reading.lower else None
        items = items_of(match["items"]) if match else []
        name = _name(match["title"], _OF_THINGS) if match else None
        if match and name and len(items) >= _FEWEST and all(len(item.split()) <= 3 for item in items):
            least = fewest_items(match["items"], len(items))
            yield Enumeration(reading.segment.number, len(items), *name, match["title"].strip(), least)


def _headings(analysis: Analysis) -> Iterator[Enumeration]:
    """Headings that count themselves: "Phase 1", "Phase 2"."""
    numbered: dict[str, dict[str, int]] = defaultdict(dict)
    for section in analysis.document.sections:
        match = _COUNTED.match(lower(section.title))
        if match and section.heading:
            numbered[match["noun"]].setdefault(match["n"], section.heading)
    for noun, found in numbered.items():
        if len(found) >= 2 and all(str(n) in found for n in range(1, len(found) + 1)):
            yield Enumeration(found["1"], len(found), stem(noun), frozenset(), f"{noun} 1 …")


def _is_total(label: str, point: Point) -> bool:
    first = next(iter(words_of(label)), "")
    return (
        not first
        or first in point.words["totals"]
        or first in {"average", "mean", "median", "other", "others"}
    )


def _lists(analysis: Analysis) -> Iterator[Enumeration]:
    by_section: dict[int, list[Reading]] = defaultdict(list)
    for reading in analysis.readings:
        by_section[reading.segment.section].append(reading)
    for section, readings in by_section.items():
        title = analysis.document.sections[section].title
        name = _name(lower(title), _OF_THINGS)
        items = [r for r in readings if r.segment.kind is SegmentKind.LIST_ITEM]
        prose = [r for r in readings if r.segment.kind is SegmentKind.SENTENCE]
        if not name or not items or len(prose) > 6 or not _is_one_list(items):
            continue
        size = _size(analysis, items)
        if size >= _FEWEST:
            yield Enumeration(items[0].segment.number, size, *name, title.strip())


def _is_one_list(items: list[Reading]) -> bool:
    """Whether nothing stands between the items."""
    return items[-1].segment.number - items[0].segment.number + 1 == len(items)


def _size(analysis: Analysis, items: list[Reading]) -> int:
    """How many items; where each is a label with things behind it, how many things. Nested lists say nothing."""
    depth = items[0].segment.list_depth
    if any(r.segment.list_depth != depth for r in items):
        return 0
    opening = [r for r in items if opens_item(analysis, r.segment.span.start)]
    labelled = [_LABELLED.match(r.lower.strip()) for r in opening]
    if (
        len(opening) == len(items)
        and all(labelled)
        and any("," in match["items"] for match in labelled if match)
    ):
        counts = [len(items_of(match["items"])) for match in labelled if match]
        return sum(counts) if all(counts) else 0
    return len(opening)


def _name(title: str, form: regex.Pattern[str] | None = None) -> tuple[str, frozenset[str]] | None:
    """The head noun's stem and those of the words before it; None where the title is no name of things (of a form)."""
    words = [word for word in words_of(_ASIDE.sub(" ", title)) if word not in STOPWORDS]
    if not 1 <= len(words) <= _LONGEST_TITLE or words[-1].isdigit():
        return None
    if form and not form.search(words[-1]):
        return None
    return stem(words[-1]), frozenset(map(stem, words[:-1]))
