"""Markdown -> segments: what is prose, where it stands, where its marker goes."""

from __future__ import annotations

import pytest
from cg_review.document import Segment
from cg_review.parse import parse


def plain(text: str) -> list[str]:
    return [segment.plain for segment in parse(text).segments]


def only(text: str) -> Segment:
    (segment,) = parse(text).segments
    return segment


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "The new hull saves 33.33 % fuel vs. the old one. It cost £1.6m.",
            ["The new hull saves 33.33 % fuel vs. the old one.", "It cost £1.6m."],
        ),
        (
            "Pump No. 3 runs approx. 18 h/day, i.e. most of Q1.",
            ["Pump No. 3 runs approx. 18 h/day, i.e. most of Q1."],
        ),
        (
            "Use v1.2.3 from https://a.example/x.y?z=1. Then stop.",
            ["Use v1.2.3 from https://a.example/x.y?z=1.", "Then stop."],
        ),
        ("It cost £1.6m. See below.", ["It cost £1.6m.", "See below."]),
        ("A search took 4 ms. Most of it is parsing.", ["A search took 4 ms.", "Most of it is parsing."]),
        ("Setup took 20 min. Then it ran.", ["Setup took 20 min.", "Then it ran."]),
        ("We worked 20 min. a day.", ["We worked 20 min. a day."]),
        ("Ends with `code`. Starts again.", ["Ends with \ufffc.", "Starts again."]),
        (
            "Dr. Hale joined Acme Inc. in 2020. The U.S. office grew.",
            ["Dr. Hale joined Acme Inc. in 2020.", "The U.S. office grew."],
        ),
        ("1\\. Quay opens at 07:40.", ["1. Quay opens at 07:40."]),
        ("one\ntwo  \nthree", ["one two three"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [" ".join(sentence.split()) for sentence in plain(text)] == sentences


@pytest.mark.parametrize(
    "text",
    [
        "```\nRevenue will be $9M.\n```",
        "````\n```python\nRevenue will be $9M.\n```\n````",
        "    Revenue will be $9M.",
        "<div>\nRevenue will be $9M.\n</div>",
        "<!-- Revenue will be $9M. -->",
        "$$\nRevenue will be $9M.\n$$",
        "`Revenue will be $9M.`",
        "![Revenue will be $9M.](x.png)",
        "[ref]: http://x.example 'Revenue will be $9M.'",
    ],
)
def test_what_is_not_prose(text: str) -> None:
    assert not any("Revenue" in sentence for sentence in plain(text))


def test_money_is_not_math() -> None:
    assert plain("It costs $50M, up from $40M by Q4.") == ["It costs $50M, up from $40M by Q4."]
    assert plain("Let $x^2$ grow.") == ["Let \ufffc grow."]


def test_markup_goes_and_code_is_one_sign() -> None:
    assert plain("Revenue **will be** ~~not~~ [high](http://x.example) &amp; `a` \\*.") == [
        "Revenue will be not high & \ufffc *."
    ]


def test_a_comment_beside_bold_text_hides_nothing() -> None:
    segment = only("**Uptime is 100 %** <!-- todo: ask -->")
    assert segment.plain == "Uptime is 100 %"
    assert segment.text == "**Uptime is 100 %**"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("Revenue is up.", "Revenue is up"),
        ("**Revenue is up.**", "**Revenue is up.**"),
        ("**Revenue is up**.", "**Revenue is up**"),
        ("It is `fast`.", "It is `fast`"),
        ("See [here](http://x.example).", "See [here](http://x.example)"),
        ("[Revenue is up.](http://x.example)", "[Revenue is up.](http://x.example)"),
        ('He said "Revenue is up."', 'He said "Revenue is up."'),
        ("Is it up?!", "Is it up"),
        ("It saves 33.33", "It saves 33.33"),
        ("Up.[^1]\n\n[^1]: n", "Up"),
    ],
)
def test_where_a_marker_goes(text: str, before: str) -> None:
    segment = parse(text).segments[0]
    assert text[: segment.insertion] == before


def test_spans_in_containers_and_with_every_line_ending() -> None:
    text = "> Quoted text\n> goes on. And\n> ends.\n\n- item one\n  continued\n  - nested\n\n1. first"
    for newline in ("\n", "\r\n", "\r"):
        given = text.replace("\n", newline)
        document = parse(given)
        assert [segment.text for segment in document.segments] == [
            "Quoted text goes on.", "And ends.", "item one continued", "nested", "first",
        ]  # fmt: skip
        assert [segment.quoted for segment in document.segments] == [True, True, False, False, False]
        for segment in document.segments:
            assert given[segment.plain_offsets[0]] == segment.plain[0]
            assert given[segment.plain_offsets[-1]] == segment.plain[-1]


def test_a_pipe_in_code_does_not_shift_cells() -> None:
    text = "| Flag | Value | Year |\n|---|---|---|\n| Flag `a|b` | 89 % | 2026 |\n| x \\| y |  | - |"
    table = parse(text).tables[0]
    first, second = table.rows
    assert [text[cell.span.start : cell.span.end] for cell in first] == ["Flag `a", "b`", "89 %"]
    assert text[first[2].insertion :].startswith(" | 2026 |")
    assert [cell.plain for cell in second] == ["x | y", "", "-"]


def test_sections_and_slugs() -> None:
    text = "before\n\n# API & `code` (v2.0) ##\n\na\n\n# API & `code` (v2.0)\n\nb\n\n## 日本\n\nc"
    document = parse(text)
    assert [section.slug for section in document.sections] == [
        "root",
        "api-code-v20",
        "api-code-v20-2",
        "section-3",
    ]
    assert [document.sections[segment.section].slug for segment in document.segments if segment.plain in "abc"] == [
        "api-code-v20", "api-code-v20-2", "section-3",
    ]  # fmt: skip
    assert [section.slug for section in document.section_path(3)] == ["api-code-v20-2", "section-3"]


def test_footnotes_know_where_they_are_used() -> None:
    document = parse("Fast.[^speed]\n\n[^speed]: Measured in May. On one host.\n\n[^unused]: Still prose.")
    assert document.segments[0].footnotes == ("speed",)
    assert document.footnotes == {"speed": (2, 3), "unused": (4,)}
    assert [segment.footnote for segment in document.segments] == [None, "speed", "speed", "unused"]


def test_three_rules_are_no_frontmatter_of_the_text_between_them() -> None:
    assert "The ferry arrives by 07:40." in plain(
        "Intro.\n\n---\n\nThe ferry arrives by 07:40.\n\n---\n\nEnd.\n\n---\n"
    )


def test_line_and_column() -> None:
    document = parse("a\r\nbc\rd\n\x0ce")
    assert [document.position(offset) for offset in (0, 3, 4, 6, 9)] == [
        (1, 1),
        (2, 1),
        (2, 2),
        (3, 1),
        (4, 2),
    ]
