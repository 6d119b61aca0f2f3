"""Point 5: places of one document that cannot both be true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.document import SegmentKind
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Count, Ledger
from cg_review.reviewers.embedded.quantities import MONEY
from cg_review.reviewers.embedded.words import stem, stems, words_of

_NEGATIONS = {"not", "no", "never", "cannot", "don't", "doesn't", "isn't", "aren't", "won't", "can't"}
_RATIO = regex.compile(r"\b(\d[\d,]*|\w+) (?:out )?of (?:the |our |its |all )?(\d[\d,]*|\w+)\b")
_LISTED = regex.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:\w+ ){0,2}?(?:things|parts|steps|reasons?|ways|goals|phases|options|points|kinds|types|questions|rules|"
    r"[a-z]+s)\b[^.;!?]{0,60}:$"
)


def conflicting_counts(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """The same things counted twice, with different results."""
    by_noun: dict[str, list[Count]] = defaultdict(list)
    for count in ledger.counts:
        by_noun[count.noun].append(count)
    for counts in by_noun.values():
        for at, later in enumerate(counts):
            earlier = next((c for c in counts[:at] if _conflict(c, later)), None)
            if earlier:
                yield _two_sided(
                    later.reading,
                    earlier.reading,
                    f'"{later.written}" here, "{earlier.written}" elsewhere',
                    0.7,
                )


def _conflict(one: Count, two: Count) -> bool:
    if one.value == two.value or (one.reading is two.reading and one.whole + two.whole < 4):
        return False
    if one.whole + two.whole < 2 or min(one.whole, two.whole) < 1:
        return False
    if one.approximate or two.approximate:
        return False
    if one.modifiers != two.modifiers and one.modifiers and two.modifiers:
        return False
    if (one.periods or two.periods) and one.periods != two.periods:
        return False
    if (one.modifiers != two.modifiers or min(one.value, two.value) < 5) and one.whole + two.whole < 3:
        return False
    ratio = max(one.value, two.value) / min(one.value, two.value)
    return ratio < 4 and not (one.names ^ two.names)


def wrong_ratios(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "5 of the 11" and "64%" cannot both be right."""
    known: list[tuple[Reading, Decimal, Decimal]] = []
    for reading in analysis.readings:
        if reading.segment.kind in (SegmentKind.TABLE, SegmentKind.ROW) or analysis.silenced(
            reading, (0, 1), point.silent_on
        ):
            continue
        ratios = [(reading, part, whole) for part, whole in _ratios(reading, ledger)]
        shares = [q for q in ledger.quantities[reading.segment.number] if q.dimension == "share"]
        if ratios and len(shares) == 1:
            fits = any(_fits(shares[0].value, part, whole) for _, part, whole in ratios)
            if (
                not fits
                and len(ratios) == 1
                and regex.search(
                    r"\b(?:rate|share|i\.e\.|that is|or|=|equals|which is)\b|[(,]", reading.lower
                )
            ):
                _, part, whole = ratios[0]
                yield _finding(
                    reading, f"{part} of {whole} is {100 * part / whole:.0f}%, not {shares[0].value}%", 0.8
                )
        known += ratios
    yield from _ratios_elsewhere(analysis, ledger, known)


_RATE = regex.compile(r"\b([a-z]+) (?:rate|share|quota) of (?:only |just )?(?=\d)")


def _ratios_elsewhere(
    analysis: Analysis, ledger: Ledger, known: list[tuple[Reading, Decimal, Decimal]]
) -> Iterator[RawFinding]:
    """A "win rate of 64%" against "we won 5 of the 11" elsewhere."""
    for reading in analysis.readings:
        match = _RATE.search(reading.lower)
        shares = [
            q
            for q in ledger.quantities.get(reading.segment.number, ())
            if match and q.start == match.end() and q.dimension == "share"
        ]
        if not match or not shares or analysis.silenced(reading, match.span(), ("hedged", "conditional")):
            continue
        same = [
            (r, part, whole)
            for r, part, whole in known
            if r is not reading and stem(match[1]) in stems(words_of(r.lower))
        ]
        if same and not any(_fits(shares[0].value, part, whole) for _, part, whole in same):
            other, part, whole = same[0]
            yield _two_sided(
                reading,
                other,
                f"{shares[0].value}% here; elsewhere {part} of {whole}, which is {100 * part / whole:.0f}%",
                0.75,
            )


def _ratios(reading: Reading, ledger: Ledger) -> list[tuple[Decimal, Decimal]]:
    values = {q.start: q for q in ledger.quantities[reading.segment.number] if not q.dimension}
    found = []
    for match in _RATIO.finditer(reading.lower):
        part, whole = values.get(match.start(1)), values.get(match.start(2))
        if part and whole and 0 < part.value <= whole.value:
            found.append((part.value, whole.value))
    return found


def _fits(percent: Decimal, part: Decimal, whole: Decimal) -> bool:
    real = 100 * part / whole
    return abs(percent - real) <= 1 or abs(percent - (100 - real)) <= 1


