"""What a run over several documents came to: counted as the documents go by, so that none has to be kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cg_review.findings import Severity
from cg_review.results import Review


class Row(NamedTuple):
    """A document's line in the table."""

    path: str
    outcome: str
    counts: tuple[int, ...]  # findings by severity, gravest first


@dataclass
class Summary:
    """The counts of a run. `cost` is in US dollars; None as long as no request with a known price was made."""

    rows: list[Row] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    remembered: int = 0
    pending: int = 0
    cost: float | None = None

    def add(self, review: Review, remembered: bool = False) -> None:
        """Count a document. What an earlier run paid is not this run's cost."""
        counts = Counter(finding.severity for finding in review.open_findings)
        outcome = review.verdict.value if review.verdict else review.status.upper()
        self.rows.append(Row(review.path, outcome, tuple(counts[severity] for severity in Severity)))
        self.statuses[review.status] += 1
        self.remembered += remembered
        self.pending += sum(claim.status == "pending" for claim in review.claims)
        cost = None if remembered else review.usage.get("cost")
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost

    def table(self) -> str:
        """A line a document in their order, then the totals."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        width = max((len(row.path) for row in self.rows), default=0)
        heads = [severity.value.lower() for severity in Severity]
        yield f"{'document':<{width}}  {'  '.join(heads)}  outcome"
        totals = [sum(row.counts[index] for row in self.rows) for index in range(len(heads))]
        for row in [*self.rows, Row("total", "", tuple(totals))]:
            cells = (f"{count:>{len(head)}}" for count, head in zip(row.counts, heads, strict=True))
            yield f"{row.path:<{width}}  {'  '.join(cells)}  {row.outcome}".rstrip()
        yield self.line()

    def line(self) -> str:
        """The totals of documents, claims and cost in a line."""
        statuses = ", ".join(f"{self.statuses[name]} {name}" for name in ("complete", "incomplete", "failed"))
        parts = [f"{len(self.rows)} documents: {statuses}"]
        if self.remembered:
            parts.append(f"{self.remembered} unchanged since an earlier run")
        parts.append(f"{self.pending} claims await a person")
        if self.cost is not None:
            parts.append(f"${self.cost:.4f}")
        return "; ".join(parts)
