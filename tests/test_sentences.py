"""Where sentences are cut without syntok, it would have cut too."""

from __future__ import annotations

import pytest
from cg_review.sentences import _breaks, sentence_ranges
from hypothesis import given
from hypothesis import strategies as st
from syntok import segmenter

WORDS = [
    "the",
    "measure",
    "Rust",
    "McCo",
    "approx.",
    "etc.",
    "e.g.",
    "Dr.",
    "no.",
    "No.",
    "5",
    "1.6",
    "12.",
    "A.",
    "b.",
    "XV.",
    "non-linear",
    "data.",
    "fast!",
    "why?",
    "end;",
    "said.”",
    "(see",
    "(Table",
    "2)",
    "[3]",
    "(a.b)",
    "(no)",
    "(The",
    "results",
    "hold.)",
    ")",
    "(",
    "￼",
    "￼.",
    '"Not',
    "...",
    "They",
    "It",
    "In",
    "Mr",
    "llms.txt",
    "x.Variable",
    "May.",
    "1988.",
    "foo",
    "bar",
    "of",
    "(#297)",
    "(~4",
    "80%+)",
    "(e.g.",
    "(￼)",
    "￼)",
    "[￼]",
    "(_",
    ")_",
    "_",
    "x).",
    "(aside).",
    "(aside),",
    "[x]",
    "???",
    "zero\u200bwidth.",
]


@given(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=30), st.sampled_from([" ", " ", "  ", "\n\n", ""])
)
def test_sentences_are_those_of_syntok(words: list[str], blank: str) -> None:
    text = " ".join(words[:8]) + blank + " ".join(words[8:])
    sentences = [s[0].offset for paragraph in segmenter.analyze(text.rstrip()) for s in paragraph if s]
    assert sorted({0, *_breaks(text)}) == sorted({0, *sentences[1:]})


@pytest.mark.parametrize("opening", ["(", "[", "see ("])
def test_an_open_bracket_is_left_to_syntok(opening: str) -> None:
    text = f"This was {opening}shown by others. They agree. It was used again."
    sentences = [s[0].offset for paragraph in segmenter.analyze(text) for s in paragraph if s]
    assert sorted(_breaks(text)) == sentences[1:]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("Remove the flag (see \ufffc) and go on. It stays.", "It stays."),
        ("It reads two tables (e.g. \ufffc, \ufffc). They agree.", "They agree."),
        ("As in Garner [3, see p. 5] it holds. They agree.", "They agree."),
        ("They asked why. (Nobody knew.) Then it stopped.", "(Nobody knew.)"),
        ('Was it "asked?" (It was.) Then it stopped.', "(It was.)"),
    ],
)
def test_an_aside_within_a_sentence_is_part_of_it_and_one_after_it_is_not(text: str, second: str) -> None:
    start, end = sentence_ranges(text)[1]
    assert text[start:end] == second


@pytest.mark.parametrize("address", ["http://", "https://a.", "http://-", "http://a "])
def test_addresses_without_end_cost_one_pass(address: str) -> None:
    assert sentence_ranges(address * 20_000 + "see. Then")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We paid 40 €.", "The rest is due."),
        ("It cost 5 €!", "126 of 350 tenants replied."),
        ("It costs £5.", "126 of 350 tenants replied."),
        ("It costs $1,250.50.", "12 are left."),
        ("It costs €1.6m.", "“12 are left.”"),
        ("Rents grew by 5%.", "126 tenants left."),
    ],
)
def test_an_amount_or_a_share_ends_a_sentence_before_a_capital_or_a_number(first: str, second: str) -> None:
    text = f"{first} {second}"
    assert [text[start:end] for start, end in sentence_ranges(text)] == [first, second]


@pytest.mark.parametrize("text", ["It costs £5.126 of it.", "It costs 5 €. a day.", "See p. 126 of it."])
def test_what_goes_on_behind_an_amount_is_no_sentence(text: str) -> None:
    assert sentence_ranges(text) == [(0, len(text))]


@pytest.mark.parametrize("amount", ["$1", "$1.", "$1,", "$$", "%. "])
def test_amounts_without_end_cost_one_pass(amount: str) -> None:
    assert sentence_ranges(amount[0] + amount[1:] * 20_000 + " see. Then")
