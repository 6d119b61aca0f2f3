"""Point 5: the ledger made once, and every comparison run over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded import (
    absolutes,
    after_tables,
    arithmetic,
    attendance,
    cells,
    changes_told,
    columns,
    conclusions,
    consistency,
    enumerations,
    equations,
    facts,
    identifiers,
    movements,
    plans,
    prices,
    quantified,
    quotients,
    ratios_elsewhere,
    relations,
    requirements,
    settings,
    specs,
    summaries,
    sums,
    superlatives,
    table_figures,
    table_totals,
    totals,
)
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.ledger import Ledger, ledger_of

Comparison = Callable[[Point, Analysis, Ledger], Iterator[RawFinding]]
COMPARISONS: tuple[Comparison, ...] = (
    consistency.opposites,
    consistency.conflicting_counts,
    consistency.wrong_lists,
    consistency.wrong_inline_lists,
    consistency.ambiguous_amounts,
    consistency.mislabelled_links,
    arithmetic.wrong_ratios,
    arithmetic.wrong_changes,
    arithmetic.wrong_excesses,
    arithmetic.wrong_sums,
    facts.conflicting_measures,
    facts.conflicting_events,
    facts.conflicting_hours,
    summaries.summary_against_body,
    facts.conflicting_versions,
    facts.conflicting_posts,
    table_totals.wrong_totals,
    table_figures.counts_against_columns,
    table_figures.prose_against_cells,
    relations.wrong_changes_of_rows,
    relations.wrong_differences,
    relations.wrong_shares_of_totals,
    relations.wrong_shares_of_rows,
    relations.wrong_rates,
    superlatives.wrong_superlatives,
    superlatives.wrong_leaders,
    totals.wrong_totals_told,
    movements.wrong_directions,
    movements.wrong_factors,
    ratios_elsewhere.wrong_shares_elsewhere,
    after_tables.wrong_conclusions_from_tables,
    plans.wrong_budgets,
    plans.broken_for_every_row,
    plans.wrong_statuses,
    cells.counts_beside_amounts,
    cells.wrong_means,
    cells.wrong_unit_prices,
    quantified.broken_for_all,
    columns.wrong_derived_cells,
    columns.wrong_weighted_totals,
    equations.wrong_durations,
    equations.wrong_durations_told,
    conclusions.wrong_asides,
    sums.wrong_sums_told,
    equations.wrong_equations,
    equations.wrong_products,
    conclusions.wrong_conclusions,
    changes_told.wrong_changes_told,
    changes_told.wrong_points,
    changes_told.wrong_multiples,
    prices.wrong_yearly_prices,
    settings.conflicting_settings,
    specs.wrong_specs,
    quotients.wrong_quotients,
    identifiers.wrong_identifiers,
    requirements.unsupported_versions,
    requirements.conflicting_codes,
    absolutes.broken_absolutes,
    enumerations.wrong_enumerations,
    attendance.wrong_attendance,
    attendance.different_numbers_of_us,
    attendance.different_numbers_of_them,
    attendance.wrong_all_of_them,
)


def contradictions(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """What cannot both be true, from every comparison."""
    ledger = ledger_of(analysis, point)
    for comparison in COMPARISONS:
        yield from comparison(point, analysis, ledger)
