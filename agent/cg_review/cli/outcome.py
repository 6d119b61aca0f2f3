"""What the exit code of a review says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cg_review.findings import Severity
from cg_review.results import Review
from cg_review.run import Done

FAIL_ON = ("never", "verifiable", "temporal", "warning", "critical", "any")


class Worst:
    """Remembers the worst exit code of the documents that go by."""

    def __init__(self, fail_on: str) -> None:
        self.exit_code = 0
        self._fail_on = fail_on

    def watch(self, done: Iterable[Done]) -> Iterator[Review]:
        """The reviews of `done`."""
        for one in done:
            found = 1 if _fails(one.review, self._fail_on) else 0
            self.exit_code = max(self.exit_code, one.exit_code, found)
            yield one.review


def _fails(review: Review, fail_on: str) -> bool:
    if fail_on == "never":
        return False
    worst = Severity.VERIFIABLE if fail_on == "any" else Severity(fail_on.upper())
    return any(finding.severity.rank <= worst.rank for finding in review.open_findings)
