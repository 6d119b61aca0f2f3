"""Point 5: what a sentence makes of the figures before it: "That makes nine in ten", "so 45 more", "which is 40% less"."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from cg_review.document import SegmentKind
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.grids import near
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.quantities import Quantity
from cg_review.reviewers.embedded.shares import Share, bound_of
from cg_review.reviewers.embedded.sides import one_sided, two_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.telling import figure_like, quoted
from cg_review.reviewers.embedded.vocabulary import one_of
from cg_review.reviewers.embedded.words import stems, words_of

_FROM_TO = regex.compile(r"\bfrom (?:about |some )?$")
_ASIDE = regex.compile(
    r", an? (?:(?P<mean>mean|average) of|(?P<moved>drop|fall|rise|increase|decrease|growth|decline|cut|gain|reduction) of) "
)
_MOST = 7
"""With more figures before it, almost any conclusion fits some of them."""
_PART_OF = regex.compile(r" (?:out )?of (?:the |our |its |all )?")
_OF_WHICH = regex.compile(r"\bof (?:which|these|them|whom),? (?:only |just )?$")
_A_NUMBER = regex.compile(
    r"^$|\b(?:day|week|month|no\.|number|version|section|page|question|item|table|figure|release) $"
)
_ALSO = ("accordingly", "consequently", "put differently")
_OF_THIS = regex.compile(r"of (?:this|these|those|them|that|which),? ")
_CHANGE_WORD = regex.compile(r"\s?(?:less|more|fewer|lower|higher|up|down|below|above)\b")
_EARLIER = 12
_PIECE = regex.compile(r"[,;:] | and |\. ")
_RANGE = Decimal(3)
_BACK = 3
"""How many segments before a conclusion of another paragraph its figures can stand."""
_START = 24
_LEAD = 40
"""How many characters behind its marker a conclusion's figure can be."""


