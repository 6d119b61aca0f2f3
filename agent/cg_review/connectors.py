"""Connectors to structured sources (Tier 1B): the protocol is `sources.Connector`; these two ship as working examples.

`--connector KIND:ARGUMENT` loads the entry point KIND of the group `cg_review.connectors` and calls it with ARGUMENT.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from cg_review.errors import InputError
from cg_review.sources import Connector, Passage, read_text

GROUP = "cg_review.connectors"

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_VERSION = re.compile(r"\bv?(\d+\.\d+(?:\.\d+)?(?:-[a-z]+\.?\d*)?)\b(?!%)", re.IGNORECASE)
_RELEASED = re.compile(
    r"\b(?:releas\w*|ship\w*|tagg\w*|publish\w*|deploy\w*|live|out|version)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"[$€£]?\d[\d.,]*\d?\s?(?:%|[kKmMbB]\b)?|\d")
_WORD = re.compile(r"[^\W\d_]{3,}")


def load_connectors(given: Iterable[str]) -> tuple[Connector, ...]:
    """The connectors that `KIND:ARGUMENT` texts name. Raises InputError for an unknown kind, or whatever its maker raises."""
    known = {point.name: point for point in entry_points(group=GROUP)}
    made: list[Connector] = []
    for text in given:
        kind, colon, argument = text.partition(":")
        maker = known[kind].load() if kind in known else _SHIPPED.get(kind)
        if not colon or maker is None:
            kinds = ", ".join(sorted({*known, *_SHIPPED}))
            raise InputError(f"--connector {text}: give it as KIND:ARGUMENT; kinds here: {kinds}")
        made.append(cast(Connector, maker(argument)))
    return tuple(made)


@dataclass(frozen=True)
class GitConnector:
    """The tags of a git repository: knows which version was released (or deployed) on which day.

    "Version 1.2 was released on 2026-03-04" is compared with the day of the tag v1.2 or 1.2.
    """

    name: str
    tags: dict[str, str] = field(hash=False)  # version -> day

    def can_verify(self, claim: str) -> bool:
        """A sentence of a release that names a version and a day."""
        return bool(_RELEASED.search(claim) and _version(claim) and _DAY.search(claim))

    def verify(self, claim: str) -> Passage | None:
        """Compare the day with the tag's."""
        version, days = _version(claim), _DAY.findall(claim)
        tagged = self.tags.get(version or "")
        if tagged is None or len(days) != 1:
            return None
        return Passage(f"{version} was tagged on {tagged}", f"{self.name}, tag {version}", tagged == days[0])


def git(path: str) -> GitConnector:
    """The connector for the repository at `path`. Raises InputError where git cannot read it."""
    command = [
        "git",
        "-C",
        path,
        "for-each-ref",
        "refs/tags",
        "--format=%(refname:short)%09%(creatordate:short)",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise InputError(f"--connector git:{path}: {error}") from error
    if done.returncode:
        raise InputError(f"--connector git:{path}: {done.stderr.strip().splitlines()[-1:] or 'git failed'}")
    tags = {}
    for line in done.stdout.splitlines():
        name, _, day = line.partition("\t")
        version = _VERSION.search(name)
        if version:
            tags[version[1]] = day
    return GitConnector(f"git repository {Path(path).resolve().name}", tags)


def _version(text: str) -> str | None:
    found = {match[1] for match in _VERSION.finditer(_DAY.sub(" ", text))}
    return found.pop() if len(found) == 1 else None


@dataclass(frozen=True)
class TableConnector:
    """A table of metric, period and value: "Churn was 5% in 2026-Q1" is compared with the row of that metric and period."""

    name: str
    rows: tuple[tuple[int, str, str, str], ...]  # number, metric, period, value

    def can_verify(self, claim: str) -> bool:
        """A sentence that names a metric of the table and a figure."""
        return bool(_FIGURE.search(claim)) and any(_holds(claim, metric) for _, metric, _, _ in self.rows)

    def verify(self, claim: str) -> Passage | None:
        """Compare the figures with those of the row whose metric and period the claim names; nothing where several fit."""
        rows = [row for row in self.rows if _holds(claim, row[1]) and (not row[2] or _names(claim, row[2]))]
        if len(rows) != 1:
            return None
        number, metric, period, value = rows[0]
        rest = re.sub(re.escape(period), " ", claim, flags=re.IGNORECASE) if period else claim
        figures = {_plain(match[0]) for match in _FIGURE.finditer(rest)}
        said = f"{metric}{f' in {period}' if period else ''}: {value}"
        return Passage(said, f"{self.name}, row {number}", _plain(value) in figures)


def table(path: str) -> TableConnector:
    """The connector for a CSV or JSON file with `metric`, `period` and `value`. Raises InputError where it is none."""
    text = read_text(Path(path))
    try:
        found = (
            json.loads(text) if path.lower().endswith(".json") else list(csv.DictReader(io.StringIO(text)))
        )
        rows = tuple(
            (
                number,
                str(row["metric"]).strip(),
                str(row.get("period") or "").strip(),
                str(row["value"]).strip(),
            )
            for number, row in enumerate(found, 1)
        )
    except (ValueError, KeyError, TypeError, AttributeError, csv.Error) as error:
        raise InputError(
            f"--connector table:{path}: needs the columns metric, period, value ({error})"
        ) from error
    return TableConnector(Path(path).name, rows)


def _holds(claim: str, metric: str) -> bool:
    words = {word.lower() for word in _WORD.findall(metric)}
    return bool(words) and words <= {word.lower() for word in _WORD.findall(claim)}


def _names(claim: str, period: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(period)}(?!\w)", claim, re.IGNORECASE) is not None


def _plain(figure: str) -> str:
    return re.sub(r"[\s,]", "", figure).rstrip(".").lower()


_SHIPPED = {"git": git, "table": table}
