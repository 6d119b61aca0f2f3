from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from cg_review.cgd.fences import find_fences, line_of
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


def line_by_line(text: str) -> Iterator[tuple[int, bool]]:
    """The rule as FORMAT section 4 says it: where each line begins, and whether it belongs to a fence."""
    opener, offset = "", 0
    for line in re.split(r"(\r\n|\r|\n)", text):
        if line[:1] not in ("\r", "\n"):
            found = re.match(r"(?: {0,3}> ?)* {0,3}(`{3,}|~{3,})", line)
            run, inside = found[1] if found else "", bool(found or opener)
            yield offset, inside
            if not opener:
                opener = run
            elif run.startswith(opener):
                opener = ""
        offset += len(line)


@pytest.mark.parametrize(("text", "inside"), CASES)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_line_rule_for_every_line_ending(text: str, inside: str, newline: str) -> None:
    text = text.replace("\n", newline)
    fences = find_fences(text)
    assert "".join(str(int(flag)) for _, flag in line_by_line(text)) == inside
    assert "".join(str(int(fences.holds(offset))) for offset, _ in line_by_line(text)) == inside


@given(st.text(alphabet="`~> \n\rax"))
def test_fences_are_those_of_a_reading_line_by_line(text: str) -> None:
    fences = find_fences(text)
    for offset, inside in line_by_line(text):
        if text[offset : offset + 1] not in ("", "\r", "\n"):
            assert fences.holds(offset) == inside


@pytest.mark.parametrize(
    ("text", "line"), [("a\n```\nb\n```\n\n~~~\nc", 6), ("a\r\n```\r\nb", 2), ("```\n```", None)]
)
def test_an_unclosed_fence_is_known_by_its_opener(text: str, line: int | None) -> None:
    unclosed = find_fences(text).unclosed
    assert (None if unclosed is None else line_of(text, unclosed)) == line


@pytest.mark.parametrize(
    "storm", ["`" * 2_000_000, "> " * 1_000_000, ("> " * 500 + "\n") * 2_000, "```\n" * 400_000]
)
def test_storms_cost_linear_time(storm: str) -> None:
    started = time.process_time()
    find_fences(storm)
    assert time.process_time() - started < 3
