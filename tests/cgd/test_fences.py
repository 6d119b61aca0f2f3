from __future__ import annotations

import time

import pytest
from cg_review.cgd.fences import FenceTracker, find_fences, iter_lines, unclosed_fence
from hypothesis import given
from hypothesis import strategies as st

CASES = [
    # lines, which of them belong to a fence
    ("```\ncode\n```\ntext", "1110"),
    ("~~~\n```\n~~~\ntext", "1110"),
    ("````\n```\n````\ntext", "1110"),
    ("```\n````\ntext", "110"),  # a longer run closes
    ("```\n```python\ntext", "110"),  # whatever follows the closer
    ("   ```\nx\n   ```\ny", "1110"),
    ("    ```\nx", "00"),  # four spaces open nothing
    ("```\n    ```\nx", "111"),  # and close nothing
    ("> ```\n> x\n> ```\ny", "1110"),
    (">> ~~~\nx", "11"),
    (">```\nx\n```\ny", "1110"),
    ("a ```\nx", "00"),
    ("```a\x0cb\u2028c\nx", "11"),  # form feed and U+2028 end no line
    ("``\nx", "00"),
]


@pytest.mark.parametrize(("text", "inside"), CASES)
def test_line_rule(text: str, inside: str) -> None:
    tracker = FenceTracker()
    assert "".join(str(int(tracker.feed(line))) for line in text.split("\n")) == inside
    assert "".join(str(int(flag)) for _, _, flag in iter_lines(text)) == inside


@pytest.mark.parametrize(("text", "inside"), CASES)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_spans_say_the_same_as_the_tracker_for_every_line_ending(
    text: str, inside: str, newline: str
) -> None:
    text = text.replace("\n", newline)
    fences = find_fences(text)
    offsets = [offset for offset, _, _ in iter_lines(text)]
    assert "".join(str(int(fences.holds(offset))) for offset in offsets) == inside


@given(st.text(alphabet="`~> \n\rax"))
def test_spans_and_tracker_agree_on_any_text(text: str) -> None:
    fences = find_fences(text)
    for offset, line, inside in iter_lines(text):
        if line:
            assert fences.holds(offset) == inside


def test_unclosed_fence_is_named_by_its_line() -> None:
    assert unclosed_fence("a\n```\nb\n```\n\n~~~\nc") == 6
    assert unclosed_fence("a\r\n```\r\nb") == 2
    assert unclosed_fence("```\n```") is None


@pytest.mark.parametrize(
    "storm", ["`" * 2_000_000, "> " * 1_000_000, ("> " * 500 + "\n") * 2_000, "```\n" * 400_000]
)
def test_storms_cost_linear_time(storm: str) -> None:
    started = time.process_time()
    find_fences(storm)
    assert time.process_time() - started < 3
