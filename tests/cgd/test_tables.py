from __future__ import annotations

import pytest
from cg_review.cgd.tables import escape_cell, find_tables, is_delimiter_row, split_row
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("  | a |", ["a"]),
        (r"| a \| b | c |", [r"a \| b", "c"]),
        (r"| a \\| b |", [r"a \\", "b"]),
        (r"| a \\\| b |", [r"a \\\| b"]),
        ("||", [""]),
        ("| | |", ["", ""]),
        ("plain", ["plain"]),
        (r"| a \|", [r"a \|"]),
    ],
)
def test_split_row(line: str, cells: list[str]) -> None:
    found = split_row(line)
    assert [cell.text for cell in found] == cells
    assert all(line[cell.start :].startswith(cell.text) for cell in found)


@given(st.text())
def test_an_escaped_cell_comes_back_as_one_cell(text: str) -> None:
    cells = split_row(f"| {escape_cell(text)} | next |")
    assert len(cells) == 2
    assert cells[1].text == "next"


def test_escapes_are_not_escaped_again() -> None:
    assert escape_cell(r"a \| b | c") == r"a \| b \| c"
    assert escape_cell("two\nlines") == "two lines"
    assert escape_cell("ends with \\") == "ends with \\\\"


def test_delimiter_rows() -> None:
    assert is_delimiter_row("|---|:--:|--:|")
    assert not is_delimiter_row("| a | - |")
    assert not is_delimiter_row("| |")


def test_tables_are_found_with_their_rows() -> None:
    text = "intro\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 |\n# Next\n\nA | B\n- | -\nx | y\n\nafter | this\n"
    first, second = find_tables(text, 0, len(text), lambda _: False)
    assert [[cell.text for cell in row.cells] for row in first.rows] == [["1", "2"], ["3"]]
    assert [[cell.text for cell in row.cells] for row in second.rows] == [["x", "y"]]
    assert text[second.header.start :].startswith("A | B")
