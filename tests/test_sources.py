"""Sources of truth, connectors, and what they lead to: Round A, Round B, a contradiction (issue D; the seed's Tier 1)."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest
from cg_review import review
from cg_review.cli import main
from cg_review.connectors import git, load_connectors, table
from cg_review.errors import InputError
from cg_review.sources import Connector, Passage, find_contradiction, find_passage, read_sources

TODAY = date(2026, 6, 15)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.csv"
    path.write_text("product,price\nThe base fare costs,$4\nThe night fare costs,$9\n")
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A real repository with two tags on known days."""
    folder = tmp_path / "ferry"
    folder.mkdir()
    environment = {
        "GIT_AUTHOR_NAME": "Jo",
        "GIT_AUTHOR_EMAIL": "jo@example.com",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    environment |= {
        "GIT_COMMITTER_NAME": "Jo",
        "GIT_COMMITTER_EMAIL": "jo@example.com",
        "HOME": str(tmp_path),
    }

    def run(day: str, *arguments: str) -> None:
        at = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
        subprocess.run(
            ["git", "-C", str(folder), *arguments], env={**environment, **at}, check=True, capture_output=True
        )

    run("2026-03-04", "init", "-q")
    for day, version in (("2026-03-04", "v1.2"), ("2026-05-01", "v1.3.0")):
        run(day, "commit", "--allow-empty", "-q", "-m", version)
        run(day, "tag", version)
    return folder


# -- documents ---------------------------------------------------------------------------------------------------------


def test_rows_and_json_entries_are_read_with_their_names(tmp_path: Path, prices: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps({"fares": [{"name": "base fare", "price": "$4"}], "currency": {"code": "USD"}, "n": 3})
    )
    csv, entries = read_sources([prices, path])
    assert csv.lines[0] == (2, "product: The base fare costs; price: $4")
    assert [text for _, text in entries.lines] == [
        "n: 3",
        "fares: name: base fare; price: $4",
        "currency: code: USD",
    ]
    found = find_passage("The base fare costs $4.", "$4", [csv, entries])
    assert found is not None
    assert found.quoted == "prices.csv, line 2: “product: The base fare costs; price: $4”"


@pytest.mark.parametrize(("name", "text"), [("a.json", "{"), ("a.json", "[" * 100_000), ("a.txt", "\udcff")])
def test_a_source_that_is_damaged_is_told(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"a\.(json|txt)"):
        read_sources([path])


@pytest.mark.parametrize(
    ("claim", "line", "clashes"),
    [
        ("The base fare costs $5.", "The base fare costs $4", True),
        ("The base fare costs $4.", "The base fare costs $4", False),
        ("The base fare costs $5.", "The night fare of the other line costs $4", False),
        ("The base fare costs 5%.", "The base fare costs $4", False),
        ("In 2025 the base fare costs $5.", "In 2024 the base fare costs $4", False),
        ("In 2025 the base fare costs $5.", "In 2025 the base fare costs $4", True),
        ("The base fare costs $1,000.", "The base fare costs $1000", False),
        ("The base fare costs little.", "The base fare costs $4", False),
    ],
)
def test_what_contradicts(tmp_path: Path, claim: str, line: str, clashes: bool) -> None:
    path = tmp_path / "a.txt"
    path.write_text(line)
    assert (find_contradiction(claim, read_sources([path])) is not None) is clashes


def test_a_source_that_contradicts_blocks_until_a_person_settles_it(prices: Path) -> None:
    result = review(
        "# Fares\n\nThe base fare costs $5.\n", name="fares.md", today=TODAY, sources=[prices], attended=True
    )
    (finding,) = (one for one in result.findings if 5 in one.points)
    assert "prices.csv, line 2" in finding.reason
    assert (result.verdict, result.tier1) == ("BLOCKED", "BLOCK")
    (claim,) = result.claims
    assert claim.round == "B"
    assert claim.why == "conflict: a source says otherwise"
    assert "Compare with prices.csv, line 2" in claim.source
    assert review("# Fares\n\nIt rains.\n", today=TODAY).tier1 == "PASS"


# -- connectors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "agrees"),
    [
        ("Version 1.2 was released on 2026-03-04.", True),
        ("v1.3.0 shipped on 2026-05-02.", False),
        ("Version 9.9 was released on 2026-03-04.", None),
        ("Version 1.2 was released in spring.", None),
        ("The harbour opened on 2026-03-04.", None),
        ("Version 1.2 was released on 2026-03-04, 1.3.0 on 2026-05-01.", None),
    ],
)
def test_git_knows_when_a_version_was_tagged(repository: Path, claim: str, agrees: bool | None) -> None:
    connector = git(str(repository))
    found = connector.verify(claim) if connector.can_verify(claim) else None
    assert (found and found.agrees) is agrees


