"""Suppression comments: what they cover, what is wrong with them, which ones silence nothing."""

from __future__ import annotations

import pytest
from cg_review import review
from cg_review.parse import parse
from cg_review.suppress import Suppression, suppressions, unused


def read(text: str) -> tuple[list[tuple[tuple[int, ...], str, str | None]], list[set[str]]]:
    document = parse(text)
    found = suppressions(document)
    covered = [{document.segment(n).plain for n in s.segments} for s in found]
    return [(s.points, s.reason, s.problem) for s in found], covered


def test_on_the_line_before_a_paragraph_it_covers_its_sentences() -> None:
    what, covered = read(
        'One.\n\n<!-- cg-review: ignore 2,9 reason="agreed" -->\nTwo goes. Three goes.\n\nFour.\n'
    )
    assert what == [((2, 9), "agreed", None)]
    assert covered == [{"Two goes.", "Three goes."}]


def test_at_the_end_of_a_line_it_covers_that_line() -> None:
    what, covered = read(
        "First line here.\nSecond line here. <!-- cg-review: ignore reason='old' -->\nThird line here.\n"
    )
    assert what == [((), "old", None)]
    assert covered == [{"Second line here."}]


@pytest.mark.parametrize(
    "line",
    [
        '**Uptime is 100 %.** <!-- cg-review: ignore 1 reason="sla" -->',
        '*Uptime* is **100 %**<!-- cg-review: ignore 1 reason="sla" -->',
        '- Uptime is **100 %**. <!-- cg-review: ignore 1 reason="sla" -->',
        '> Uptime is __100 %__. <!--cg-review:ignore 1 reason="sla"-->',
        '## Uptime is **100 %** <!-- cg-review: ignore 1 reason="sla" -->',
        "[Uptime is 100 %](https://example.org). <!-- cg-review: ignore 1 reason=“sla” -->",
    ],
)
def test_bold_text_lists_quotes_and_headings_beside_it_do_not_break_it(line: str) -> None:
    what, covered = read(f"Before.\n\n{line}\n\nAfter.\n")
    assert what == [((1,), "sla", None)]
    assert len(covered[0]) == 1
    assert "Uptime" in covered[0].pop()


def test_before_a_list_it_covers_the_list_and_before_a_table_the_table() -> None:
    _, covered = read('<!-- cg-review: ignore 1-4 reason="r" -->\n- a b\n- c d\n  - e f\n\nText.\n')
    assert covered == [{"a b", "c d", "e f"}]
    _, covered = read('<!-- cg-review: ignore 4 reason="r" -->\n\n| a | b |\n|---|---|\n| c | 1 |\n')
    assert covered == [{"a | b", "c | 1"}]


def test_in_a_table_row_it_covers_the_row() -> None:
    what, covered = read(
        '| a | b |\n|---|---|\n| c | 1 <!-- cg-review: ignore 9 reason="r" --> |\n| d | 2 |\n'
    )
    assert what == [((9,), "r", None)]
    assert covered == [{"c | 1 "}] or covered == [{"c | 1"}]


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("cg-review: ignore 2", "a reason is required"),
        ('cg-review: ignore 2 reason=""', "a reason is required"),
        ('cg-review: ignore 12 reason="x"', "points are 1 to 9"),
        ('cg-review: silence 2 reason="x"', "expected: ignore"),
        ('cg-review: ignore two reason="x"', "expected: ignore"),
    ],
)
def test_a_wrong_one_covers_nothing_and_says_why(comment: str, problem: str) -> None:
    what, covered = read(f"<!-- {comment} -->\nText here.\n")
    assert len(what) == 1
    assert what[0][2] is not None
    assert problem in what[0][2]
    assert covered == [set()]


def test_with_nothing_below_it_is_a_problem_and_in_code_it_is_no_comment() -> None:
    assert "no text" in str(
        suppressions(parse('Text.\n\n<!-- cg-review: ignore 1 reason="x" -->\n'))[0].problem
    )
    assert not suppressions(parse('Write `<!-- cg-review: ignore 1 reason="x" -->` there.\n'))
    assert not suppressions(parse("<!-- TODO: review -->\nText.\n"))


def test_unused_ones_are_told() -> None:
    document = parse(
        '<!-- cg-review: ignore 2 reason="x" -->\nOne.\n\n<!-- cg-review: ignore reason="y" -->\nTwo.\n'
    )
    first, second = suppressions(document)
    (one,), (two,) = first.segments, second.segments
    assert unused((first, second), [(2, one), (9, two)]) == ()
    assert unused((first, second), [(3, one)]) == (first, second)
    assert first.silences(2, one)
    assert not first.silences(3, one)
    assert isinstance(first, Suppression)


def test_notes_say_what_is_wrong_and_what_silences_nothing_in_order() -> None:
    text = (
        '<!-- cg-review: ignore 1 reason="x" -->\nThe gate is open.\n\n<!-- cg-review: ignore 1 -->\nTwo.\n\n'
        '<!-- cg-review: ignore 2 reason="x" -->\nRevenue will be $50M by Q4.\n'
    )
    notes = [note for note in review(text, name="a.md").notes if note.startswith("line ")]
    assert notes == [
        "line 1: this suppression silences nothing",
        'line 4: a reason is required: reason="…"',
    ]
