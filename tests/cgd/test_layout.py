from __future__ import annotations

import pytest
from cg_review.cgd.layout import END_MARKER, take_apart
from hypothesis import given
from hypothesis import strategies as st

DOCUMENT = f"---\na: 1\n---\n\n# Title\n\nText.\n\n{END_MARKER}\nClarity Gate: CLEAR | REVIEWED\n"


def cut(text: str, span: tuple[int, int] | None) -> str | None:
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_parts_of_a_document(newline: str, bom: str) -> None:
    text = bom + DOCUMENT.replace("\n", newline)
    layout = take_apart(text)
    assert layout.bom == bool(bom)
    assert layout.newline == newline
    assert cut(text, layout.frontmatter) == f"a: 1{newline}"
    assert layout.body_text == "\n# Title\n\nText.\n\n".replace("\n", newline)
    assert cut(text, layout.end_marker) == END_MARKER
    assert cut(text, layout.status_line) == "Clarity Gate: CLEAR | REVIEWED"


def test_text_without_frontmatter_is_all_body() -> None:
    layout = take_apart("\ufeffone\n---\ntwo\n---\n")
    assert layout.frontmatter is None
    assert layout.body_text == "one\n---\ntwo\n---\n"
    assert layout.status_line is None


def test_only_a_line_of_three_dashes_at_column_0_delimits() -> None:
    assert take_apart("----\na: 1\n---\n").frontmatter is None
    assert take_apart(" ---\na: 1\n---\n").frontmatter is None
    text = "--- \t\na: |\n  ---\n----\n--- x\n---\nbody"
    assert cut(text, take_apart(text).frontmatter) == "a: |\n  ---\n----\n--- x\n"
    assert take_apart("---\na: 1\n").frontmatter is None


def test_markers_in_fences_do_not_count_and_those_in_frontmatter_are_apart() -> None:
    text = f"---\na: {END_MARKER}\n---\n```\n{END_MARKER}\n```\nx `{END_MARKER}`\n{END_MARKER}\n"
    layout = take_apart(text)
    assert len(layout.frontmatter_markers) == 1
    assert len(layout.markers) == 2
    assert layout.body_text.endswith("x `")


@given(st.text(alphabet="-\n\r \ufeffa`") | st.text())
def test_any_text_has_a_layout_whose_parts_are_in_order(text: str) -> None:
    layout = take_apart(text)
    assert 0 <= layout.body.start <= layout.body.end <= len(text)
    if layout.opening and layout.frontmatter and layout.closing:
        bounds = [*layout.opening, *layout.frontmatter, *layout.closing, *layout.body]
        assert bounds == sorted(bounds)
