"""Every fix of the embedded reviewer is a text to paste: pasted, it settles its finding, says the same and breaks nothing."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from cg_review.document import Document, SegmentKind
from cg_review.errors import InputError
from cg_review.findings import RawFinding
from cg_review.points import ALL_POINTS, Example
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.fixing import LONGEST_FIX
from cg_review.reviewers.embedded.swapping import folded, number_like
from cg_review.structure import shape_of
from hypothesis import given
from hypothesis import strategies as st
from pasting import POINTS, REVIEWER, TODAY, paste, read, review
from strategies import documents

REWORDED = {2: 1, 5: 2, 6: 1, 7: 1, 8: 2}
"""How many words of a sentence a fix may exchange: "will", "improves"; a figure or a name of two words, "two years"."""


def examples(number: int) -> Iterator[Example]:
    point = POINTS[number]
    yield from point.fails
    for pattern in point.patterns:
        yield from pattern.fires


@pytest.mark.parametrize("number", ALL_POINTS)
def test_a_fix_settles_every_failing_example_and_says_the_same(number: int) -> None:
    seen = 0
    for example in examples(number):
        today = date.fromisoformat(example.today)
        document, findings = review(example.text, today)
        for finding in findings:
            if number not in finding.points:
                continue
            seen += 1
            assert not re.search(r'(?<!\.)\."', finding.reason), (
                finding.reason
            )  # a quote without its full stop
            pasted, start, end = paste(document, finding)
            _, after = review(pasted, today)
            left = {p for one in after if one.span.start < end and start < one.span.end for p in one.points}
            assert not left & set(finding.points), (example.text, finding.fix)
            lost = Counter(words(finding.quote)) - Counter(words(pasted[start:end]))
            assert lost.total() <= REWORDED.get(finding.points[0], 0), (finding.quote, finding.fix)
    assert seen >= len(POINTS[number].fails)


def words(text: str) -> list[str]:
    return re.findall(r"[\w.,:%€$£-]*\w", text)


def test_a_stamp_of_the_frontmatter_gets_advice_alone() -> None:
    """The one thing that no text settles: YAML takes no marker, and nothing in the document tells the right day."""
    _, (finding,) = review("---\nlast-updated: 2025-01-15\n---\n\n# Page\n\nText here.\n")
    assert (finding.points, finding.fix_place) == ((8,), "")
    assert finding.fix.startswith("Give the day")


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("Revenue will be $50M by Q4.", "Revenue is **projected** to be $50M by Q4."),
        ("By Q4 revenue and costs will be $50M.", "PROJECTED: By Q4 revenue and costs will be $50M."),
        ("The *new* `gate` [never](x.md) fails.", "HYPOTHESIS: The *new* `gate` [never](x.md) fails."),
        ("The **interface** is *intuitive*.", "The **interface** is *intuitive*, in our view."),
        ("**The interface is intuitive.**", "HYPOTHESIS: **The interface is intuitive.**"),
        ("> The system scales\r\n> linearly.", "The system scales linearly (conditions to be confirmed)."),
        ("Response time  \nis 50ms.", "Response time  \nis 50ms (conditions to be confirmed)."),
        ("The system scales\\\nlinearly.", "The system scales\\\nlinearly (conditions to be confirmed)."),
        ("> - The system scales  \r\n>   linearly.", "The system scales  \r\n>   linearly (conditions to be confirmed)."),
        ("The new\ngate never  \nfails and the system scales\nlinearly.", "The new gate never  \nfails and the system scales linearly (conditions to be confirmed)."),
        (":::note\nToday the new gate\nnever fails in the wind.\n:::\n", ":::note\nHYPOTHESIS: Today the new gate never fails in the wind."),
        ("> ::: note\n> Today the new gate never fails in the wind\n> :::\n", "::: note\n> Today the new gate never fails in the wind *(hypothesis, not validated)*\n> :::"),
        ("- Here it is:\n  :::\n  Today the new gate never fails in the wind\n", "Here it is:\n  :::\n  Today the new gate never fails in the wind *(hypothesis, not validated)*"),
        ("- The {gate} never fails.", "HYPOTHESIS: The {gate} never fails."),
        ("The gate never fails, while the lock always holds.", "The gate never fails, while the lock always holds *(hypothesis, not validated)*."),
        ("Half of all \x07 homes have a boat.", "Half of all   homes have a boat (unverified)."),
        ("Shorter prompts improve quality.", "HYPOTHESIS: Shorter prompts improve quality."),
        ("Two colours: red, green and blue.", "Three colours: red, green and blue."),
        ("The two colours are red, green and blue.", "The three colours are red, green and blue."),
        ("Our *two* labels are red, amber and grey.", "Our *three* labels are red, amber and grey."),
        ("126 of 350 tenants replied, a response *rate* of 46%.", "126 of 350 tenants replied, a response *rate* of 36%."),
        ("126 of 350 tenants replied, a response rate of **46**%.", "126 of 350 tenants replied, a response rate of **46**% *(conflicting statements in this document)*."),
        ("Source: till log of 2026-05-02.\n\n| A | B |\n|--|--|\n| x | 10 |\n| y | 20 |\n| **Total** | **40** |", "**Total** | **30**"),
        ("The gate was inspected on Monday, 2026-11-03.", "The gate was inspected on Tuesday, 2026-11-03."),
        ("# A\n\nDate: 2026-06-03\n\nIt is currently the longest pier on the coast.", "It is currently the longest pier on the coast (as of 2026-06-03)."),
    ],
)  # fmt: skip
def test_fixes_keep_the_markdown_of_the_sentence(text: str, fix: str) -> None:
    _, findings = review(text)
    assert [finding.fix for finding in findings] == [fix]


def test_a_sentence_too_long_to_paste_gets_advice() -> None:
    _, (finding,) = review("The gate never fails" + " in the wind and the rain" * 60 + ".")
    assert finding.fix_place == ""
    assert len(finding.fix) < 200


# The plugin reads some math only behind words; a tab, as every control character, is pasted as a blank.
@given(documents.filter(lambda text: "$x^2$" not in text).map(lambda text: text.replace("\t", " ")))
def test_pasted_fixes_break_no_structure(text: str) -> None:
    document = read(text)
    analysis = Analysis(document, TODAY, REVIEWER.traits)
    for segment in document.segments:
        if segment.kind is SegmentKind.HEADING and len(segment.span.of(document.text).splitlines()) > 1:
            continue  # on one line and underlined, "|" opens a table
        for point in (1, 2, 3, 5):  # one of each kind of text
            fixed = REVIEWER.fixer.fixed(
                RawFinding(point=point, segment=segment.number, reason="r"), analysis
            )
            if fixed.fix_place != "instead":
                continue
            assert len(fixed.fix) <= LONGEST_FIX
            assert not re.search(r"[\0-\x1f\x7f-\x9f\u2028\u2029]", re.sub(HARD_BREAK, "", fixed.fix))
            after = text_with(document, segment.span.start, segment.span.end, fixed.fix)
            assert structure(read(after), segment.kind) == structure(document, segment.kind), fixed.fix


FIGURES = "| Site | Share |\n|--|--|\n| North | 10% |\n| South | 23.7% |\n"


@pytest.mark.parametrize(("first", "rest"), [("", ""), ("> ", "> "), ("- Sites:\n\n  ", "  "), ("> - Sites:\n>\n>   ", ">   "), ("> > ", "> > ")])  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_caption_of_a_table_goes_into_its_list_or_quote(first: str, rest: str, newline: str) -> None:
    text = (first + FIGURES.replace("\n|", f"\n{rest}|")).replace("\n", newline)
    document, (finding,) = review(text)
    assert (finding.points, finding.fix_place) == ((4,), "above")
    after = read(paste(document, finding)[0])
    (table,) = after.tables
    caption = after.segment(table.segment - 1)
    assert review(after.text)[1] == ()
    assert caption.plain.startswith("Unvalidated figures")
    for one, other in ((caption, after.segment(table.segment)), (document.segment(1), after.segment(1))):
        assert (one.quoted, one.list_depth) == (other.quoted, other.list_depth)


def test_a_table_that_opens_its_item_gets_advice() -> None:
    """No line above it is in the item."""
    _, (finding,) = review("- " + FIGURES.replace("\n|", "\n  |"))
    assert finding.fix_place == ""
    assert "*Unvalidated figures" in finding.fix


HARD_BREAK = re.compile(r"(?:  |\\)(?:\r\n|\r|\n)")


def text_with(document: Document, start: int, end: int, words: str) -> str:
    return document.text[:start] + words + document.text[end:]


def structure(document: Document, kind: SegmentKind) -> object:
    """What a fix may not change: for a heading everything but its own slug. (How much code and how many images stand in
    sentences depends on where those end, "Revenue. ![alt](i.png).", so it is left out.)"""
    slugs, code, comments, tables, *_ = shape_of(document)
    blocks = list({s.block: (s.list_depth, s.quoted) for s in document.segments}.values())
    links = [" ".join(link.target.split()) for segment in document.segments for link in segment.links]
    shape = (slugs, code, comments, tables, links, blocks)
    return shape[1:] if kind is SegmentKind.HEADING else shape


@pytest.mark.parametrize(
    ("written", "stands_for", "number", "expected"),
    [
        ("$12k", "12000", "11000", "$11k"),
        ("$5 million", "5000000", "4000000", "$4 million"),
        ("€2m", "2000000", "1700000", "€1.7m"),
        ("€1.25bn", "1250000000", "1300000000", "€1.30bn"),
        ("$2k", "2000", "1700.5", ""),  # not to be said in thousands
        ("1.355 €", "1355", "1400", ""),  # a point for thousands
        ("2 h", "2", "3", "3 h"),
    ],
)
def test_a_number_keeps_the_scale_of_the_one_it_replaces(
    written: str, stands_for: str, number: str, expected: str
) -> None:
    assert number_like(written, Decimal(number), Decimal(stands_for)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We spend $3 million on staff and $1 million on rent, $5 million in total.\n",
        "| Item | Cost |\n|---|---|\n| Staff | $3M |\n| Rent | $1M |\n| Total | $5M |\n",
        "| Item | Boats |\n|---|---|\n| North | 3k |\n| South | 1k |\n| Total | 5k |\n",
    ],
)
def test_a_pasted_figure_has_the_scale_that_was_written(text: str) -> None:
    found = [f for f in review(text)[1] if 5 in f.points]
    assert len(found) == 1
    assert re.search(r"(?<![\d,.])4(?: million|M|k)", found[0].fix), found[0].fix


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("We have 500 users.\n\nThe rollout reached all 750 users.", "500", "750"),
        ("The base fare is £4.\n\nPassengers pay at the gate. The base fare is £5.", "£4", "£5"),
        ("The mill was founded in 1931.\n\nIt has two stones. The mill was founded in 1913.", "1931", "1913"),
        ("You need Python 3.10 or newer.\n\nSupported are Python 3.9 to 3.14.", "3.10", "3.9"),
        ("Project lead: Ana Ruiz\n\nThe project lead is Tomas Vidal.", "Ana Ruiz", "Tomas Vidal"),
        ("Drafts expire after 14 days.\n\nThe server deletes drafts that are 21 days old.", "14", "21"),
        ("There are six of us in the office. All seven of us cycle.", "six", "seven"),
        ("The shed holds 24 bikes. All 28 of them are insured.", "24", "28"),
        ("| Oven | Loaves |\n|--|--|\n| North | 310 |\n| South | 120 |\n\nThe north oven bakes 340 loaves.", "310", "340"),
    ],
)  # fmt: skip
def test_of_two_sides_a_fix_chooses_none(text: str, one: str, other: str) -> None:
    """Nothing says which is right: the place keeps what it says and gets the marker, the reason names both."""
    (finding,) = [finding for finding in review(text)[1] if 5 in finding.points]
    assert one in finding.reason
    assert other in finding.reason
    assert finding.fix.replace(" *(conflicting statements in this document)*", "") == finding.quote
    assert finding.fix != finding.quote


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("We won 7 of the 16 matches.\n\nWith a win rate of 58% we are third.", "With a win rate of 44% we are third."),
        ("Costs: see the till log of 2026-05-02.\n\n| Item | Cost |\n|--|--|\n| Bus | €120 |\n| Hut | €310 |\n\nIn all the trip cost us €450.", "In all the trip cost us €430."),
        ("Present: A. Moor, B. Fenn, C. Heath, D. Marsh.\n\nAll five of us agreed.", "All four of us agreed."),
    ],
)  # fmt: skip
def test_what_is_made_of_parts_is_corrected_by_them(text: str, fix: str) -> None:
    assert fix in [finding.fix for finding in review(text)[1] if 5 in finding.points]


def test_a_box_stays_before_its_task() -> None:
    _, found = review("- [ ] Users love the new page.\n- [x] Users prefer the new gate.\n")
    assert len(found) == 2
    assert all(finding.fix.startswith("[") for finding in found), [finding.fix for finding in found]


@pytest.mark.parametrize("blanks", [" ", "\t ", "\\", " \n", "  \n> "])
def test_white_space_without_end_costs_one_pass(blanks: str) -> None:
    def seconds(times: int) -> float:
        started = time.process_time()
        folded(f"a{blanks * times}b")
        return time.process_time() - started

    seconds(100)
    assert seconds(40_000) < 8 * seconds(10_000) + 0.1


@pytest.mark.parametrize(
    ("written", "number", "expected"),
    [
        ("750", "500", "500"),
        ("9,340", "9300", "9,300"),
        ("950", "1200", "1,200"),
        ("2650", "12750", "12750"),
        ("7.6", "7", "7.0"),
        ("46%", "36.4", "36%"),
        ("**£24,500**", "23500", "**£23,500**"),
        ("Four", "3", "Three"),
        ("seven", "13", "13"),
        ("1.355,90 €", "5", ""),
        ("10 of 20", "5", ""),
        ("12", "-5", ""),
    ],
)
def test_a_number_is_written_as_the_one_it_replaces(written: str, number: str, expected: str) -> None:
    assert number_like(written, Decimal(number)) == expected


@given(
    st.from_regex(r"(?:0|[1-9][0-9]{0,40})(?:\.[0-9]{1,60})?", fullmatch=True),
    st.decimals(0, 10**40, allow_nan=False),
)
def test_a_number_of_any_length_is_written_as_it_is_or_not_at_all(written: str, number: Decimal) -> None:
    shown = number_like(written, number)
    if shown:
        decimals = len(shown.partition(".")[2])
        assert abs(Decimal(shown.replace(",", "")) - number) <= Decimal(1).scaleb(-decimals) / 2
        assert decimals >= len(written.partition(".")[2])


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("paste: ['HYPOTHESIS: {sentence}']", "paste: ['HYPOTHESIS: {sentense}']", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{body}, in our {view}{stop}'", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{body.x}, in our view{stop}'", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{match[x]}, in our view{stop}'", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{match:>99999999999}{stop}'", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{match!r}{stop}'", "may use"),
        ("fix: '{body}, in our view{stop}'", "fix: '{body}, in our view{stop'", "brace|expected|single"),
    ],
)
def test_a_wrong_name_in_a_fix_is_an_error_at_load(tmp_path: Path, old: str, new: str, what: str) -> None:
    shipped = Path(__file__).parents[2] / "rules" / "points" / "1-hypothesis-vs-fact.yaml"
    (tmp_path / "points").mkdir()
    changed = shipped.read_text("utf-8").replace(old, new)
    (tmp_path / "points" / shipped.name).write_text(changed, encoding="utf-8")
    with pytest.raises(InputError, match=what):
        EmbeddedReviewer((tmp_path,))


def test_a_fix_without_the_sentence_is_advice_as_it_always_was(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "rules" / "points" / "1-hypothesis-vs-fact.yaml"
    (tmp_path / "points").mkdir()
    changed = shipped.read_text("utf-8").replace(
        "fix: '{body}, in our view{stop}'", "fix: '\"{match}\", says who?'"
    )
    (tmp_path / "points" / shipped.name).write_text(changed, encoding="utf-8")
    result = EmbeddedReviewer((tmp_path,)).ask(1, read("The interface is intuitive."), TODAY)
    assert isinstance(result, Found)
    assert [(one.fix, one.fix_place) for one in result.findings] == [('"is intuitive", says who?', "")]