def wrong_sums(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "In total 18,400 readings" against parts told elsewhere, in one sentence or one list."""
    totals = [
        c
        for c in ledger.counts
        if c.whole and regex.search(r"\b(?:total|altogether|in all|overall)\b", c.reading.lower)
    ]
    for total in totals:
        parts: dict[tuple[str, int], list[Count]] = defaultdict(list)
        for count in ledger.counts:
            segment = count.reading.segment
            if count.noun == total.noun and count.reading is not total.reading:
                parts["block", segment.block].append(count)
                if segment.list_depth:
                    parts["list", segment.section].append(count)
        for counts in parts.values():
            values = [c.value for c in counts]
            if (
                len(values) >= 2
                and total.value not in (*values, sum(values))
                and max(values) < total.value
                and 2 * sum(values) > total.value
            ):
                yield _two_sided(
                    total.reading,
                    counts[0].reading,
                    f'"{total.written}" in total; the parts elsewhere make {sum(values):,}',
                    0.75,
                )


def wrong_lists(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Four things:" before a list of three."""
    readings = analysis.readings
    for at, reading in enumerate(readings[:-1]):
        match = _LISTED.search(reading.lower.rstrip())
        following = readings[at + 1].segment
        if (
            not match
            or following.kind is not SegmentKind.LIST_ITEM
            or following.block == reading.segment.block
        ):
            continue
        if following.list_depth <= reading.segment.list_depth:
            continue
        said = next(
            (q.value for q in ledger.quantities[reading.segment.number] if q.start == match.start(1)), None
        )
        items = _items(analysis, at + 1)
        if regex.search(r"[A-Z][\w.]*\s$", reading.segment.plain[: match.start(1)]) and match.start(1) > 4:
            continue  # "HTTPCore 2" is a name
        if said is not None and items and said != items:
            yield _finding(reading, f'"{match[1]}" are announced and {items} listed', 0.7)


def _items(analysis: Analysis, at: int) -> int:
    """How many items the list has that starts at reading `at`."""
    first = analysis.readings[at].segment
    blocks: list[int] = []
    for reading in analysis.readings[at:]:
        segment = reading.segment
        if segment.kind is not SegmentKind.LIST_ITEM or segment.section != first.section:
            break
        if segment.list_depth < first.list_depth:
            break
        if (
            segment.list_depth == first.list_depth
            and segment.block not in blocks
            and _opens_item(analysis, segment.span.start)
        ):
            blocks.append(segment.block)
    return len(blocks)


def _opens_item(analysis: Analysis, start: int) -> bool:
    text = analysis.document.text
    line = text.rfind("\n", 0, start) + 1
    return bool(
        regex.search(r"(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[*_`~\[(\"]*$", text[line:start])
    )


def opposites(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A sentence and its negation."""
    antonyms = {pair.partition("/")[2]: pair.partition("/")[0] for pair in point.words["opposites"]}
    seen: dict[tuple[str, ...], list[tuple[Reading, bool]]] = defaultdict(list)
    for reading in analysis.readings:
        if reading.segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM) or "￼" in reading.lower:
            continue
        if analysis.silenced(reading, (0, len(reading.lower)), point.silent_on):
            continue
        key, negative = _proposition(reading.lower, antonyms)
        if len(key) < 3:
            continue
        other = next((r for r, n in seen[key] if n != negative), None)
        if other:
            yield _two_sided(reading, other, f'the opposite of "{other.segment.plain.strip()}"', 0.85)
        seen[key].append((reading, negative))


def _proposition(text: str, antonyms: dict[str, str]) -> tuple[tuple[str, ...], bool]:
    """The sentence without its negations, and whether it is negated."""
    negative = False
    words: list[str] = []
    for word in words_of(text.replace("n’t", "n't")):
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
            if (
                quantity.ambiguous
                and quantity.dimension in MONEY
                and not analysis.silenced(reading, (0, 1), point.silent_on)
            ):
                written = reading.segment.plain[quantity.start : quantity.end].strip()
                yield _finding(
                    reading,
                    f'"{written}" can be read in two ways (a point for thousands or for decimals), and nothing else in the document decides it',
                    0.7,
                )


_NUMBERED = regex.compile(r"#(\d+)")
_NUMBERED_TARGET = regex.compile(r"/(?:pull|pulls|issues|issue|merge_requests|discussions)/(\d+)$")


def mislabelled_links(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A link that says #429 and goes to 427."""
    for reading in analysis.readings:
        for link in reading.segment.links:
            label, target = _NUMBERED.fullmatch(link.text.strip()), _NUMBERED_TARGET.search(link.target)
            if label and target and label[1] != target[1]:
                yield _finding(reading, f'the link says "{link.text}" and goes to {target[1]}', 0.85)


def _two_sided(reading: Reading, other: Reading, reason: str, confidence: float) -> RawFinding:
    line = Quote(segment=other.segment.number, quote="")
    return RawFinding(
        point=5,
        segment=reading.segment.number,
        reason=reason,
        fix="one of the two, or the reason why they differ",
        confidence=confidence,
        related=(line,),
    )


def _finding(reading: Reading, reason: str, confidence: float) -> RawFinding:
    return RawFinding(
        point=5,
        segment=reading.segment.number,
        reason=reason,
        fix="the figures in agreement",
        confidence=confidence,
    )
