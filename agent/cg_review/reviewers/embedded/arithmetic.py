"""Point 5: sums, ratios and changes that don't come out."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal

import regex

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Count, Ledger
from cg_review.reviewers.embedded.sides import derived, one_sided
from cg_review.reviewers.embedded.swapping import with_number
from cg_review.reviewers.embedded.telling import quoted, value_like
from cg_review.reviewers.embedded.words import stem

_RATIO = regex.compile(r"\b(\d[\d,]*|\w+) (?:out )?of (?:the |our |its |all )?(\d[\d,]*|\w+)\b")
_RATIO_ASIDE = regex.compile(r"\([^()]*\d+ (?:out )?of (?:the )?\d+[^()%]*\)")
_OF_THEM = regex.compile(r"\bof (?:the|our|its|all) (\d[\d,]*) [a-z][^.;,\d]{0,30}, (?:only )?(\d[\d,]*)\b")
_RATE = regex.compile(r"\b([a-z]+) (?:rate|share|quota) of (?:only |just )?(?=\d)")
_SAME_AS = regex.compile(r"\b(?:rate|share|i\.e\.|that is|or|equals|which is)\b|[(,=]")
_TOTAL = regex.compile(r"\b(?:total|altogether|in all|overall)\b")
_CHANGE = regex.compile(
    r"\b(?:rose|fell|grew|went|increased|decreased|dropped|climbed|declined|rise|increase|growth|drop|fall|decline|down|up|cut|reduced|raised|shrank)\b"
)


def wrong_ratios(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "5 of the 11" and "64%" cannot both be right."""
    known: dict[tuple[Decimal, Decimal], Reading] = {}
    for reading in ledger.prose:
        ratios = _ratios(reading, ledger)
        if not ratios:
            continue
        shares = _shares(reading, ledger)
        aside = _RATIO_ASIDE.search(
            reading.lower
        )  # "(288 of 371 answered), 61% said": the share is of another thing
        if (
            len(ratios) == 1
            and len(shares) == 1
            and _SAME_AS.search(reading.lower)
            and not (aside and "%" not in reading.lower[: aside.start()])
        ):
            part, whole = ratios[0]
            if not _fits(shares[0], part, whole):
                reason = f"{part} of {whole} is {100 * part / whole:.0f}%, not {shares[0]}%"
                yield one_sided(reading, reason, 0.8, _with_share(reading, ledger, 100 * part / whole))
        for ratio in ratios:
            known.setdefault(ratio, reading)
    yield from _ratios_elsewhere(analysis, ledger, known)


def _ratios_elsewhere(
    analysis: Analysis, ledger: Ledger, known: dict[tuple[Decimal, Decimal], Reading]
) -> Iterator[RawFinding]:
    """A "win rate of 64%" against "we won 5 of the 11" elsewhere."""
    about: dict[str, list[tuple[Reading, Decimal, Decimal]]] = defaultdict(list)
    for (part, whole), reading in known.items():
        entry = (reading, part, whole)
        for word in reading.stems:
            about[word].append(entry)
    for reading in ledger.prose:
        if not _shares(reading, ledger):
            continue
        match = _RATE.search(reading.lower)
        if not match:
            yield from _share_elsewhere(reading, ledger, about)
        share = next(
            (
                q
                for q in ledger.quantities[reading.segment.number]
                if match and q.start == match.end() and q.dimension == "share"
            ),
            None,
        )
        if not match or not share or analysis.silenced(reading, match.span(), ("hedged", "conditional")):
            continue
        same = [entry for entry in about[stem(match[1])] if entry[0] is not reading]
        if same and not any(_fits(share.value, part, whole) for _, part, whole in same):
            other, part, whole = same[0]
            reason = f"{share.value}% here; elsewhere {part} of {whole}, which is {100 * part / whole:.0f}%"
            fix = with_number(reading, share, 100 * part / whole)
            yield derived(reading, other.segment.number, reason, 0.75, fix)


def _share_elsewhere(
    reading: Reading, ledger: Ledger, about: dict[str, list[tuple[Reading, Decimal, Decimal]]]
) -> Iterator[RawFinding]:
    """ "71% of them wash at weekends" against "19 of 24 wash at weekends" elsewhere."""
    shares = _shares(reading, ledger)
    if len(shares) != 1 or _ratios(reading, ledger):
        return
    words = sorted(reading.stems)  # sorted: ties are broken the same way every time
    if len(words) > 12:
        return
    met = Counter(id(entry) for word in words for entry in about[word])
    entries = {id(entry): entry for word in words for entry in about[word]}
    for key, count in met.most_common(1):
        other, part, whole = entries[key]
        enough = count >= 2 and 2 * count >= min(len(words), len(other.stems)) - 1
        if enough and other is not reading and part < whole and not _fits(shares[0], part, whole):
            reason = f"{shares[0]}% here; elsewhere {part} of {whole}, which is {100 * part / whole:.0f}%"
            fix = _with_share(reading, ledger, 100 * part / whole)
            yield derived(reading, other.segment.number, reason, 0.6, fix)


def _shares(reading: Reading, ledger: Ledger) -> list[Decimal]:
    return [q.value for q in ledger.quantities[reading.segment.number] if q.dimension == "share"]


