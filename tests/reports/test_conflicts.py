"""What documents tell differently from each other, in every format of the report."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from cg_review.reports import FORMATS, render
from cg_review.results import Conflict, ConflictPlace, Review, Tool

TOOL = Tool(version="1", rules="r" * 64, model="m")
HOSTILE = 'window | <b> ::\x1b[31m"'
CONFLICT = Conflict(
    subject=HOSTILE,
    places=(
        ConflictPlace(path="a.md", line=3, column=1, quote="The window is 30 days.", value="30 days"),
        ConflictPlace(
            path="b,c.md", line=7, column=5, quote="The window is <i>14</i> days.", value="14 days"
        ),
    ),
)
REVIEWS = [Review(path=path, status="complete", verdict=None, tool=TOOL) for path in ("a.md", "b,c.md")]


def told(format_: str) -> str:
    return render(format_, REVIEWS, TOOL, conflicts=lambda: [CONFLICT])


def test_every_format_names_both_places_and_values() -> None:
    for format_ in FORMATS:
        text = told(format_)
        assert [words for words in ("30 days", "14 days", "a.md", "c.md") if words not in text] == [], format_
        assert "\x1b[31m" not in text, format_


def test_no_format_says_a_word_where_nothing_disagrees() -> None:
    for format_ in set(FORMATS) - {"json", "sarif"}:
        assert render(format_, REVIEWS, TOOL, conflicts=list) == render(format_, REVIEWS, TOOL), format_
    assert json.loads(render("json", REVIEWS, TOOL, conflicts=list))["across"] == []
    assert "across" not in json.loads(render("json", REVIEWS, TOOL))


def test_sarif_has_a_rule_and_a_result_with_its_other_side() -> None:
    (run,) = json.loads(told("sarif"))["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "CGX"
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("a.md", 3)
    (other,) = result["relatedLocations"]
    assert other["physicalLocation"]["artifactLocation"]["uri"] == "b%2Cc.md"
    assert "b,c.md:7 “14 days”" in result["message"]["text"]


def test_junit_counts_it_as_a_failure() -> None:
    suite = ElementTree.fromstring(told("junit")).findall("testsuite")[-1]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    (case,) = suite
    assert case.get("classname") == "a.md"
    assert "b,c.md:7:5: 14 days" in (case[0].text or "")


def test_github_annotates_both_places() -> None:
    lines = [line for line in told("github").splitlines() if line.startswith("::error")]
    assert [line.split(",line=")[1].split(",")[0] for line in lines] == ["3", "7"]


def test_html_links_each_place_to_its_document() -> None:
    page = told("html")
    assert 'href="#d0">a.md</a>' in page
    assert 'id="d0"' in page
    assert "<b>" not in page
    assert "&lt;i&gt;14&lt;/i&gt;" in page


def test_markdown_lists_them() -> None:
    head, listed = told("markdown").split("## Contradictions Between Documents\n")
    assert "30 days" not in head
    assert listed.count("\n  - ") == 2
