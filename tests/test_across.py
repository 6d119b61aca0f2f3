"""Contradictions between documents: what is one, and above all what is none."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from cg_review.across import Across
from cg_review.cli import main
from cg_review.results import Conflict, Review, Tool

TOOL = Tool(version="1", rules="r", model="m")


def conflicts(**texts: str) -> list[Conflict]:
    across = Across()
    reviews = [
        Review(path=f"{name}.md", status="complete", verdict=None, text=text, tool=TOOL)
        for name, text in texts.items()
    ]
    assert list(across.watch(reviews)) == reviews
    return across.conflicts()


@pytest.mark.parametrize(
    ("one", "two", "values"),
    [
        ("The refund window is 30 days.", "Our refund window is 14 days.", ("30 days", "14 days")),
        ("The refund window is 30 days.", "- Refund window: 14 days", ("30 days", "14 days")),
        ("Project Atlas launches on 2027-03-01.", "Project Atlas ships on 1 April 2027.", ("2027-03-01", "1 April 2027")),
        ("Atlas goes live on 2027-03-01.", "Atlas goes live on 2027-04-01.", ("2027-03-01", "2027-04-01")),
        ("The standard plan costs $40 per month.", "The standard plan costs $45 per month.", ("$40 per month", "$45 per month")),
        ("The billing service is owned by Ana Ruiz.", "The owner of the billing service is Bo Li.", ("Ana Ruiz", "Bo Li")),
        ("The support contract expires on 2027-01-31.", "The support contract ends on 2027-06-30.", ("2027-01-31", "2027-06-30")),
        ("The request timeout is 1.5 s.", "The request timeout is 2,000 ms.", ("1.5 s", "2,000 ms")),
    ],
)  # fmt: skip
def test_documents_that_disagree(one: str, two: str, values: tuple[str, str]) -> None:
    (conflict,) = conflicts(a=f"# A\n\n{one}\n", b=f"# B\n\nIntro text.\n\n{two}\n")
    assert tuple(place.value for place in conflict.places) == values
    assert [(place.path, place.line) for place in conflict.places] == [("a.md", 3), ("b.md", 5)]
    assert conflict.places[0].quote == one


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The refund window is 30 days.", "The refund window is 30 days."),
        ("The request timeout is 1.5 s.", "The request timeout is 1,500 ms."),
        ("The refund window is 30 days.", "The exchange window is 14 days."),
        ("The refund window is 30 days for business customers.", "The refund window is 14 days for consumers."),
        ("The refund window is 30 days.", "The refund window is about 28 days."),
        ("The refund window is 30 days.", "The refund window was 14 days."),
        ("The refund window is 30 days.", "The refund window is not 14 days."),
        ("The refund window is 30 days.", "If nobody asks, the refund window is 14 days."),
        ("The refund window is 30 days.", 'One forum post says "the refund window is 14 days".'),
        ("The refund window is 30 days.", "> The refund window is 14 days."),
        ("The refund window is 30 days.", "```\nThe refund window is 14 days.\n```"),
        ("The refund window is 30 days.", "The refund window is 14 days shorter than before."),
        ("It is 30 days.", "It is 14 days."),
        ("Owner: Ana Ruiz", "Owner: Bo Li"),
        ("Date: 2026-01-01", "Date: 2026-02-01"),
        ("Last updated: 2026-01-01", "Last updated: 2026-02-01"),
        ("The total is $40.", "The total is $50."),
        ("The revenue in 2025 is $4M.", "The revenue in 2026 is $5M."),
        ("Project Atlas launches on 2027-03-01.", "Project Boreas launches on 2027-04-01."),
        ("The meeting starts on 3/4/2027.", "The meeting starts on 4/3/2027."),
        ("The billing service is owned by Ana Ruiz.", "The billing service is run by Bo Li's team in Lyon."),
    ],
)  # fmt: skip
def test_documents_that_do_not_disagree(one: str, two: str) -> None:
    assert conflicts(a=f"# A\n\n{one}\n", b=f"# B\n\n{two}\n") == []


def test_a_document_that_tells_both_takes_no_side() -> None:
    change = "The refund window is 30 days.\n\nSince May, the refund window is 14 days.\n\n## More\n\nThe refund window is 14 days.\n"
    assert conflicts(a=change, b="The refund window is 30 days.\n") == []
    (conflict,) = conflicts(
        a=change, b="The refund window is 30 days.\n", c="The refund window is 14 days.\n"
    )
    assert [place.path for place in conflict.places] == ["b.md", "c.md"]


@pytest.mark.parametrize(
    "text",
    [
        "# " + "x " * 200_000,
        "---\n" + "\n" * 200_000 + "\n---\nx",
        "# A\n\n| a | " + "b " * 50_000 + "|\n|---|---|\n| " + "c " * 50_000 + "| 5 |\n",
        "# A\n\n" + "the " * 50 + "is 5 days.\n\n" + "Aa " * 70 + "is owned by Bb Cc.\n",
    ],
    ids=["title", "frontmatter", "cells", "words"],
)
def test_hostile_documents_take_no_longer_than_long_ones(text: str) -> None:
    began = time.process_time()
    assert conflicts(a=text, b=text) == []
    assert time.process_time() - began < 10


def test_many_documents_of_one_form_take_seconds() -> None:
    pages = {f"p{i}": f"# Page {i}\n\nThe refund window is {10 + i % 2} days.\n" for i in range(1500)}
    began = time.process_time()
    assert conflicts(**pages) == []
    assert time.process_time() - began < 20


def test_the_command_reports_them_and_fails_on_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("The refund window is 30 days.\n")
    (tmp_path / "b.md").write_text("The refund window is 14 days.\n")
    arguments = [str(tmp_path), "--across", "--model", "embedded", "--today", "2026-11-30"]
    for more, code in ((["--format", "json"], 0), (["--fail-on", "critical"], 1)):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, *more])
        assert ended.value.code == code
        output = capsys.readouterr().out
        if "json" in more:
            (conflict,) = json.loads(output)["across"]
            assert conflict["subject"] == "refund window"
            assert [place["value"] for place in conflict["places"]] == ["30 days", "14 days"]
        else:
            assert "documents disagree about “refund window”" in output
