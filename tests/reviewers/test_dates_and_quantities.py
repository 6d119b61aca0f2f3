"""Dates and quantities read from text: what they are, where they stand, and when they are not certain."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from cg_review.reviewers.embedded.dates import find_dates, reads_month_first, resolve
from cg_review.reviewers.embedded.quantities import find_quantities, read_number, writes_decimal_comma


@pytest.mark.parametrize(
    ("text", "unit", "first", "last"),
    [
        ("on 2026-11-30.", "day", date(2026, 11, 30), date(2026, 11, 30)),
        ("in 2026-11", "month", date(2026, 11, 1), date(2026, 11, 30)),
        ("9 September 2026", "day", date(2026, 9, 9), date(2026, 9, 9)),
        ("September 9th, 2026", "day", date(2026, 9, 9), date(2026, 9, 9)),
        ("14.02.2026", "day", date(2026, 2, 14), date(2026, 2, 14)),
        ("25/03/2026", "day", date(2026, 3, 25), date(2026, 3, 25)),
        ("March 2025", "month", date(2025, 3, 1), date(2025, 3, 31)),
        ("Q2 2026", "quarter", date(2026, 4, 1), date(2026, 6, 30)),
        ("in 2027", "year", date(2027, 1, 1), date(2027, 12, 31)),
        ("31 April 2026", "impossible", None, None),
        ("2026-02-30", "impossible", None, None),
    ],
)
def test_a_date_is_read(text: str, unit: str, first: date | None, last: date | None) -> None:
    [mention] = find_dates(text, False)
    assert (mention.unit, mention.first, mention.last) == (unit, first, last)
    assert text[mention.start : mention.end].strip() == text[mention.start : mention.end]


@pytest.mark.parametrize("text", ["may be", "1/2 cup", "§ 12", "10.5.2", "a 2026-seat hall", "room 2026"])
def test_what_is_no_date(text: str) -> None:
    assert [m for m in find_dates(text, False) if m.first] == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("We met on 19 November.", "19 November"),
        ("We met on 19 Nov.", "19 Nov"),
        ("We met on 19 Nov. 2026.", "19 Nov. 2026"),
        ("We met on Nov. 19.", "Nov. 19"),
        ("We met in November.", "November"),
        ("We met in Sept. 2026.", "Sept. 2026"),
    ],
)
def test_a_full_stop_is_no_part_of_a_date(text: str, date: str) -> None:
    (mention,) = find_dates(text)
    assert text[mention.start : mention.end] == date


def test_the_order_of_day_and_month_comes_from_the_document() -> None:
    assert reads_month_first(["03/04/2026", "25/03/2026"]) is False
    assert reads_month_first(["03/25/2026"]) is True
    assert reads_month_first(["03/04/2026"]) is None
    assert find_dates("03/04/2026")[0].ambiguous
    assert find_dates("03/04/2026", True)[0].first == date(2026, 3, 4)


def test_a_date_without_a_year_is_the_nearest_one() -> None:
    [mention] = find_dates("on 11 December")
    assert resolve(mention, "11 December", date(2026, 11, 22)) == (date(2026, 12, 11), date(2026, 12, 11))
    [mention] = find_dates("in January")
    assert resolve(mention, "January", date(2026, 11, 22)) == (date(2027, 1, 1), date(2027, 1, 31))


@pytest.mark.parametrize(
    ("written", "comma", "value"),
    [
        ("1.355,90", None, "1355.90"),
        ("1,355.90", None, "1355.90"),
        ("20,00", None, "20.00"),
        ("0,075", None, "0.075"),
        ("1,355", False, "1355"),
        ("1,355", True, "1.355"),
        ("1.355", True, "1355"),
        ("12,345,678", None, "12345678"),
        ("1'000", None, "1000"),
    ],
)
def test_numbers_of_both_kinds(written: str, comma: bool | None, value: str) -> None:
    assert read_number(written, comma)[0] == Decimal(value)


def test_units_compare_and_places_are_exact() -> None:
    text = "from 1.5 s to 1,500 ms, €360k and 360 k€, 2 gb, eleven tenders, 40 %"
    found = find_quantities(text, False)
    assert found[0].value == found[1].value == Decimal("1.5")
    assert found[0].dimension == "time"
    money = [q.value for q in found if q.dimension == "€"]
    assert money == [Decimal(360000), Decimal(360000)]
    assert text[found[0].start : found[0].end].strip() == "1.5 s"
    assert Decimal(11) in [q.value for q in found]


def test_versions_addresses_and_ids_are_no_quantities() -> None:
    assert find_quantities("v2.1.3, rfc-2119, 10.0.0.1, #429, 2026-11-30", False) == []


def test_the_documents_own_numbers_say_what_a_comma_is() -> None:
    assert writes_decimal_comma(["20,00 and 1.355,90"]) is True
    assert writes_decimal_comma(["1,355.90"]) is False
    assert writes_decimal_comma(["no numbers"]) is None


@pytest.mark.parametrize(
    "written", ["9" * 16, "999,999,999,999,999,999", "0.0000000001", "999999999 billion"]
)
def test_a_number_too_long_to_be_added_up_is_no_quantity(written: str) -> None:
    assert find_quantities(f"it has {written} parts", False) == []


@pytest.mark.parametrize("written", ["999,999,999,999,999", "0.000000001", "999999 billion"])
def test_a_long_number_is_a_quantity(written: str) -> None:
    assert len(find_quantities(f"it has {written} parts", False)) == 1
