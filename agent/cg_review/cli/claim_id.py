"""cg-review claim-id: a claim's id, as the seed's claim_id.py computes it."""

from __future__ import annotations

import click

from cg_review.cgd.ids import claim_id
from cg_review.cgd.vectors import run_claim_vectors


@click.command("claim-id")
@click.argument("text", required=False)
@click.argument("location", required=False)
@click.option(
    "--length", type=click.IntRange(8, 64), default=8, show_default=True, help="Hex digits of the id."
)
@click.option("--test", is_flag=True, help="Run the test vectors.")
def command(text: str | None, location: str | None, length: int, test: bool) -> int:
    """Compute the id of the claim TEXT at LOCATION (such as api-pricing/1)."""
    if test:
        results = list(run_claim_vectors())
        for name, passed in results:
            click.echo(f"{'PASS' if passed else 'FAIL'}: {name}")
        return 0 if all(passed for _, passed in results) else 1
    if text is None or location is None:
        raise click.UsageError("give TEXT and LOCATION, or --test")
    click.echo(claim_id(text, location, length))
    return 0
