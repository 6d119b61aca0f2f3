"""cg-review explain: a verification point, one of its rules or a validation code, in words; and whether own rules behave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cg_review.errors import InputError
from cg_review.validator.codes import load_codes
from cg_review.validator.explain import explain_code, list_codes

if TYPE_CHECKING:
    from cg_review.points import Example, Point, RulesInForce


@click.command("explain")
@click.argument("topic", required=False, metavar="POINT[/RULE]|CODE")
@click.option(
    "--rules",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder laid over the shipped rules.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Run the examples of the rules in --rules; exit 1 where one fails, or no fix settles it.",
)
def command(topic: str | None, rules: tuple[Path, ...], check: bool) -> int:
    """Explain a verification point (1 to 9, or its name) with its rules, one rule (1/factor), or a validation code.

    Without one: list the codes. With --check: say which examples of your own rules do not behave as they say.
    """
    if check:
        return _check(topic, rules)
    if topic is None:
        click.echo(list_codes(), nl=False)
        return 0
    code = load_codes().get(topic.upper())
    click.echo(explain_code(code) if code else _explain_point(topic, rules), nl=False)
    return 0


def _check(topic: str | None, rules: tuple[Path, ...]) -> int:
    from cg_review.reviewers.embedded.examples import check_own_examples  # here: it brings all of a review

    if topic is not None or not rules:
        raise click.UsageError("--check goes with --rules DIR, and checks all of it")
    checked = check_own_examples(rules)
    for line in (*checked.faults, *checked.unsettled, *checked.untested):
        click.echo(line)
    good = checked.examples - len(checked.faults)
    click.echo(
        f"{checked.rules} rule(s) of your own; {good} of {checked.examples} example(s) behave as they say"
    )
    return 1 if checked.faults or checked.unsettled else 0


def _explain_point(topic: str, overlays: tuple[Path, ...]) -> str:
    from cg_review.points import rules_in_force  # here: points bring pydantic, codes do not

    rules = rules_in_force(overlays)
    name, slash, rule = topic.partition("/")
    for point in rules.points:
        if name.lower() in (str(point.id), point.slug):
            return _rule(point, rule, rules) if slash else _page(point, rules)
    raise InputError(
        f"{topic}: no point (1 to 9, or its name) and no code; `cg-review explain` lists the codes"
    )


def _page(point: Point, rules: RulesInForce) -> str:
    parts = [f"Point {point.id} ({point.severity}): {point.title}", point.question]
    parts += [_example("Fails", example) for example in point.fails]
    parts += [_example("Passes", example) for example in point.passes]
    parts += [
        "Does not count:\n" + "\n".join(f"- {one}" for one in point.does_not_count),
        f"Fix: {point.fix}",
    ]
    if point.patterns:
        listed = [f"- {point.id}/{one.id}{_whose(point, one.id, rules)}" for one in point.patterns]
        parts.append("\n".join(["Rules of the embedded reviewer:", *listed]))
    if point.words:
        parts.append(f"Vocabularies (`words`): {', '.join(point.words)}")
    gone = [one.id for off in rules.off if off.id == point.id for one in off.patterns]
    gone = [id_ for id_ in gone if id_ not in {one.id for one in point.patterns}]
    if gone:
        parts.append("Switched off:\n" + "\n".join(f"- {point.id}/{id_}" for id_ in gone))
    return "\n\n".join(parts) + "\n"


def _whose(point: Point, rule: str, rules: RulesInForce) -> str:
    file = rules.own.get((point.id, rule))
    return f"  (yours: {file})" if file else ""


def _example(title: str, example: Example) -> str:
    return f"{title}: {example.text}" + (f"\n  {example.why}" if example.why else "")


def _rule(point: Point, name: str, rules: RulesInForce) -> str:
    """A pattern as it stands in a rule file, to be copied under `replace`."""
    import io

    from ruamel.yaml import YAML

    pattern = next((one for one in point.patterns if one.id == name), None)
    if pattern is None:
        raise InputError(f"{point.id}/{name}: no such rule; `cg-review explain {point.id}` lists them")
    yaml = YAML()
    yaml.width = 1_000_000
    text = io.StringIO()
    yaml.dump([pattern.model_dump(mode="json", exclude_defaults=True)], text)
    used = [key for key in point.words if any(f"\\L<{key}>" in e for e in (pattern.match, *pattern.unless))]
    words = "".join(f"# {key}: {', '.join(point.words[key])}\n" for key in used)
    return f"# point {point.id}{_whose(point, name, rules)}\n{words}{text.getvalue()}"
