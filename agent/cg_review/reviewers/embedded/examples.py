"""The examples of a user's own rules, run: one that fires has to give a finding of its point, a silent one none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from cg_review.lines import one_line
from cg_review.parse import parse
from cg_review.points import Example, Point, RulesInForce, load_points, rules_in_force
from cg_review.reviewers import PassFailed
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.patterns import CompiledPattern, first_match


@dataclass(frozen=True, slots=True)
class Case:
    """An example: where it stands, its point, whether it has to fire, and the rule that has to (None: any)."""

    where: str
    point: Point
    example: Example
    fires: bool
    rule: CompiledPattern | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """How many rules and examples there are; a line for each example that does not behave, each rule whose fix settles
    none of its examples, and each rule that has no examples."""

    rules: int
    examples: int
    faults: tuple[str, ...]
    unsettled: tuple[str, ...]
    untested: tuple[str, ...]


def check_own_examples(overlays: tuple[Path, ...]) -> Checked:
    """Run the examples of all that is not shipped. Raises InputError where a rule cannot be loaded."""
    reviewer = EmbeddedReviewer(overlays)
    rules = rules_in_force(overlays)
    own = [(n, one) for n, one in reviewer.patterns.patterns if (n, one.rule.id) in rules.own]
    cases = [*_of_patterns(own, reviewer), *_of_points(rules)]
    told = [(case, _fault_of(case, reviewer)) for case in cases]
    faults = [f"{_told(case)}: {fault}" for case, fault in told if fault]
    good = [case for case, fault in told if not fault]
    untested = [
        f"{pattern.matcher.name}: has no example that {kind}"
        for _, pattern in own
        for kind, given in (("fires", pattern.rule.fires), ("is silent", pattern.rule.silent))
        if not given
    ]
    unsettled = [line for _, pattern in own for line in _unsettled(pattern, good, reviewer)]
    return Checked(len(own), len(cases), tuple(faults), tuple(unsettled), tuple(untested))


def _of_patterns(own: Iterable[tuple[int, CompiledPattern]], reviewer: EmbeddedReviewer) -> Iterator[Case]:
    for number, pattern in own:
        point, where = reviewer.points[number], pattern.matcher.name
        yield from (Case(where, point, one, True, pattern) for one in pattern.rule.fires)
        yield from (Case(where, point, one, False) for one in pattern.rule.silent)


def _of_points(rules: RulesInForce) -> Iterator[Case]:
    """The examples that a user gave to the points themselves."""
    for shipped, point in zip(load_points(), rules.points, strict=True):
        where = f"point {point.id}"
        yield from (Case(where, point, one, True) for one in point.fails if one not in shipped.fails)
        yield from (Case(where, point, one, False) for one in point.passes if one not in shipped.passes)


def _told(case: Case) -> str:
    return f"{case.where}: {'fires' if case.fires else 'silent'}: “{one_line(case.example.text)}”"


def _fault_of(case: Case, reviewer: EmbeddedReviewer) -> str:
    """What is wrong with an example; "" where it behaves."""
    document, today = parse(case.example.text), date.fromisoformat(case.example.today)
    result = reviewer.ask(case.point.id, document, today)
    if isinstance(result, PassFailed):
        return result.reason
    seen = [
        (document.segment(raw.segment).span.of(document.text), raw) for raw in result.findings if raw.segment
    ]
    if not case.fires:
        return f"point {case.point.id} finds: {one_line(seen[0][1].reason)}" if seen else ""
    if case.rule is not None and (why := _why_silent(case.rule, Analysis(document, today, reviewer.traits))):
        return why
    quote = case.example.quote or ""
    if not any(quote in text or text in quote for text, _ in seen):
        return f"finds {one_line(repr(seen[0][0]))}, not the quote" if seen else "nothing is found"
    return ""


def _unsettled(pattern: CompiledPattern, cases: Iterable[Case], reviewer: EmbeddedReviewer) -> Iterator[str]:
    """That a rule's fix could be pasted in examples of its own and is given in none of them."""
    passed_over = [
        (case, reviewer.fixer.is_passed_over(finding, analysis))
        for case in cases
        if case.rule is pattern
        for analysis in [_analysis(case, reviewer)]
        for one, finding in reviewer.patterns.run(case.point.id, analysis)
        if one is pattern
    ]
    if passed_over and all(over for _, over in passed_over):
        case = passed_over[0][0]
        yield (
            f"{_told(case)}: another fix is given, for with its own `fix` the sentence would be found again: "
            f"no trait of it silences point {case.point.id} ({', '.join(case.point.silent_on)})"
        )


def _analysis(case: Case, reviewer: EmbeddedReviewer) -> Analysis:
    return Analysis(parse(case.example.text), date.fromisoformat(case.example.today), reviewer.traits)


def _why_silent(pattern: CompiledPattern, analysis: Analysis) -> str:
    """Why a pattern matches nowhere; "" where it matches."""
    readings = [one for one in analysis.readings if one.segment.kind.value in pattern.rule.on]
    if any(first_match(pattern, one, analysis) for one in readings):
        return ""
    hit = next((one for one in readings if pattern.matcher.found_in(pattern.text(one))), None)
    if hit is None:
        of = "as written" if pattern.rule.case_sensitive else "in lower case"
        return f"`match` is in no sentence of it (they are read {of}, without markup)"
    rule = pattern.rule
    unless = next((one.expression for one in pattern.unless if one.found_in(pattern.text(hit))), None)
    reasons = [f"`unless` {one_line(unless)} silences it"] if unless else []
    reasons += [f"the trait {name} is not there" for name in rule.needs if not analysis.has(name, hit)]
    reasons += [f"the trait {name} silences it" for name in rule.excluded_by if analysis.has(name, hit)]
    reasons += [f"the trait {name} silences it" for name in pattern.silent_on if analysis.has(name, hit)]
    return "; ".join(reasons) or "something silences it"