def wrong_conclusions(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """A figure that a sentence concludes, where nothing that the sentence before gives can make it."""
    marker, less = one_of((*point.words["concludes"], *_ALSO)), one_of(point.words["comparatives"])
    moved = one_of(point.words["moved"])
    marked = {reading.segment.number for reading in analysis.seek(analysis.readings, marker)}
    earlier: deque[Decimal] = deque(maxlen=_EARLIER)  # counts of the section so far
    before: Reading | None = None  # the latest sentence with figures
    for reading in analysis.readings:
        if reading.segment.kind is SegmentKind.HEADING:
            earlier.clear()
        latest, figures = before, ledger.quantities.get(reading.segment.number, ())
        before = reading if figures else before
        given = ledger.quantities[latest.segment.number] if latest else ()
        if latest is None or not _follows(latest, reading):
            earlier.extend(_plain(figures))
            continue
        finding = None
        if reading.segment.number in marked:
            finding = _concluded(reading, latest, given, list(earlier), ledger, marker)
        told = ledger.shares_of(reading)
        if finding is None and len(told) == 1:
            around = reading.lower[max(0, told[0].start - 30) : told[0].end + 14]
            if less.search(around) or moved.search(around):
                finding = _wrong_change(reading, latest, told[0], given)
        earlier.extend(_plain(figures))
        if finding and not ledger.is_open(reading, (0, 1)):
            yield finding


def _concluded(
    reading: Reading,
    before: Reading,
    given: Sequence[Quantity],
    earlier: list[Decimal],
    ledger: Ledger,
    marker: regex.Pattern[str],
) -> RawFinding | None:
    match = marker.search(reading.lower)
    if not match or match.start() >= _START or reading.lower.startswith(" far", match.end()):
        return None
    figures = ledger.quantities[reading.segment.number]
    told = ledger.shares_of(reading)
    return _wrong_share(reading, before, match.end(), told, figures, given, earlier) or _wrong_amount(
        reading, before, match.end(), told, given, earlier, ledger
    )


def wrong_asides(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Ten in May and seven in June, a drop of 40%"; "7, 8 and 6, a mean of 7.6"."""
    for reading in ledger.statements:
        match = _ASIDE.search(reading.lower) if ", a" in reading.lower else None
        quantities = ledger.quantities[reading.segment.number]
        told = next((q for q in quantities if match and q.start == match.end()), None)
        if not match or not told:
            continue
        own = quoted(reading, told)
        given = [q for q in quantities if q.end <= match.start() and q.dimension != "share"]
        same = len({q.dimension for q in given}) == 1 and all(q.value for q in given)
        if match["mean"] and same and 2 <= len(given) <= _MOST:
            mean = sum((q.number for q in given), Decimal(0)) / len(given)
            if told.number not in [q.number for q in given] and not near(told.number, mean, Decimal("0.02")):
                yield one_sided(
                    reading,
                    f"the mean of {_list(reading, given)} is {figure_like(own, told, mean)}, not {own}",
                    0.7,
                    with_number(reading, told, mean),
                )
        elif match["moved"] and same and len(given) == 2 and told.dimension == "share":
            gap = 100 * abs(given[0].value - given[1].value)
            real = (gap / given[0].value, gap / given[1].value)
            share = Share(told.start, told.end, told.value, Decimal("0.05"))
            if not any(share.fits(r) for r in real):
                yield one_sided(
                    reading,
                    f"from {_list(reading, given)} it is {real[0]:.0f}%, not {own}",
                    0.7,
                    with_number(reading, told, real[0]),
                )


def _list(reading: Reading, given: Sequence[Quantity]) -> str:
    return ", ".join(quoted(reading, quantity) for quantity in given)


def _follows(before: Reading, reading: Reading) -> bool:
    one, two = before.segment, reading.segment
    prose = (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
    is_near = one.block == two.block or two.number - one.number <= _BACK
    return one.kind in prose and two.kind in prose and one.section == two.section and is_near


def _plain(given: Sequence[Quantity]) -> list[Decimal]:
    return [q.value for q in given if not q.dimension]


def _wrong_share(
    reading: Reading,
    before: Reading,
    at: int,
    told: list[Share],
    figures: Sequence[Quantity],
    given: Sequence[Quantity],
    earlier: list[Decimal],
) -> RawFinding | None:
    """ "871 on the spot, 214 later, 121 not at all. That makes nine in ten on the spot." """
    given = [q for q in given if not _A_NUMBER.search(before.lower[: q.start])]
    counts = _plain(given)
    if len(told) != 1 or not at <= told[0].start < at + _LEAD or not len({*counts, *earlier}) >= 2:
        return None
    if not (2 if not _OF_THIS.match(before.lower) else 1) <= len(counts) <= _MOST:
        return None
    if _CHANGE_WORD.match(reading.lower, told[0].end):  # a change, not a share
        return None
    share, bound = told[0], bound_of(reading.lower, told[0].start)
    own = [q.value for q in figures if not q.dimension and q.end <= share.start]
    if any(
        share.fits(100 * part / whole) for part in own for whole in (*counts, *earlier) if 0 < part <= whole
    ):
        return None
    named = _named(reading, before, given)
    wholes = {*counts, sum(counts), *earlier}
    if named != counts[0]:
        wholes.add(sum(counts[1:]))
    parts = {*counts, *earlier, *(a + b for a, b in itertools.combinations(counts, 2))}
    if named is not None:
        parts = {named}
    if ratio := _ratio(before, given, earlier):
        parts, wholes = {ratio[0]}, {ratio[1]}
    if bound:
        wholes = {whole for whole in wholes if whole >= max(counts)}
        parts -= {part for part in earlier if part not in counts}
    real = [100 * part / whole for whole in wholes for part in parts if 0 < part <= whole]
    real = [r for r in real if r < 100] if bound else real
    fits = any(share.holds(r, bound) or (named is None and share.holds(100 - r, bound)) for r in real)
    shown = [q for q in given if not q.dimension]
    return None if fits or not real else _against(reading, before, share.start, share.end, shown)


def _ratio(
    before: Reading, given: Sequence[Quantity], earlier: Sequence[Decimal]
) -> tuple[Decimal, Decimal] | None:
    """The part and the whole of "212 of 9,480", "9,480 trackers, of which 212", and "of these, 212" after 9,480."""
    counts = [q for q in given if not q.dimension]
    if len(counts) == 2:
        one, two = counts
        between = before.lower[one.end : two.start]
        if _PART_OF.fullmatch(between) and one.value < two.value:
            return one.value, two.value
        if _OF_WHICH.search(between) and two.value < one.value:
            return two.value, one.value
    if len(counts) == 1 and earlier and _OF_THIS.match(before.lower) and counts[0].value < earlier[-1]:
        return counts[0].value, earlier[-1]
    return None


def _named(reading: Reading, before: Reading, given: Sequence[Quantity]) -> Decimal | None:
    """The one count of the sentence before that a conclusion calls by its name: 29 of "29 concern parking, 18 the
    telephone" in "Parking thus makes up …"; None where it calls none or several."""
    cuts = [0, *(match.end() for match in _PIECE.finditer(before.lower)), len(before.lower)]
    counts = [q for q in given if not q.dimension]
    pieces = {q.start: max(cut for cut in cuts if cut <= q.start) for q in counts}
    words: dict[int, set[str]] = {
        q.start: stems(words_of(before.lower[pieces[q.start] : min(c for c in cuts if c >= q.end)]))
        for q in counts
    }
    called = [q for q in counts if words[q.start] & reading.stems]
    alone = len(set(pieces.values())) == len(pieces)
    return called[0].value if len(called) == 1 and alone and len(counts) > 1 else None


def _wrong_amount(
    reading: Reading,
    before: Reading,
    at: int,
    of_them: list[Share],
    given: Sequence[Quantity],
    earlier: list[Decimal],
    ledger: Ledger,
) -> RawFinding | None:
    """ "We gained 58 and lost 23. That is a net gain of 45." """
    own = ledger.quantities.get(reading.segment.number, ())
    told = next((q for q in own if q.start >= at), None)
    if before.segment.block != reading.segment.block:
        return None
    if told is None or told.start >= at + _LEAD or told.dimension in ("share", "time"):
        return None
    if any(share.start <= told.start < share.end for share in of_them):  # "three fifths"
        return None
    alike = [q for q in given if q.dimension == told.dimension]
    numbers = [q.value for q in alike]
    others = [q.number for q in given if q.number]
    if (
        not 2 <= len(numbers) <= _MOST - 2
        or not told.value
        or not any(_is_near_size(told.value, n) for n in numbers)
    ):
        return None
    slack = (
        Decimal("0.06")
        if regex.search(r"\b(?:good|about|some|roughly|almost|nearly|over|more than)\b", reading.lower)
        else Decimal("0.01")
    )
    if any(near(told.value, made, slack) for made in _made_of(numbers, others)):
        return None
    beside = [q.value for q in own if q is not told and q.dimension == told.dimension]
    around = {*numbers, *beside, *(earlier if not told.dimension else ())}
    if any(
        near(told.value, made, slack)
        for a, b in itertools.combinations(around, 2)
        for made in (a + b, abs(a - b))
    ):
        return None
    return _against(reading, before, told.start, told.end, alike)


def _is_near_size(told: Decimal, number: Decimal) -> bool:
    return number > 0 and max(told, number) <= _RANGE * min(told, number)


def _made_of(numbers: list[Decimal], others: list[Decimal]) -> Iterator[Decimal]:
    """Whatever sums, differences, products and quotients make of the numbers."""
    for signs in itertools.product((-1, 0, 1), repeat=len(numbers)):
        yield abs(sum((sign * n for sign, n in zip(signs, numbers, strict=True)), Decimal(0)))
    for a, b in itertools.permutations(others[:6], 2):
        yield a * b
        yield a / b
        yield from (a * b * c for c in others[:6])
        yield from (a * b + c for c in others[:6])


def _wrong_change(
    reading: Reading, before: Reading, told: Share, given: Sequence[Quantity]
) -> RawFinding | None:
    """ "It went from 10 to 7 a week. That is 40% less." """
    for one, two in itertools.pairwise(given):
        if one.dimension != two.dimension or one.dimension == "share" or not one.value or not two.value:
            continue
        if (
            not _FROM_TO.search(before.lower[: one.start])
            or " to " not in before.lower[one.end : two.start + 1]
        ):
            continue
        change = abs(two.value - one.value) * 100
        real = [change / one.value, change / two.value, 100 * two.value / one.value]
        if len(given) <= 3 and not any(told.fits(r) for r in real):
            return _against(reading, before, told.start, told.end, [one, two])
    return None


def _against(
    reading: Reading, before: Reading, start: int, end: int, given: Sequence[Quantity]
) -> RawFinding:
    written = reading.segment.plain[start:end].strip()
    shown = _list(before, given)
    return two_sided(
        reading, before.segment.number, f'"{written}" does not follow from {shown} before it', 0.65
    )
