"""Each format for programs: read back with a parser of its own, over real, failed and nasty reviews."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from cg_review import review, sarif
from cg_review.findings import Severity
from cg_review.reports import FORMATS, render, stream
from cg_review.results import Related
from reports.samples import NASTY, TEXT, TOOL, failed, finding, made, nasty, real

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "validator/schemas/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def reviews() -> list:  # type: ignore[type-arg]
    return [real(), failed(), nasty()]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_takes_nothing_and_everything(name: str, reviews: list) -> None:  # type: ignore[type-arg]
    for some in ([], reviews):
        text = render(name, some, TOOL)
        assert text == "".join(stream(name, iter(some), TOOL))
        assert text == "" or text.endswith("\n")
        assert "\x00" not in text
        assert "\x1b" not in text


def test_json_in_parts_is_the_json_as_a_whole(reviews: list) -> None:  # type: ignore[type-arg]
    for some in ([], reviews[:1], reviews[:2]):
        documents = [review.model_dump(mode="json") for review in some]
        whole = {"schema_version": 1, "tool": TOOL.model_dump(mode="json"), "documents": documents}
        assert render("json", some, TOOL) == json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def test_a_fix_to_paste_can_be_copied_as_it_is() -> None:
    """Its Markdown stands as written, on a line of its own or as code; advice stands as prose."""
    instead = finding(3, fix="The `gate` **may** <b>fail</b>.", fix_place="instead")
    above = finding(5, fix="*(no source given)*", fix_place="above")
    advice = finding(7, fix="Give the *day*.")
    reviews = [made("a.md", instead, above, advice, text="words")]
    lines = render("text", reviews, TOOL).splitlines()
    assert lines[lines.index("      paste in its place:") + 1] == "      The `gate` **may** <b>fail</b>."
    assert (
        lines[lines.index("      paste above the table, a blank line between:") + 1]
        == "      *(no source given)*"
    )
    assert "      fix: Give the *day*." in lines
    markdown = render("markdown", reviews, TOOL)
    assert "**Paste in its place:** ``The `gate` **may** <b>fail</b>.``\n" in markdown
    assert "**Paste above the table, a blank line between:** `*(no source given)*`\n" in markdown
    html = render("html", reviews, TOOL)
    assert '<code class="paste">The `gate` **may** &lt;b&gt;fail&lt;/b&gt;.</code>' in html
    assert "<b>Fix:</b> Give the *day*." in html


REGIONS = "| Region | Fare |\n|--|--|\n| North | 1 |\n| South | 2 |\n| East | 3 |\n"


@pytest.mark.parametrize(
    "table", [REGIONS, "> " + REGIONS.replace("\n|", "\n> |"), REGIONS.replace("\n|", "\r\n|")]
)
def test_the_other_side_that_is_a_whole_table_is_told_by_its_line(table: str) -> None:
    found = review(f"We serve all four regions.\n\n{table}\nThe fares are of 2026-05-02.\n", name="a.md")
    (other,) = next(one for one in found.findings if 5 in one.points).related
    assert other.quote.startswith("| Region")
    shown = {name: render(name, [found], TOOL) for name in ("text", "html", "sarif")}
    assert "      see: the table in line 3\n" in shown["text"]
    assert "<p>See the table in line 3</p>" in shown["html"]
    (result,) = (one for one in json.loads(shown["sarif"])["runs"][0]["results"] if "relatedLocations" in one)
    assert result["relatedLocations"][0]["message"]["text"] == "the table in line 3"


def test_the_other_side_that_is_no_table_is_quoted() -> None:
    for quote in ("| North | 1 |", "A | B\n---", "One.\nTwo | three."):
        one = made("a.md", finding(5, related=(Related(quote=quote, line=3, column=2),)), text="words")
        assert f"      see: 3:2 “{' '.join(quote.split())}”\n" in render("text", [one], TOOL)


# -- SARIF -------------------------------------------------------------------------------------------------------------


def run_of(*reviews) -> dict:  # type: ignore[no-untyped-def,type-arg]
    log = json.loads(render("sarif", reviews, TOOL).encode("utf-8", "replace"))
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(log)
    (run,) = log["runs"]
    return run  # type: ignore[no-any-return]


def test_sarif_replaces_what_is_quoted_by_the_fix() -> None:
    run = run_of(
        made("a b.md", finding(3, quote="one", fix="two", fix_place="instead"), finding(4, fix="advice"))
    )
    replaced, advised = run["results"]
    (change,) = replaced["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a%20b.md"}
    region = {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 4}
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "two"}}]
    assert "fixes" not in advised
    assert replaced["message"]["text"] == "reason 3 Paste in its place: two"


def test_sarif_fits_the_published_schema(reviews: list) -> None:  # type: ignore[type-arg]
    run = run_of(*reviews)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [f"CG{point}" for point in range(1, 10)]
    assert all("Fails:\n- " in rule["help"]["text"] for rule in rules)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "not UTF-8" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert run_of(real())["invocations"] == [{"executionSuccessful": True}]


def test_sarif_regions_are_exactly_the_quotes() -> None:
    review = real()
    lines = TEXT.split("\n")
    results = run_of(review)["results"]
    quotes = {finding.id: finding.quote for finding in review.findings}
    assert len(results) == len(review.findings) > 3
    assert any("\n" in quote for quote in quotes.values())
    told = []
    for result in results:
        region = result["locations"][0]["physicalLocation"]["region"]
        first, last = region["startLine"] - 1, region["endLine"] - 1
        taken = [*lines[first : last + 1]]
        taken[-1] = taken[-1][: region["endColumn"] - 1]
        taken[0] = taken[0][region["startColumn"] - 1 :]
        told.append("\n".join(taken))
    assert sorted(told) == sorted(quotes.values())


def test_sarif_says_what_the_author_silenced() -> None:
    (one,) = [result for result in run_of(real())["results"] if "suppressions" in result]
    assert one["suppressions"] == [{"kind": "inSource", "justification": "our own price list"}]


def test_sarif_fingerprints_survive_edits_elsewhere_and_tell_documents_apart() -> None:
    def fingerprints(name: str, text: str) -> set[str]:
        return {
            one["partialFingerprints"]["cgReviewFinding/v1"] for one in run_of(real(name, text))["results"]
        }

    longer = TEXT.replace("# Plan\n", "# Plan\n\nIt has three parts (see below).\n")
    assert fingerprints("a.md", TEXT) == fingerprints("a.md", longer)
    assert not fingerprints("a.md", TEXT) & fingerprints("b.md", TEXT)


def test_sarif_keeps_the_worst_within_githubs_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 5)
    many = [made(f"{n}.md", *(finding(n * 20 + i + 1) for i in range(20))) for n in range(3)]
    worst = made("z.md", finding(1, Severity.CRITICAL), finding(2, Severity.VERIFIABLE))
    run = run_of(*many, worst)
    assert [result["level"] for result in run["results"]] == ["error"] + ["warning"] * 4
    assert run["properties"] == {"resultsLeftOut": 57}


# -- GitHub ------------------------------------------------------------------------------------------------------------


def test_github_shows_ten_of_a_kind_worst_first_and_counts_the_rest() -> None:
    temporal = made("a.md", *(finding(n, Severity.TEMPORAL) for n in range(1, 9)))
    warnings = made("b.md", *(finding(n, Severity.WARNING) for n in range(1, 9)))
    lines = render("github", [temporal, warnings, failed(), real()], TOOL).splitlines()
    assert lines[0].startswith("::error file=bad.md,line=1,col=1,title=cg-review%3A failed::")
    shown = [line for line in lines if line.startswith("::warning")]
    assert [line.split("file=")[1][:4] for line in shown[:8]] == ["b.md"] * 8
    assert len(shown) == 10
    more = [line for line in lines if not line.startswith("::")]
    assert len(more) == 1
    assert re.fullmatch(r"\d+ more of kind warning are not shown as annotations", more[0])


def test_github_lines_cannot_be_broken_out_of() -> None:
    (line,) = render("github", [nasty()], TOOL).split("\n")[:-1]
    assert line.startswith("::warning file=a%2Cb%3Ac%25</h2><script>.md,line=1,col=1,title=")
    assert "::error::" in line.split("::", 2)[2]  # inside the message, where it is only words
    assert "\r" not in line


# -- JUnit -------------------------------------------------------------------------------------------------------------


def test_junit_is_xml_whose_counts_are_right(reviews: list) -> None:  # type: ignore[type-arg]
    root = ET.fromstring(render("junit", [*reviews, made("clean.md")], TOOL).encode())
    suites = {suite.get("name"): suite for suite in root}
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
        assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
    assert len(suites["docs/a b.md"].findall("testcase/failure")) == len(real().open_findings)
    assert suites["docs/a b.md"].findall("testcase/skipped")[0].get("message") == "our own price list"
    assert "not UTF-8" in (suites["bad.md"].findall("testcase/error")[0].text or "")
    assert [case.get("name") for case in suites["clean.md"]] == ["document"]


# -- HTML --------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts = 0
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.pre = ""
        self.marked: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs) -> None:  # type: ignore[no-untyped-def]
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.scripts += tag == "script"
        if tag in ("pre", "mark"):
            self._open.append(tag)
            if tag == "mark":
                self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("pre", "mark"):
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.pre += data
        if "mark" in self._open:
            self.marked[-1] += data


def test_html_shows_the_document_as_it_is_with_its_findings_marked() -> None:
    review = real()
    page = Page(render("html", [review], TOOL))
    assert page.pre == TEXT
    assert "".join(page.marked).replace("\n", "") == "".join(
        finding.quote for finding in sorted(review.findings, key=lambda finding: finding.start)
    ).replace("\n", "")


def test_html_is_self_contained_and_runs_nothing_of_a_document() -> None:
    text = render("html", [nasty()], TOOL)
    page = Page(text)
    assert page.scripts == 1
    assert not page.attributes & {"src", "onclick", "onerror", "onload"}
    assert not page.tags & {"link", "img", "iframe", "object"}
    assert "default-src 'none'" in text
    assert "\u202e" not in text


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Debian's chromium")
def test_html_works_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(render("html", [real(), nasty()], TOOL), encoding="utf-8", errors="replace")
    command = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=3000",
        "--dump-dom",
    ]
    done = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, timeout=120, check=True)
    total = len(real().findings) + 2
    assert f"{total} of {total} findings shown" in done.stdout  # the policy let the page's own script run
    assert "alert(1)" not in re.findall(r"<script>(.*?)</script>", done.stdout, re.DOTALL)[0]


def test_a_nasty_text_is_nasty() -> None:
    assert all(piece in NASTY for piece in ("</script>", "]]>", "::error::", "\x1b", "\u202e", "\ud800"))
