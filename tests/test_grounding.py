"""A quote is in its segment exactly, or it is nowhere."""

from __future__ import annotations

import unicodedata

import pytest
from cg_review.findings import Unanchored
from cg_review.grounding import Anchored, find_quotes, ground
from cg_review.parse import parse
from drafting import raw

TEXT = "The gate opens in 40 s under load. Revenue is **up**\nby 5 %.\n\n> Quoted over\n> two lines.\n"


@pytest.mark.parametrize(
    ("segment", "quote", "found"),
    [
        (1, "opens in 40 s", "opens in 40 s"),
        (1, "", "The gate opens in 40 s under load."),
        (2, "Revenue is **up** by 5 %", "Revenue is **up**\nby 5 %"),
        (2, "Revenue is up by", "Revenue is **up**\nby"),
        (3, "Quoted over two", "Quoted over\n> two"),
        (3, "  Quoted   over\n", "Quoted over"),
    ],
)
def test_found(segment: int, quote: str, found: str) -> None:
    document = parse(TEXT)
    assert [span.of(TEXT) for span in find_quotes(document, document.segment(segment), quote)] == [found]


@pytest.mark.parametrize(
    "quote",
    [
        "the gate takes 40 seconds to open",  # its own words
        "The gate opens in 40 s under load, always.",  # a true half and an invented one
        "THE GATE OPENS",
        "opens in 4O s",
        "Revenue is",  # in another segment
    ],
)
def test_not_found_is_unanchored_never_fuzzy(quote: str) -> None:
    assert isinstance(ground(parse(TEXT), raw(1, 1, quote)), Unanchored)


def test_composed_quote_of_a_decomposed_text() -> None:
    text = unicodedata.normalize("NFD", "Das Café öffnet morgen. Ende.")
    document = parse(text)
    (span,) = find_quotes(document, document.segment(1), unicodedata.normalize("NFC", "Café öffnet"))
    assert span.of(text) == unicodedata.normalize("NFD", "Café öffnet")


def test_a_quote_that_fits_two_cells_is_not_guessed() -> None:
    document = parse("| a | b |\n|---|---|\n| 5 % | 5 % |\n")
    assert isinstance(ground(document, raw(9, 2, "5 %")), Unanchored)
    found = ground(document, raw(4, 2, "5 %"))
    assert isinstance(found, Anchored)
    assert found.unit == document.tables[0].span  # point 4 is about the table


def test_a_segment_that_is_not_there() -> None:
    for number in (0, -1, 99):
        assert isinstance(ground(parse(TEXT), raw(1, number)), Unanchored)
