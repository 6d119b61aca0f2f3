"""The embedded reviewer as a whole: cases that made tools of this kind fail, determinism, one finding a point and place."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from cg_review import review
from cg_review.document import Document, Span
from cg_review.findings import RawFinding
from cg_review.parse import parse
from cg_review.points import ALL_POINTS, load_points
from cg_review.reviewers import Found, Reviewer
from cg_review.reviewers.embedded import EmbeddedReviewer

TODAY = date(2026, 11, 30)
REVIEWER = EmbeddedReviewer()


def ask(text: str, *points: int) -> list[tuple[int, RawFinding, Document]]:
    document = parse(text)
    found = []
    for point in points or ALL_POINTS:
        result = REVIEWER.ask(point, document, TODAY)
        assert isinstance(result, Found)
        found += [(point, raw, document) for raw in result.findings]
    return found


def sentences(text: str, *points: int) -> list[str]:
    return [d.segment(raw.segment).plain for _, raw, d in ask(text, *points)]


def test_it_is_a_reviewer_and_answers_with_the_point_asked() -> None:
    reviewer: Reviewer = REVIEWER
    result = asyncio.run(reviewer.run(2, parse("Revenue will be $9M."), TODAY))
    assert isinstance(result, Found)
    assert result.point == 2
    assert [finding.point for finding in result.findings] == [2]


def test_c19_a_decimal_does_not_end_a_sentence() -> None:
    text = "The new hull saves 33.33 % fuel vs. the old one. It cost £1.6m."
    assert sentences(text, 1) == ["The new hull saves 33.33 % fuel vs. the old one."]
    assert sentences(text, 9) == ["It cost £1.6m."]


def test_c21_abbreviations_and_numbers_keep_one_sentence_and_say_nothing() -> None:
    assert ask("Pump No. 3 runs approx. 18 h/day, i.e. most of Q1.") == []


def test_c22_equal_amounts_written_in_two_ways_do_not_conflict() -> None:
    text = "Fuel: 1.355,90 € per trip\n\n| Item | Cost |\n|---|---|\n| Fuel | 1355.90 EUR |\n"
    assert ask(text, 5) == []
    [(_, raw, _)] = ask("It was 1.355 €.", 5)
    assert "two ways" in raw.reason


def test_c25_a_date_that_can_only_be_read_one_way_decides_for_the_others() -> None:
    [(_, raw, _)] = ask("v1.0 — 03/04/2026; v1.1 — 25/03/2026", 8)
    assert "2026-03-25" in raw.reason
    assert "2026-04-03" in raw.reason
    [(_, raw, _)] = ask("Released 03/04/2026.", 8)
    assert "ambiguous" in raw.reason


def test_c26_an_open_referent_is_found_with_its_full_sentence() -> None:
    assert sentences("They doubled it last year.", 1) == ["They doubled it last year."]


def test_c27_opposites_are_a_conflict_that_names_both_sides() -> None:
    [(_, raw, document)] = ask("Night sailing is allowed.\n\nOther.\n\nNight sailing is not allowed.", 5)
    assert document.segment(raw.segment).plain == "Night sailing is not allowed."
    assert [document.segment(q.segment).plain for q in raw.related] == ["Night sailing is allowed."]


@pytest.mark.parametrize("point", ALL_POINTS)
def test_c29_hedged_and_marked_text_is_silent(point: int) -> None:
    assert ask("Revenue is **projected** to be $50M by Q4 *(estimate, board deck p. 3)*.", point) == []
    assert ask("Revenue is **projected** to be $50M by Q4 *(unverified projection)*.", point) == []


def test_a_hedge_elsewhere_does_not_hide_the_bare_claim() -> None:
    text = "The trial may need another week; the new valve never fails."
    assert sentences(text, 1) == ["The trial may need another week; the new valve never fails."]
    assert ask("The valve may never fail.", 1) == []


def test_code_comments_and_quotations_are_silent() -> None:
    assert ask("Run `uptime 100%`.\n\n```\nRevenue will be $9M\n```\n\n<!-- zero downtime -->\n") == []
    assert ask('"It will be the best year ever," said the chair, Ms Adeyemi, on 3 May 2026.', 1, 2) == []


def test_a_price_table_gives_a_finding_on_one_cell() -> None:
    text = "| Plan | Price per month |\n|---|---|\n| Flag `a\\|b` | $12 |\n| Pro | $30 |\n"
    [(_, raw, document)] = ask(text, 9)
    assert raw.quote == "$12"
    assert raw.kind == "PRICING"
    assert raw.quote in document.segment(raw.segment).text


def test_a_stamp_of_the_frontmatter_is_named_with_segment_0() -> None:
    text = "---\nlast-updated: 2025-01-15\n---\n\n# Page\n\nText here.\n"
    start = text.index("last-updated")
    stamp = ("last-updated", "2025-01-15", Span(start, start + 24))
    document = parse(text, Span(text.index("\n# Page"), len(text)), dates=[stamp])
    result = REVIEWER.ask(8, document, TODAY)
    assert isinstance(result, Found)
    assert [(raw.segment, raw.quote) for raw in result.findings] == [(0, "last-updated: 2025-01-15")]


def test_one_finding_a_point_and_place_and_every_one_explains_itself() -> None:
    text = (
        "Our engine is 3× faster and more reliable than every competitor, guaranteed, and the best ever.\n\n"
        * 2
    )
    found = ask(text)
    places = [(point, raw.segment) for point, raw, _ in found]
    assert len(places) == len(set(places))
    assert all(raw.reason and raw.fix and 0 < raw.confidence <= 1 for _, raw, _ in found)


def test_kinds_are_those_of_the_point() -> None:
    point = load_points()[8]
    assert {pattern.kind for pattern in point.patterns} <= set(point.kinds)


def test_the_answer_is_the_same_every_time_and_from_many_threads() -> None:
    document = parse(
        "# A\n\nWe have 500 users.\n\nThe rollout reached all 750 users. It will double revenue.\n" * 5
    )
    first = [REVIEWER.ask(point, document, TODAY) for point in ALL_POINTS]
    with ThreadPoolExecutor(8) as pool:
        for again in pool.map(lambda point: EmbeddedReviewer().ask(point, document, TODAY), ALL_POINTS):
            assert again == first[again.point - 1]
        for again in pool.map(lambda point: REVIEWER.ask(point, document, TODAY), ALL_POINTS * 4):
            assert again == first[again.point - 1]


def test_the_threshold_drops_what_is_less_sure() -> None:
    document = parse("Our users often book two seats. The gate never fails.")
    loose = EmbeddedReviewer().ask(1, document, TODAY)
    assert isinstance(loose, Found)
    less, more = sorted(finding.confidence for finding in loose.findings)
    strict = EmbeddedReviewer(min_confidence=more).ask(1, document, TODAY)
    assert isinstance(strict, Found)
    assert less < more
    assert [finding.confidence for finding in strict.findings] == [more]


def test_a_sentence_without_end_costs_no_more_than_its_length() -> None:
    clause = "the gate may open in 3 s, so revenue will double by 2028 because users prefer 5 of 7 boats "

    def seconds(times: int) -> float:
        document = parse(clause * times)
        started = time.process_time()
        for point in ALL_POINTS:
            REVIEWER.ask(point, document, TODAY)
        return time.process_time() - started

    seconds(50)
    assert seconds(2000) < 8 * seconds(200) + 0.5


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Papers average 15-30 equations.", "Papers average 15-30"),
        ("Revenue will be $50M by Q4.", "will be $50M"),
        ("Costs ~$0.005 per call.", "~$0.005"),
    ],
)
def test_a_reason_names_whole_figures(text: str, seen: str) -> None:
    assert any(seen in finding.reason for finding in review(text, today=date(2026, 11, 30)).findings)


@pytest.mark.parametrize(
    "text",
    ["Herr Meier approved the plan on 5 April 2026.\n", "Anna signed the plan on 2 March 2026.\n"],
)
def test_what_was_done_is_not_told_as_ahead(text: str) -> None:
    assert sentences(text, 8) == []


@pytest.mark.parametrize(
    ("text", "is_stale"),
    [
        ("The report opens in March 2025.", True),
        ("The new hall opens on 3 March 2025.", True),
        ("The course starts on 3 March 2026.", True),
        ("The call for papers closes on 3 March 2026.", True),
        ("The rule takes effect in May 2026.", True),
        ("The new hall opens on 3 March 2027.", False),
        ("The hall opens in March 1998.", False),  # a chronicle's present
        ("The mill opens in May 2024. The hall opens in March 2025.", False),
        ("The diary closes on 3 March 2026.", False),
        ("The data set starts in March 2025.", False),
        ("# Notes\n\nDate: 2025-01-10\n\nThe new hall opens in March 2025.", False),  # it was ahead then
    ],
)
def test_the_present_tense_for_a_day_that_has_passed_is_stale(text: str, is_stale: bool) -> None:
    assert bool(sentences(text, 8)) == is_stale


NINES = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f"It moved on 2026-01-01 and 2026-01-03, and 1.{NINES} was released on 2026-02-02.",
        f"| Sales | v1.{NINES} | v2.{NINES} |\n|---|---|---|\n| Ales | 3 | 4 |\n\nThe sales of ales went down.",
        f"| Item | Cost |\n|---|---|\n| A | {NINES} |\n| B | 3 |\n| Total | 0.{'0' * 40}1 |",
        f"| Item | Cost |\n|---|---|\n| A | {'9' * 40} |\n| B | 3 |\n| C | 4 |\n| Total | 1e5 |",
        "| Item | Planned | Delivered |\n|---|---|---|\n| A | 1.2.3 | 1.2 |\n| B | 3 | 3 |\n\n"
        "All of it was delivered in full.",
        f"The gap moves 2 × {'1' * 90} = 3.8 kWh a day.",
        f"The gap moves 2 × 1,000 = 3.{'0' * 40}1 kWh a day.",
        "# The plan for \ufffc and `code`\n\nIt is open.",
    ],
)
def test_figures_and_signs_that_no_author_writes_end_no_review(text: str) -> None:
    assert len(review(text, name="a.md", today=TODAY).points_passed) > 0


def test_the_place_of_code_in_a_heading_is_its_own() -> None:
    document = parse("# From \ufffc to `code`\n\nIt is open.")
    assert document.sections[-1].title == "From \ufffc to code"


def test_many_absences_of_a_common_word_take_no_square() -> None:
    def seconds(count: int) -> float:
        said = "The export module {0} is not built yet. The export module {0} lets users export data. "
        document = parse("".join(map(said.format, range(count))))
        start = time.process_time()
        REVIEWER.ask(7, document, TODAY)
        return time.process_time() - start

    seconds(20)
    assert seconds(1200) < 8 * seconds(300)


def test_what_is_named_by_two_letters_is_not_the_sentence_before() -> None:
    assert sentences("The suite covers every branch of the parser. CI is not set up yet.", 7) == []
    assert sentences("The suite covers every branch. It is not set up yet.", 7) == [
        "The suite covers every branch."
    ]


MINUTES = "# Minutes of the board, 4 November 2026\n\nPresent: Ann Poe, Bo Lund.\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bo Lund will ask the council for the permit by 30 October 2026.", 1),
        ("Ann Poe is going to send the list before 2 November 2026.", 1),
        ("Bo Lund will ask the council for the permit by 30 November 2026.", 0),  # to come, then
        ("Bo Lund will ask the council for the permit by 10 November 2026.", 0),
        ("Bo Lund said that he will ask for the permit by 30 October 2026.", 0),
        ("The offer of 30 October 2026 will be read by Ann Poe.", 0),
        ("Deadline for the permit: 30 October 2026.", 0),
        ("Bo Lund will ask for the permit, as agreed on 30 October 2026.", 0),
    ],
)
def test_a_record_tells_no_day_before_its_own_as_ahead(text: str, told: int) -> None:
    assert len(sentences(MINUTES + text, 8)) == told
