"""Totals of tables: one wrong cell is named once, no two fixes contradict, and figures are told as the text writes them."""

from __future__ import annotations

import pytest
from cg_review.findings import Finding
from pasting import paste, review

SOURCE = "Source: till log of 2026-05-02.\n\n"
LEGEND = "| Month | North | South | Total |\n|--|--|--|--|\n"


def table(may: str, june: str, july: str, total: str) -> str:
    return f"{SOURCE}{LEGEND}| May | {may} |\n| June | {june} |\n| July | {july} |\n| Total | {total} |\n"


def conflicts(text: str) -> list[Finding]:
    return [finding for finding in review(text)[1] if 5 in finding.points]


RIGHT = table("100 | 50 | 150", "90 | 60 | 150", "80 | 60 | 140", "270 | 170 | 440")


def test_totals_that_add_up_are_silent() -> None:
    assert conflicts(RIGHT) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (RIGHT.replace("90 | 60", "90 | 70"), ('"70"', '"South"', '"June"', "60")),
        (RIGHT.replace("80 | 60 | 140", "80 | 60 | 150"), ('"150"', '"Total"', '"July"', "140")),
        (RIGHT.replace("270 | 170", "230 | 170"), ('"230"', '"North"', '"Total"', "270")),
        (RIGHT.replace("440", "490"), ('"490"', '"Total"', "440")),
        (RIGHT.replace("100 | 50", "103 | 50"), ('"103"', '"North"', '"May"', "100")),
    ],
)
def test_a_cell_that_puts_off_its_row_and_its_column_is_the_one_finding(
    wrong: str, said: tuple[str, ...]
) -> None:
    document, _ = review(wrong)
    (finding,) = conflicts(wrong)
    assert all(word in finding.reason for word in said), finding.reason
    assert paste(document, finding)[0] == RIGHT


@pytest.mark.parametrize(
    "wrong",
    [
        RIGHT.replace("90 | 60 | 150", "90 | 70 | 190"),  # the row by 30, the column by 10
        RIGHT.replace("270 | 170", "270 | 190").replace("140", "160"),
    ],
)
def test_where_rows_are_off_too_no_fix_chooses_a_total(wrong: str) -> None:
    figures = {part for line in wrong.splitlines() for part in line.split()}
    for finding in conflicts(wrong):
        assert {word for word in finding.fix.split() if word.isdecimal()} <= figures


@pytest.mark.parametrize(
    ("text", "told", "fix"),
    [
        ("| Task | Time |\n|--|--|\n| Dig | 2 h |\n| Fill | 1.5 h |\n| Total | 5 h |\n", "3.5 h", "Total | 3.5 h"),
        ("| Task | Time |\n|--|--|\n| Dig | 2 h |\n| Fill | 30 min |\n| Total | 4 h |\n", "2.5 h", "Total | 2.5 h"),
        ("| Item | Cost |\n|--|--|\n| Rent | €1,200 |\n| Wood | €300 |\n| Total | €1,700 |\n", "€1,500", "Total | €1,500"),
        ("| Item | Cost |\n|--|--|\n| Rent | $1.2M |\n| Wood | $0.3M |\n| Total | $1.9M |\n", "$1.5M", "Total | $1.5M"),
        ("The costs came to $1.9 million: $1.2 million for staff and $0.5 million for rent.", "$1.7 million", ""),
        ("We rode seven miles: four on Monday and two on Tuesday.", "make six", "We rode six miles: four on Monday and two on Tuesday."),
        ("The tills took £410 on Friday, £530 on Saturday and £290 on Sunday, together £1,320.", "£1,230", ""),
        ("We trained for 8 hours: 5 hours in the hall and 2 hours at sea.", "7 hours", ""),
        ("The mean of the marks: 7 kg, 8 kg and 6 kg, a mean of 7.9 kg.", "7.0 kg", ""),
        ("## Trip\n\n| Item | Cost |\n|--|--|\n| Bus | €120 |\n| Hut | €310 |\n\nIn all the trip cost us €450.", "€430", ""),
        ("| Boat | 2025 | 2026 |\n|--|--|--|\n| Trams | £310 | £280 |\n\nTrams went up.", "from £310 to £280", ""),
        ("| Task | Dig | Fill | Total |\n|--|--|--|--|\n| Ann | 2 h | 3 h | 6 h |\n", "the sum of its parts, 5 h", ""),
    ],
)  # fmt: skip
def test_a_figure_is_told_in_the_unit_and_the_scale_of_the_text(text: str, told: str, fix: str) -> None:
    found = conflicts(text)
    assert any(told in finding.reason for finding in found), [finding.reason for finding in found]
    assert not fix or fix in [finding.fix for finding in found]
