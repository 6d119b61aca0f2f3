"""Point 5: what a product needs or conforms to, told twice: the lowest version, a protection class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

import regex

from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.ledger import Ledger
from cg_review.reviewers.embedded.matching import OWN_TIMEOUT, Matcher, compile_matcher
from cg_review.reviewers.embedded.sides import two_sided

_NEEDS = regex.compile(
    r"\b(?P<name>[A-Z][\w+#]*|(?:i|iPad|mac|watch|tv)OS) (?:version )?(?P<low>\d+(?:\.\d+)?)(?:\+| (?:or|and) (?:newer|later|higher|above|up)\b| upwards| is (?:required|needed|the minimum))"
    r"|\b(?:needs?|requires?|at least|minimum(?: is|:)?|from) (?:version )?(?P<name>[A-Z][\w+#]*|(?:i|iPad|mac|watch|tv)OS) (?P<low>\d+(?:\.\d+)?)(?![\w.]*\d)"
)
_RUNS = regex.compile(
    r"\b(?:runs?|works?|supported|supports?|compatible|installs?|installed|tested|fine|usable)\b(?: [\w.]+){0,3}? (?:on|with|under|by|are|is|at|for)? ?(?P<name>[A-Z][\w+#]*|(?:i|iPad|mac|watch|tv)OS) (?P<low>\d+(?:\.\d+)?)"
)
_NO_LONGER = regex.compile(
    r"\b(?:not|no|never|until|dropped|drops|old|older|instead|end|ends|ended|without|before|formerly|branch|series|legacy|was|were|did)\b|n[’']t\b"
)
_COMPARES = regex.compile(
    r"\b(?:from|instead|than|old|new|previous|earlier|another|model|version|option|upgrade|or|if|former)\b"
)


def unsupported_versions(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Needs Android 11 or later" and "runs on Android 9 and 10"."""
    needs: dict[str, tuple[Reading, Decimal, str]] = {}
    for reading in analysis.seek(ledger.statements, _NEEDS):
        for match in _NEEDS.finditer(reading.segment.plain):
            needs.setdefault(match["name"], (reading, Decimal(match["low"]), match.group()))
    for reading in analysis.seek(ledger.statements, _RUNS) if needs else ():
        for match in _RUNS.finditer(reading.segment.plain):
            other = needs.get(match["name"])
            before = regex.split(r"[,;:]", reading.lower[: match.start()])[-1]
            around = before + reading.lower[match.start() : match.end() + 30]
            if not other or other[0] is reading or _NO_LONGER.search(around):
                continue
            if _version(match["low"]) < _version(str(other[1])):
                reason = f'"{match.group()}" here, "{other[2]}" elsewhere'
                yield two_sided(reading, other[0].segment.number, reason, 0.75)


def _version(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in written.split("."))


@lru_cache(maxsize=8)
def codes_of(codes: tuple[str, ...]) -> tuple[Matcher, ...]:
    """The codes, which are expressions and may be a user's own. Raises InputError where one is none."""
    matchers = []
    for code in codes:
        # (?m): they are sought in all sentences at once, a line each
        one = compile_matcher(f"(?m){code}", {}, OWN_TIMEOUT, "5-data-consistency.yaml: words: codes")
        if "family" not in one.compiled.groupindex:
            raise InputError(f"{one.name}: {code!r}: has no (?P<family>…), which tells codes of a kind")
        matchers.append(one)
    return tuple(matchers)


def conflicting_codes(point: Point, analysis: Analysis, ledger: Ledger) -> Iterator[RawFinding]:
    """ "Sealed to IP68" and "IP67" in the specification."""
    by_segment: dict[int, set[tuple[str, str]]] = defaultdict(set)
    text = "\n".join(reading.lower for reading in analysis.readings)
    for code in codes_of(point.words["codes"]):
        for reading in analysis.readings if code.found_in(text) else ():
            by_segment[reading.segment.number].update(
                (match.groups["family"].strip(), match.text) for match in code.matches(reading.lower)
            )
    told: dict[str, dict[str, Reading]] = defaultdict(dict)
    several: set[str] = set()
    for number, found in sorted(by_segment.items()):
        reading = analysis.readings[number - 1]
        families = [family for family, _ in found]
        for family, written in sorted(found):
            if families.count(family) > 1 or _COMPARES.search(reading.lower):
                several.add(family)
            told[family].setdefault(written, reading)
    for family, by_code in told.items():
        if len(by_code) == 2 and family not in several:
            (one, first), (two, second) = by_code.items()
            yield two_sided(first, second.segment.number, f'"{one}" here, "{two}" elsewhere', 0.7)
