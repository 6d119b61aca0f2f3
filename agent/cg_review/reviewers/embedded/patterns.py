"""A point's patterns run over the sentences of a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.points import Pattern, Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.matching import Match, Matcher, compile_matcher
from cg_review.reviewers.embedded.traits import Traits


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern ready to run. `silent_on` are the traits that silence it at the place of its match."""

    rule: Pattern
    matcher: Matcher
    unless: tuple[Matcher, ...]
    silent_on: tuple[str, ...]


def compile_patterns(point: Point, traits: Traits, timeout: float | None) -> tuple[CompiledPattern, ...]:
    """Compile a point's patterns. Raises InputError for a wrong expression, template or trait name."""
    compiled = []
    for rule in point.patterns:
        name = f"{point.id}-{point.slug}.yaml: {rule.id}"
        unknown = {*point.silent_on, *rule.needs, *rule.excluded_by, *rule.despite} - traits.names
        if unknown:
            raise InputError(f"{name}: no such trait: {', '.join(sorted(unknown))}")
        matcher = compile_matcher(rule.match, point.words, timeout, name)
        _check_templates(rule, matcher, name)
        unless = tuple(compile_matcher(expression, point.words, timeout, name) for expression in rule.unless)
        silent_on = tuple(trait for trait in point.silent_on if trait not in rule.despite)
        compiled.append(CompiledPattern(rule, matcher, unless, silent_on))
    return tuple(compiled)


def _check_templates(rule: Pattern, matcher: Matcher, name: str) -> None:
    values = {"match": "", **dict.fromkeys(matcher.compiled.groupindex, "")}
    for template in (rule.reason, rule.fix):
        try:
            template.format(**values)
        except (KeyError, IndexError, ValueError) as error:
            raise InputError(
                f"{name}: {template!r} uses a name that the match does not have: {error}"
            ) from error


def run_patterns(
    patterns: tuple[CompiledPattern, ...], point: int, analysis: Analysis
) -> Iterator[RawFinding]:
    """The findings of a point's patterns, the strongest one a sentence. Raises PatternTimeout."""
    for reading in analysis.readings:
        best = max(
            (
                (pattern, match)
                for pattern in patterns
                if reading.segment.kind.value in pattern.rule.on
                for match in matches(pattern, reading, analysis)
            ),
            key=lambda found: found[0].rule.confidence,
            default=None,
        )
        if best:
            yield _finding(point, *best, reading)


def matches(pattern: CompiledPattern, reading: Reading, analysis: Analysis) -> Iterator[Match]:
    """The matches of a pattern that nothing silences."""
    text = reading.segment.plain if pattern.rule.case_sensitive else reading.lower
    for match in pattern.matcher.matches(text):
        if any(other.found_in(text) for other in pattern.unless):
            return
        rule, at = pattern.rule, (match.start, match.end)
        if not all(analysis.has(trait, reading) for trait in rule.needs):
            return
        if any(analysis.has(trait, reading) for trait in rule.excluded_by):
            return
        if not analysis.silenced(reading, at, pattern.silent_on):
            yield match


def _finding(point: int, pattern: CompiledPattern, match: Match, reading: Reading) -> RawFinding:
    seen = reading.segment.plain[match.start : match.end].strip()
    values = {"match": seen, **match.groups}
    return RawFinding(
        point=point,
        segment=reading.segment.number,
        reason=pattern.rule.reason.format(**values),
        fix=pattern.rule.fix.format(**values),
        kind=pattern.rule.kind,
        confidence=pattern.rule.confidence,
    )
