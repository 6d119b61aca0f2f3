"""A point's patterns run over the sentences of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.points import PASTED, Pattern, Point, RulesInForce, names_in, rules_in_force
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.matching import OWN_TIMEOUT, Match, Matcher, compile_matcher
from cg_review.reviewers.embedded.prefilter import Prefilter
from cg_review.reviewers.embedded.telling import without_stop
from cg_review.reviewers.embedded.traits import Traits, load_traits
from cg_review.rule_files import check_template

# A match that ends inside a figure ("averages 1" of "averages 15-30") is told to the figure's end.
_REST_OF_WORD = re.compile(r"(?:(?<=\d)[\d.,\u2013-]*\d[%\w]*|(?<=\w)\w+)?")


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern ready to run. `silent_on` are the traits that silence it at the place of its match; `own` says that it is
    a user's own, of which the weights know nothing."""

    rule: Pattern
    matcher: Matcher
    unless: tuple[Matcher, ...]
    silent_on: tuple[str, ...]
    own: bool = False

    def text(self, reading: Reading) -> str:
        """What of a sentence it reads."""
        return reading.segment.plain if self.rule.case_sensitive else reading.lower


def compile_patterns(
    point: Point, traits: Traits, rules: RulesInForce | None = None
) -> tuple[CompiledPattern, ...]:
    """Compile a point's patterns, those that are a user's own in `rules` under a time limit.

    Raises InputError for a wrong expression, template or trait name.
    """
    compiled = []
    for rule in point.patterns:
        key = (point.id, rule.id)
        file = rules.own.get(key) if rules else None
        name, timeout = f"{file or f'{point.id}-{point.slug}.yaml'}: {rule.id}", OWN_TIMEOUT if file else None
        unknown = {*point.silent_on, *_traits_of(rule)} - traits.names
        if unknown:
            raise InputError(f"{name}: no such trait: {', '.join(sorted(unknown))}")
        matcher = compile_matcher(rule.match, point.words, timeout, name)
        if file:
            check_templates(rule, matcher)
        unless = tuple(compile_matcher(expression, point.words, timeout, name) for expression in rule.unless)
        silent_on = tuple(trait for trait in point.silent_on if trait not in rule.despite)
        compiled.append(
            CompiledPattern(rule, matcher, unless, silent_on, own=bool(rules and key in rules.unweighed))
        )
    return tuple(compiled)


def check_templates(rule: Pattern, matcher: Matcher) -> None:
    """Raise InputError where a reason or a fix uses a name that the match does not have."""
    names = {"match", *matcher.compiled.groupindex}
    for template, known in ((rule.reason, names), (rule.fix, names | PASTED)):
        try:
            check_template(template, known)
        except ValueError as error:
            raise InputError(f"{matcher.name}: {error}") from error


class Patterns:
    """The patterns of all points, and which of them a sentence's words call for. A user's own come first, then the strongest."""

    def __init__(self, points: Iterable[Point], traits: Traits, rules: RulesInForce | None = None) -> None:
        """`rules` say which of the patterns are a user's own (None: none)."""
        self.patterns: list[tuple[int, CompiledPattern]] = []
        entries = []
        for point in points:
            compiled = compile_patterns(point, traits, rules)
            for pattern in sorted(compiled, key=lambda pattern: (not pattern.own, -pattern.rule.confidence)):
                entries.append((len(self.patterns), pattern.rule.match, point.words))
                self.patterns.append((point.id, pattern))
        self.prefilter = Prefilter(entries)

    def run(self, point: int, analysis: Analysis) -> Iterator[tuple[CompiledPattern, RawFinding]]:
        """The findings of a point's patterns, the first one a sentence, with the pattern. Raises PatternTimeout."""
        for reading, patterns in self._called(analysis).get(point, ()):
            for pattern in patterns:
                match = first_match(pattern, reading, analysis)
                if match:
                    yield pattern, _finding(point, pattern, match, reading)
                    break

    def matched(self, analysis: Analysis) -> frozenset[int]:
        """The numbers of the sentences that any of the patterns matches."""
        return frozenset(
            reading.segment.number
            for reading in (analysis.readings if self.patterns else ())
            if any(
                first_match(pattern, reading, analysis)
                for index in self.prefilter.candidates(reading.keys)
                if reading.segment.kind.value in (pattern := self.patterns[index][1]).rule.on
            )
        )

    def _called(self, analysis: Analysis) -> dict[int, list[tuple[Reading, list[CompiledPattern]]]]:
        """For each point, the sentences whose words call for patterns of it, with those; found once for the nine passes."""
        if analysis.called is None:
            analysis.called = {point: [] for point, _ in self.patterns}
            for reading in analysis.readings:
                kind = reading.segment.kind.value
                by_point: dict[int, list[CompiledPattern]] = {}
                for index in sorted(self.prefilter.candidates(reading.keys)):
                    point, pattern = self.patterns[index]
                    if kind in pattern.rule.on:
                        by_point.setdefault(point, []).append(pattern)
                for point, patterns in by_point.items():
                    analysis.called[point].append((reading, patterns))
        return analysis.called


