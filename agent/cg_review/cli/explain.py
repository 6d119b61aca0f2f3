"""cg-review explain: a verification point or a validation code, in words."""

from __future__ import annotations

import click

from cg_review.errors import InputError
from cg_review.validator.codes import load_codes
from cg_review.validator.explain import explain_code, list_codes


@click.command("explain")
@click.argument("topic", required=False, metavar="POINT|CODE")
def command(topic: str | None) -> int:
    """Explain a verification point (1 to 9, or its name) or a validation code. Without one: list the codes."""
    if topic is None:
        click.echo(list_codes(), nl=False)
        return 0
    code = load_codes().get(topic.upper())
    click.echo(explain_code(code) if code else _explain_point(topic), nl=False)
    return 0


def _explain_point(topic: str) -> str:
    from cg_review.points import load_points  # here: points bring pydantic, codes do not

    for point in load_points():
        if topic.lower() in (str(point.id), point.slug):
            parts = [f"Point {point.id} ({point.severity}): {point.title}", point.question]
            parts += [
                f"Fails: {example.text}" + (f"\n  {example.why}" if example.why else "")
                for example in point.fails
            ]
            parts += [
                f"Passes: {example.text}" + (f"\n  {example.why}" if example.why else "")
                for example in point.passes
            ]
            parts += [
                "Does not count:\n" + "\n".join(f"- {one}" for one in point.does_not_count),
                f"Fix: {point.fix}",
            ]
            return "\n\n".join(parts) + "\n"
    raise InputError(
        f"{topic}: no point (1 to 9, or its name) and no code; `cg-review explain` lists the codes"
    )