def _with_share(reading: Reading, ledger: Ledger, percent: Decimal) -> str:
    """The sentence with another value for its one share."""
    told = next(q for q in ledger.quantities[reading.segment.number] if q.dimension == "share")
    return with_number(reading, told, percent)


def _ratios(reading: Reading, ledger: Ledger) -> list[tuple[Decimal, Decimal]]:
    values = {q.start: q for q in ledger.quantities[reading.segment.number] if not q.dimension}
    if len(values) < 2:
        return []
    found = []
    pairs = [(match.start(1), match.start(2)) for match in _RATIO.finditer(reading.lower)]
    pairs += [(match.start(2), match.start(1)) for match in _OF_THEM.finditer(reading.lower)]
    for at_part, at_whole in pairs:
        part, whole = values.get(at_part), values.get(at_whole)
        if part and whole and 0 < part.value <= whole.value:
            found.append((part.value, whole.value))
    return found


def _fits(percent: Decimal, part: Decimal, whole: Decimal) -> bool:
    real = 100 * part / whole
    return abs(percent - real) <= 1 or abs(percent - (100 - real)) <= 1


def wrong_changes(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "rose from 200 to 250, an increase of 20%": it is 25%."""
    for reading in ledger.prose:
        if " from " not in f" {reading.lower}" or not _CHANGE.search(reading.lower):
            continue
        quantities = ledger.quantities[reading.segment.number]
        shares = _shares(reading, ledger)
        pair = next(
            (
                (a, b)
                for a, b in itertools.pairwise(quantities)
                if a.dimension == b.dimension != "share"
                and reading.lower[: a.start].rstrip().endswith("from")
                and regex.search(r"^[^.;,]{0,30}\bto (?:about )?$", reading.lower[a.end : b.start])
            ),
            None,
        )
        if not pair or len(shares) != 1 or not pair[0].value:
            continue
        change = abs(pair[1].value - pair[0].value) * 100 / pair[0].value
        if abs(change - shares[0]) > max(Decimal("1.1"), change / 20):
            yield one_sided(
                reading,
                f"from {quoted(reading, pair[0])} to {quoted(reading, pair[1])} is a change of {change:.0f}%, not {shares[0]}%",
                0.8,
                _with_share(reading, ledger, change),
            )


def wrong_excesses(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "£41,200 against a budget of £38,000, which is 12% over": it is 8%."""
    for reading in analysis.seek(ledger.prose, _AGAINST):
        quantities = ledger.quantities[reading.segment.number]
        for one, two, share in zip(quantities, quantities[1:], quantities[2:], strict=False):
            between, behind = reading.lower[one.end : two.start], reading.lower[two.end : share.start]
            if not (
                one.dimension == two.dimension != "share" == share.dimension
                and one.value
                and two.value
                and _AGAINST.fullmatch(between)
                and _WHICH_IS.fullmatch(behind)
                and _ABOVE.match(reading.lower, share.end)
            ):
                continue
            gap = 100 * abs(one.value - two.value)
            if all(
                abs(gap / whole - share.value) > max(Decimal("1.1"), gap / whole / 20)
                for whole in (one.value, two.value)
            ):
                told = f"{quoted(reading, one)} against {quoted(reading, two)} is a difference of {gap / two.value:.0f}%"
                fix = with_number(reading, share, gap / two.value)
                yield one_sided(reading, f"{told}, not {share.value}%", 0.8, fix)


_AGAINST = regex.compile(
    r"\s?[(,]? ?\b(?:against|compared (?:with|to)|versus|instead of|rather than)\b[^.;:,()\d]{0,40}"
)
_WHICH_IS = regex.compile(
    r"\)?,? ?(?:\(|(?:and )?(?:which|that|this) (?:is|was|makes|made)|that[’']s|so|or|i\.e\.|[=–—-]) ?(?:only |just |some |about |roughly )?"
)
_ABOVE = regex.compile(
    r" (?:over|above|more|under|below|less|higher|lower|too much|up|down|dearer|cheaper)(?: (?:the )?(?:budget|plan|target|estimate))?(?=\s*(?:[.;,:)!]|$))"
)
"""With a "than" behind it, it can be more than something else."""


def wrong_sums(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "In total 18,400 readings" against parts told elsewhere, in one block or one list."""
    parts: dict[str, dict[tuple[str, int], list[Count]]] = defaultdict(lambda: defaultdict(list))
    for count in ledger.counts:
        segment = count.reading.segment
        parts[count.noun]["block", segment.block].append(count)
        if segment.list_depth:
            parts[count.noun]["list", segment.section].append(count)
    seen: set[tuple[str, Decimal]] = set()
    for total in ledger.counts:
        key = total.noun, total.value
        if not total.whole or key in seen or not _TOTAL.search(total.reading.lower):
            continue
        seen.add(key)
        for counts in parts[total.noun].values():
            values = [c.value for c in counts if c.reading is not total.reading]
            if len(values) < 2 or total.value in (*values, sum(values)) or max(values) >= total.value:
                continue
            if 2 * sum(values) > total.value:
                other = next(c for c in counts if c.reading is not total.reading)
                own = quoted(total.reading, total.quantity)
                whole = value_like(own, total.quantity, sum(values, Decimal(0)))
                reason = f'"{total.written}" in total; the parts elsewhere make {whole}'
                fix = with_number(total.reading, total.quantity, sum(values))
                yield derived(total.reading, other.reading.segment.number, reason, 0.75, fix)
                break
