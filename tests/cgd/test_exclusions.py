from __future__ import annotations

import time

import pytest
from cg_review.cgd.exclusions import coverage, find_exclusions
from cg_review.cgd.layout import take_apart


def begin(name: str) -> str:
    return f"<!-- CG-EXCLUSION:BEGIN id={name} -->\n"


def end(name: str) -> str:
    return f"<!-- CG-EXCLUSION:END id={name} -->\n"


@pytest.mark.parametrize(
    ("body", "codes", "blocks"),
    [
        (begin("a") + "x\n" + end("a"), [], ["a"]),
        ("  " + begin("a") + "x\n      " + end("a").replace("\n", "  \n"), [], ["a"]),
        ("> " + begin("a") + "> x\n> " + end("a"), [], ["a"]),
        (begin("a") + end("a") + begin("b") + end("b"), [], ["a", "b"]),
        (begin("a") + "x\n", ["E-EX01"], []),
        (end("a"), ["E-EX01"], []),
        (begin("a") + end("b"), ["E-EX01"], []),
        (begin("a") + begin("b") + end("b") + end("a"), ["E-EX02"], ["a"]),
        (begin("a") + begin("b") + end("a") + end("b"), ["E-EX02", "E-EX03"], ["b"]),
        (begin("a") + end("a") + begin("a") + end("a"), ["E-EX04"], ["a", "a"]),
        (begin("a").lower() + end("a"), ["E-EX00"], []),
        (begin("a").replace(" -->", " reason=x -->"), ["E-EX00"], []),
        ("see " + begin("a"), ["E-EX00"], []),
        (f"`{begin('a').strip()}`\n", ["E-EX00"], []),
        (begin("." + "a"), ["E-EX00"], []),
        (begin("a" * 65), ["E-EX00"], []),
        ("```\n" + begin("a") + "```\n", [], []),
        ("    ```\n" + begin("a") + end("a"), [], ["a"]),
        ("a CG-EXCLUSION:BEGIN in prose, and <!-- CG-EXCLUSIONS -->\n", [], []),
    ],
)
def test_structure(body: str, codes: list[str], blocks: list[str]) -> None:
    for newline in ("\n", "\r\n", "\r"):
        found = find_exclusions(take_apart(body.replace("\n", newline)))
        assert [problem.code for problem in found.problems] == codes
        assert [block.id for block in found.blocks] == blocks


def test_coverage_counts_bytes_of_the_canonical_body() -> None:
    block = begin("a") + "👋" * 100 + "\n" + end("a")
    text = "x" * len(block.encode()) + "\n\n\n\n" + block
    layout = take_apart(text)
    expected = len(block.encode()) / (2 * len(block.encode()) + 2)
    assert coverage(layout, find_exclusions(layout)) == pytest.approx(expected)
    empty = take_apart("")
    assert coverage(empty, find_exclusions(empty)) == 0.0


def test_content_lies_between_the_marker_lines() -> None:
    text = "a\n" + begin("a") + "x\ny\n" + end("a")
    (block,) = find_exclusions(take_apart(text)).blocks
    assert text[slice(*block.content)] == "x\ny\n"
    assert text[slice(*block.span)] == text[2:]


def test_many_interleaved_markers_cost_linear_time() -> None:
    names = [f"n{number}" for number in range(30_000)]
    text = "".join(map(begin, names)) + "".join(map(end, names))
    started = time.process_time()
    found = find_exclusions(take_apart(text))
    assert len(found.problems) == 2 * (len(names) - 1)
    assert time.process_time() - started < 5
