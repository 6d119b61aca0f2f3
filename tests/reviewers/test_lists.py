"""What stands right behind a list mark, told without reading the line before it."""

from __future__ import annotations

from datetime import date

import pytest
from cg_review.parse import parse
from cg_review.reviewers.embedded.analysis import Analysis
from cg_review.reviewers.embedded.lists import opens_item
from cg_review.reviewers.embedded.traits import load_traits


class Counted(str):
    """A text that counts the characters that are cut out of it."""

    cut = 0

    def __getitem__(self, key: object) -> str:
        found = super().__getitem__(key)  # type: ignore[index]
        self.cut += len(found)
        return found


def analysis_of(text: str) -> Analysis:
    return Analysis(parse(text), date(2026, 11, 30), load_traits())


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("- One. Two.", [True, False]),
        ("12. One.", [True]),
        ("- [ ] **One** thing.", [True]),
        ("* a\n* b", [True, True]),
        ("One. Two - 3.", [False, False]),
    ],
)
def test_only_the_first_sentence_of_an_item_opens_it(text: str, opens: list[bool]) -> None:
    analysis = analysis_of(text)
    assert [opens_item(analysis, r.segment.span.start) for r in analysis.readings] == opens


def test_a_line_of_many_sentences_is_not_read_again_for_each() -> None:
    def cut(sentences: int) -> int:
        analysis = analysis_of("- " + "It is so. " * sentences)
        text = Counted(analysis.document.text)
        object.__setattr__(analysis.document, "text", text)
        for reading in analysis.readings:
            opens_item(analysis, reading.segment.span.start)
        return text.cut

    assert cut(400) < 2.1 * cut(200)