def test_a_table_knows_metric_period_and_value(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text("metric,period,value\nchurn,2026-Q1,5%\nchurn,2026-Q2,4%\nferries,,12\n")
    connector = table(str(path))
    assert connector.can_verify("Churn was 5% in 2026-Q1.")
    assert connector.verify("Churn was 5% in 2026-Q1.") == Passage(
        "churn in 2026-Q1: 5%", "metrics.csv, row 1", agrees=True
    )
    contradicted = connector.verify("In 2026-Q2 churn fell to 3%.")
    assert contradicted is not None
    assert not contradicted.agrees
    assert connector.verify("Churn was 5%.") is None
    assert not connector.can_verify("The sea is wide.")
    as_json = tmp_path / "metrics.json"
    as_json.write_text('[{"metric": "ferries", "value": 12}]')
    assert table(str(as_json)).verify("We run 12 ferries.") is not None


def test_what_a_connector_finds_is_evidence_and_no_answer(repository: Path) -> None:
    text = "# Releases\n\nVersion 1.3.0 was released on 2026-05-02 and is the most reliable ferry software.\n"
    result = review(text, name="a.md", today=TODAY, sources=[git(str(repository))], attended=True)
    assert result.verdict == "BLOCKED"
    assert all(claim.status == "pending" for claim in result.claims)
    agreed = review(
        text.replace("05-02", "05-01"),
        name="a.md",
        today=TODAY,
        sources=[git(str(repository))],
        attended=True,
    )
    assert [claim.round for claim in agreed.claims] == ["A"]
    assert "tag 1.3.0" in agreed.claims[0].source
    assert agreed.hitl_status == "PENDING"


def test_a_connector_of_ones_own() -> None:
    class Tides:
        name = "tides"

        def can_verify(self, claim: str) -> bool:
            return "tide" in claim

        def verify(self, claim: str) -> Passage | None:
            return Passage("high tide at noon", "the tide table", agrees=False)

    assert isinstance(Tides(), Connector)
    result = review("# Tides\n\nThe tide is always high at 9.\n", name="a.md", today=TODAY, sources=[Tides()])
    assert result.tier1 == "BLOCK"


@pytest.mark.parametrize("given", ["git", "ftp:x", "git:/nowhere", "table:/nowhere.csv", ""])
def test_a_connector_that_cannot_be_had_is_told(given: str) -> None:
    with pytest.raises(InputError, match=r"--connector|cannot be read"):
        load_connectors([given])


# -- the command -------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(list(arguments))
    return int(exit_.value.code or 0)


def test_the_options_of_the_command(tmp_path: Path, prices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "fares.md"
    source.write_text("# Fares\n\nThe base fare costs $5.\n")
    shared = (str(source), "--no-write", "--today", "2026-06-15", "--model", "embedded", "--format", "json")
    assert run(*shared, "--source", str(prices)) == 0
    assert json.loads(capsys.readouterr().out)["documents"][0]["tier1"] == "BLOCK"
    assert run(*shared, "--no-source", "--attended") == 0
    assert json.loads(capsys.readouterr().out)["documents"][0]["tier1"] == "PASS"
    assert run(*shared, "--no-source", "--source", str(prices)) == 2
    assert run(*shared, "--connector", "git:/nowhere") == 2


# -- a Source of Truth's table -----------------------------------------------------------------------------------------

SOT = """\
# Facts

## Verified Claims

| Claim | Value | Source | Verified |
|-------|-------|--------|----------|
| Base fare [CHECK] | $4 | fare table | {old} |
| Night fare | $9 | fare table | {old} |
| Ferries [STABLE] | 12 | register | {old} |
| Piers | 3 | register | {old} |
| Crew [VOLATILE] | 40 | roster | {new} |
"""


def test_facts_that_age_are_warned_of(tmp_path: Path) -> None:
    from cg_review.cgd.seal import seal
    from cg_review.tiers import Tier, promote
    from hitl_cases import all_true, drafted

    done = all_true(drafted("# Facts\n\nIt rains.\n", "facts.md"))
    body = SOT.format(old="2025-01-10", new="2026-06-01").split("# Facts\n\n")[1]
    sot = promote(
        seal(done.replace("It rains.\n", f"It rains.\n\n{body}")), Tier("Harbour", "1.0", "Jo"), TODAY
    )
    result = review(sot.encode(), name="facts.cgd.md", today=TODAY)
    aged = [finding.quote for finding in result.findings if "was verified on" in finding.reason]
    assert ["Base fare" in aged[0], "Night fare" in aged[1], len(aged)] == [True, True, 2]
