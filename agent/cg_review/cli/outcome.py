"""What the exit code of a review says."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from cg_review.compare import Key
from cg_review.findings import Severity
from cg_review.results import Conflict, Review, ReviewFinding
from cg_review.run import Done

FAIL_ON = ("never", "verifiable", "temporal", "warning", "critical", "any")


class Worst:
    """Remembers the worst exit code of the documents that go by. Findings in `known` do not count."""

    def __init__(self, fail_on: str, known: Container[Key] = ()) -> None:
        self.exit_code = 0
        self._fail_on = fail_on
        self._known = known

    def watch(self, done: Iterable[Done]) -> Iterator[Review]:
        """The reviews of `done`."""
        for one in done:
            path = one.review.path
            new = [f for f in one.review.open_findings if (path, f.id) not in self._known]
            self.exit_code = max(self.exit_code, one.exit_code, int(is_too_grave(new, self._fail_on)))
            yield one.review

    def note(self, conflicts: Sequence[Conflict]) -> None:
        """Documents that contradict each other are as grave as a document that contradicts itself."""
        if conflicts and self._fail_on != "never":
            self.exit_code = max(self.exit_code, 1)


def is_too_grave(findings: Iterable[ReviewFinding], fail_on: str) -> bool:
    """Whether a finding is as grave as `fail_on` says."""
    if fail_on == "never":
        return False
    worst = Severity.VERIFIABLE if fail_on == "any" else Severity(fail_on.upper())
    return any(finding.severity.rank <= worst.rank for finding in findings)
