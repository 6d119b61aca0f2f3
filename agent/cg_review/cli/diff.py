"""`cg-review diff OLD NEW`: which findings a change brought, and which it took away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import click

from cg_review.cli.model_options import model_options
from cg_review.cli.options import read_today
from cg_review.cli.outcome import FAIL_ON, is_too_grave
from cg_review.compare import Comparison, compare, read_report, same_document
from cg_review.lines import one_line
from cg_review.pipeline import Settings, at_noon
from cg_review.results import Review, ReviewFinding
from cg_review.reviewers.factory import build
from cg_review.reviewers.settings import ModelSettings
from cg_review.run import plan, run


@click.command("diff", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("old", type=click.Path(path_type=Path, exists=True))
@click.argument("new", type=click.Path(path_type=Path, exists=True))
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="never",
    show_default=True,
    help="Exit 1 on new findings this grave.",
)
@click.option(
    "--rules",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder laid over the shipped rules.",
)
@click.option(
    "--today",
    callback=read_today,
    metavar="YYYY-MM-DD",
    help="The day to judge dates by (default: today, UTC).",
)
@model_options
def command(
    old: Path,
    new: Path,
    format_: str,
    fail_on: str,
    rules: tuple[Path, ...],
    today: date | None,
    model_settings: ModelSettings,
) -> int:
    """Compare the findings of two versions of a document or a folder; nothing is written.

    OLD and NEW are documents, folders, or reports written with `--format json` (FILE.json). A finding is the same where
    the same words stand in the same section.
    """
    now = at_noon(today) if today else datetime.now(UTC)
    settings = Settings(now=now, reviewer=build(model_settings), rules=rules)
    as_reported = _is_report(old) or _is_report(new)
    (before, code_before), (after, code_after) = (
        _reviews(path, settings, as_reported) for path in (old, new)
    )
    comparison = compare(*same_document(before, after))
    if format_ == "json":
        click.echo(json.dumps(_as_json(comparison), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(comparison)))
    grave = is_too_grave((finding for _, finding in comparison.added), fail_on)
    return max(code_before, code_after, int(grave))


def _is_report(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _reviews(path: Path, settings: Settings, as_reported: bool) -> tuple[list[Review], int]:
    """The reviews of one side; their paths as a report has them, or relative to the side where there is no report."""
    if _is_report(path):
        return read_report(path), 0
    with run(plan([str(path)], None, False, "-"), settings) as documents:
        done = list(documents)
    reviews = [one.review for one in done]
    if path.is_dir() and not as_reported:
        relative = (Path(review.path).relative_to(path).as_posix() for review in reviews)
        reviews = [
            review.model_copy(update={"path": name}) for review, name in zip(reviews, relative, strict=True)
        ]
    return reviews, max((one.exit_code for one in done), default=0)


def _lines(comparison: Comparison) -> Iterator[str]:
    for sign, side in (("+", comparison.added), ("-", comparison.gone)):
        for path, finding in side:
            points = ", ".join(map(str, finding.points))
            place = f"{path}:{finding.line}:{finding.column}"
            yield f"{sign} {place}  {finding.severity.value}  point {points}  “{one_line(finding.quote, 120)}”"
    yield (
        f"{len(comparison.added)} added, {len(comparison.gone)} gone, {len(comparison.unchanged)} unchanged"
    )


def _as_json(comparison: Comparison) -> dict[str, object]:
    def listed(side: tuple[tuple[str, ReviewFinding], ...]) -> list[dict[str, object]]:
        return [{"path": path, **finding.model_dump(mode="json")} for path, finding in side]

    return {
        "schema_version": 1,
        "added": listed(comparison.added),
        "gone": listed(comparison.gone),
        "unchanged": listed(comparison.unchanged),
    }
