"""Point 5: counts, lists and statements of one document that cannot all be true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.document import Segment, SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Count, Ledger
from cg_review.reviewers.embedded.lists import fewest_items, opens_item
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.quantities import MONEY
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.telling import quoted_sentence
from cg_review.reviewers.embedded.words import stems, words_of

_NEGATIONS = {"not", "no", "never", "cannot", "don't", "doesn't", "isn't", "aren't", "won't", "can't"}
_LISTED = regex.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:(?:[\w-]+ ){0,2}?(?:reason|[a-z]+s)\b[^.;!?]{0,60}:$"
    r"|(?:[\w-]+ )?(?:steps|stages|rules|things|parts|reasons|tasks|rounds)\.$)"
)
_MORE_THAN = regex.compile(
    r"(?<!\bwith )(?<!\bif )(?<!\bwhen )(?<!\bfor )(?<!\bfrom )(?<!\bat )\b(?:more than|over|at least|well over|upwards of)\s$"
)
_LESS_THAN = regex.compile(
    r"(?<!\bwith )(?<!\bif )(?<!\bwhen )(?<!\bfor )(?<!\bfrom )(?<!\bat )\b(?:fewer than|less than|under|at most|no more than)\s$"
)
_TWICE = Decimal("2.5")
"""A list that is so many times what was announced, or so much less, is a list of something else."""
_SLIP = Decimal("1.75")
"""A count that is so many times another is of something else: a part, a year, a place."""
_MANY_COUNTS = 40
"""What is counted in so many ways is not one thing."""
_NUMBERED = regex.compile(r"#(\d+)")
_NUMBERED_TARGET = regex.compile(r"/(?:pull|pulls|issues|issue|merge_requests|discussions)/(\d+)$")


def conflicting_counts(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """The same things counted twice, with different results."""
    earlier: dict[str, dict[object, Count]] = defaultdict(dict)  # by noun: one count of each kind is enough
    for count in ledger.counts:
        if (count.noun, count.value) in ledger.parts:
            continue
        known = earlier[count.noun]
        other = next((c for c in known.values() if _conflict(c, count)), None)
        if other:
            reason = f'"{count.written}" here, "{other.written}" elsewhere'
            yield two_sided(count.reading, other.reading.segment.number, reason, 0.7)
        if len(known) < _MANY_COUNTS:
            known.setdefault(count.profile, count)


def _conflict(one: Count, two: Count) -> bool:
    if one.value == two.value or (one.reading is two.reading and one.whole + two.whole < 4):
        return False
    if _are_siblings(one.reading.segment, two.reading.segment):
        return False
    if one.approximate or two.approximate:
        return _out_of_bounds(one, two) or _out_of_bounds(two, one)
    if one.whole + two.whole < 2 or min(one.whole, two.whole) < 1:
        return False
    if one.modifiers != two.modifiers and one.modifiers and two.modifiers:
        return False
    if (one.periods or two.periods) and one.periods != two.periods:
        return False
    if (one.modifiers != two.modifiers or min(one.value, two.value) < 5) and one.whole + two.whole < 3:
        return False
    ratio = max(one.value, two.value) / min(one.value, two.value)
    if one.names and two.names and not one.names & two.names:
        return False
    return ratio < _SLIP and (one.names == two.names or one.whole + two.whole >= 3)


def _are_siblings(one: Segment, two: Segment) -> bool:
    """Whether they are items of one list, which tells of different things: releases, machines, sites."""
    return one.section == two.section and one.kind is two.kind is SegmentKind.LIST_ITEM


def _out_of_bounds(bound: Count, exact: Count) -> bool:
    """ "More than a hundred homes" and 88 of them."""
    before = bound.reading.lower[max(0, bound.quantity.start - 20) : bound.quantity.start]
    if exact.approximate or bound.modifiers != exact.modifiers or bound.periods or not exact.whole:
        return False
    at_least = _MORE_THAN.search(before) and exact.value * 20 < bound.value * 19 < 40 * exact.value
    at_most = _LESS_THAN.search(before) and bound.value * 20 < exact.value * 19 < 40 * bound.value
    return bool(at_least or at_most) and (not bound.names or not exact.names or bound.names == exact.names)


def wrong_lists(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Four things:" before a list, or a table, of three."""
    for reading in analysis.seek(analysis.readings[:-1], _LISTED):
        match = _LISTED.search(reading.lower.rstrip())
        if not match or regex.search(r"[A-Z][\w.]*\s$", reading.segment.plain[: match.start(1)][1:]):
            continue  # "HTTPCore 2" is a name
        said = next(
            (
                q
                for q in ledger.quantities[reading.segment.number]
                if q.start == match.start(1) and not q.dimension
            ),
            None,
        )
        items = _items(analysis, reading.segment.number, match[0])  # from the one after it
        if (
            said is not None
            and items
            and said.value != items
            and max(said.value, Decimal(items)) <= _TWICE * min(said.value, Decimal(items))
        ):
            fix = with_number(reading, said, items)
            yield one_sided(reading, f'"{match[1]}" are announced and {items} listed', 0.7, fix)


