"""Option values that several commands read the same way."""

from __future__ import annotations

from datetime import UTC, date, datetime

import click


def read_today(ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
    """A real day as YYYY-MM-DD."""
    if value is None:
        return None
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date such as 2026-01-12") from None


def read_moment(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """A moment in ISO 8601; UTC where it has no offset."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a moment such as 2026-01-12T09:30:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