@lru_cache(maxsize=8)
def load_patterns(overlays: tuple[Path, ...] = ()) -> Patterns:
    """The patterns of the rules in force, read once. Raises InputError where one is wrong."""
    rules = rules_in_force(overlays)
    return Patterns(rules.points, load_traits(overlays), rules)


@lru_cache(maxsize=8)
def load_switched_off(overlays: tuple[Path, ...] = ()) -> Patterns:
    """The shipped patterns that a user removed or replaced; those that go by a trait removed as well are forgotten."""
    traits = load_traits(overlays)
    return Patterns(
        (
            point.model_copy(
                update={
                    "patterns": tuple(
                        one for one in point.patterns if traits.names.issuperset(_traits_of(one))
                    ),
                    "silent_on": tuple(trait for trait in point.silent_on if trait in traits.names),
                }
            )
            for point in rules_in_force(overlays).off
        ),
        traits,
    )


def _traits_of(rule: Pattern) -> tuple[str, ...]:
    return (*rule.needs, *rule.excluded_by, *rule.despite)


def first_match(pattern: CompiledPattern, reading: Reading, analysis: Analysis) -> Match | None:
    """The first match of a pattern that nothing silences."""
    rule, silent_on = pattern.rule, pattern.silent_on
    if analysis.is_silent(reading, silent_on):
        return None
    if rule.needs and not all(analysis.has(trait, reading) for trait in rule.needs):
        return None
    text = pattern.text(reading)
    if not pattern.matcher.found_in(text) or any(other.found_in(text) for other in pattern.unless):
        return None
    if any(analysis.has(trait, reading) for trait in rule.excluded_by):
        return None
    for match in pattern.matcher.matches(text):
        if not analysis.silenced(reading, (match.start, match.end), silent_on):
            return match
    return None


def _finding(point: int, pattern: CompiledPattern, match: Match, reading: Reading) -> RawFinding:
    plain = reading.segment.plain
    rest = _REST_OF_WORD.match(plain, match.end)
    seen = plain[match.start : rest.end() if rest else match.end].strip()
    values = {"match": seen, **match.groups}
    return RawFinding(
        point=point,
        segment=reading.segment.number,
        reason=pattern.rule.reason.format(**{name: without_stop(value) for name, value in values.items()}),
        fix=_of_match(pattern.rule.fix, values),
        kind=pattern.rule.kind,
        confidence=pattern.rule.confidence,
    )


def _of_match(fix: str, values: dict[str, str]) -> str:
    """A pattern's fix with what its match gives, and with the names that `fixing` knows left for it."""
    if not names_in(fix):
        return fix.format(**values)
    quoted = {name: value.replace("{", "{{").replace("}", "}}") for name, value in values.items()}
    return fix.format(**quoted, **{name: f"{{{name}}}" for name in PASTED - values.keys()})