_THE_NAMED = regex.compile(
    r"\bthe (two|three|four|five|six|seven|eight|nine|ten) (?:[\w-]+ )?[a-z]+s are ((?!\w+(?:ed|en|nt|ll|ng)\b)[^:;.()]{3,160}?(?:,| and )[^:;.()]*)\.?$"
)
_ITEM_END = r",(?: and| or)? | and | or "
_INLINE = regex.compile(
    r"\b(two|three|four|five|six|seven|eight) (?:[\w-]+ ){0,4}?(?:[a-z]+s|people)(?: of [\w-]+)?: ([^:;.()]{5,160}?(?:,| and | or )[^:;.()]*)\.?$"
)


def wrong_inline_lists(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Four kinds of rights: reader, editor and owner." """
    for reading in analysis.readings:
        text = reading.lower.rstrip()
        match = _INLINE.search(text) if ": " in text else _THE_NAMED.search(text) if " are " in text else None
        if not match or reading.segment.table is not None:
            continue
        quantities = ledger.quantities[reading.segment.number]
        if any(match.start(2) <= quantity.start for quantity in quantities):
            continue  # "seven miles: three on Monday and two on Tuesday" is a sum
        said = next((q for q in quantities if q.start == match.start(1)), None)
        items = [item for item in regex.split(_ITEM_END, match[2]) if item.strip()]
        short = all(len(item.split()) <= 4 for item in items)
        appositions = sum(item.strip().startswith(("a ", "an ")) for item in items)  # "a newcomer, Zip"
        least = fewest_items(match[2], len(items))
        fits = said is None or least - appositions <= said.value <= len(items)
        if len(items) >= 2 and short and not fits:
            fix = with_number(reading, said, least) if said and least == len(items) else ""
            yield one_sided(reading, f'"{match[1]}" are announced and {least} named', 0.65, fix)


def _items(analysis: Analysis, at: int, announced: str) -> int:
    """How many items the list has that starts at reading `at`, or the table whose head names what is announced; 0 where
    none starts there."""
    before, first = analysis.readings[at - 1].segment, analysis.readings[at].segment
    if first.kind is SegmentKind.TABLE and first.table is not None:
        table = analysis.document.tables[first.table]
        head = {word for cell in table.header for word in stems(words_of(lower(cell.plain)))}
        if head.isdisjoint(stems(words_of(announced))):
            return 0
        return sum(
            not row[0].plain.lower().strip("* ").startswith(("total", "all", "sum"))
            for row in table.rows
            if row
        )
    if first.kind is not SegmentKind.LIST_ITEM or first.list_depth <= before.list_depth:
        return 0
    blocks: list[int] = []
    for reading in analysis.readings[at:]:
        segment = reading.segment
        if segment.kind is not SegmentKind.LIST_ITEM or segment.section != first.section:
            break
        if segment.list_depth < first.list_depth:
            break
        is_item = segment.list_depth == first.list_depth and segment.block not in blocks[-1:]
        if is_item and opens_item(analysis, segment.span.start):
            blocks.append(segment.block)
    return len(blocks)


def opposites(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A sentence and its negation."""
    antonyms = {pair.partition("/")[2]: pair.partition("/")[0] for pair in point.words["opposites"]}
    seen: dict[tuple[str, ...], dict[bool, Reading]] = defaultdict(dict)
    for reading in ledger.statements:
        if reading.segment.kind is SegmentKind.HEADING or "￼" in reading.lower:
            continue
        if reading.lower.endswith(":"):  # a caption
            continue
        text = reading.lower.replace("n’t", "n't")
        words = reading.words if text == reading.lower else words_of(text)
        key, negative = (
            _proposition(words, antonyms) if _turns(text, words, antonyms) else (tuple(words), False)
        )
        if len(key) < 3:
            continue
        other = seen[key].get(not negative)
        if other:
            reason = f'the opposite of "{quoted_sentence(other)}"'
            yield two_sided(reading, other.segment.number, reason, 0.85)
        seen[key].setdefault(negative, reading)


def _turns(text: str, said: list[str], antonyms: dict[str, str]) -> bool:
    """Whether a sentence may have a negation, or a word that is the opposite of another."""
    return "n't" in text or not (_NEGATIONS.isdisjoint(said) and antonyms.keys().isdisjoint(said))


def _proposition(said: list[str], antonyms: dict[str, str]) -> tuple[tuple[str, ...], bool]:
    """The words of a sentence without its negations, and whether it is negated."""
    negative = False
    words: list[str] = []
    for word in said:
        if word in _NEGATIONS or word.endswith("n't"):
            negative = not negative
            continue
        if word in antonyms:
            word = antonyms[word]
            negative = not negative
        words.append(word)
    return tuple(words), negative


def ambiguous_amounts(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "1.355 €": a thousand or one, and nothing in the document says which."""
    for reading in analysis.readings:
        for quantity in ledger.quantities.get(reading.segment.number, ()):
            silent = analysis.silenced(reading, (0, 1), point.silent_on)
            if quantity.ambiguous and quantity.dimension in MONEY and not silent:
                written = reading.segment.plain[quantity.start : quantity.end].strip()
                yield one_sided(
                    reading,
                    f'"{written}" can be read in two ways (a point for thousands or for decimals), and nothing else in the document decides it',
                    0.7,
                )


def mislabelled_links(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A link that says #429 and goes to 427."""
    for reading in analysis.readings:
        for link in reading.segment.links:
            label, target = _NUMBERED.fullmatch(link.text.strip()), _NUMBERED_TARGET.search(link.target)
            if label and target and label[1] != target[1]:
                yield one_sided(reading, f'the link says "{link.text}" and goes to {target[1]}', 0.85)
