"""The fast reader must give what ruamel.yaml gives, node for node and place for place, or leave the text alone."""

from __future__ import annotations

import pytest
from cg_review.cgd.yaml_plain import read_plain
from cg_review.cgd.yaml_reader import read_any
from hypothesis import given, settings
from hypothesis import strategies as st

PLAIN = [
    "a: 1\n",
    "a:\nb: ~\n# c\n\nc:   'x'  # why\n",
    'a:\n  - b: 1\n    c: "two: three"\n  - x y\n  -   d: e#f\nb:\n- 1\n- 2\n',
    "a: http://x.y/z?q=1:2\nb: 12:30\nc: -5\nd: .5\n",
    "a: {}\nb: []\nc:\n  d:\n    e: f\n  g: true\n",
    "a: x\nb: ünïcode 👋\n",
    "a: 'say \\\\ \\\"'\n",
    "a: x y\n  goes on,\n   and on (1)\nb:\n  below\n  it\nc:\n- d\n  e\n- f: 1\n    2\n",
    'a: "say \\"x\\" \\\\ y"\nb: "\\\\"\n',
]


@pytest.mark.parametrize("yaml", PLAIN)
def test_plain_yaml_is_read_without_ruamel(yaml: str) -> None:
    text = f"---\n{yaml}---\n"
    quick = read_plain(text, 4, 4 + len(yaml))
    assert quick is not None
    assert quick == read_any(text, 4, 4 + len(yaml)).root


@pytest.mark.parametrize(
    "yaml",
    ["a: x\n\n  y\n", "a: x # c\n  y\n", "a: x\ny\n", "a: x\n  - y\n", "a: x\n  y: z\n", "- a\n  b\n", "a:" + " x\n" * 2000, "a: 'it''s'\n", 'a: "\\n"\n', "a: |\n  x\n", "a: [1]\n", "a: &x 1\n", "a: *x\n", "- a\n", "a: b: c\n", "a: x\r\n", "a:\tb\n", "? a\n: b\n", "a: @x\n", "", "a: !!str 1\n", "a: x\n...\n"],
)  # fmt: skip
def test_everything_else_is_left_to_ruamel(yaml: str) -> None:
    assert read_plain(yaml, 0, len(yaml)) is None


LINES = st.sampled_from(
    ["a: 1", "b:", "c: x y", "  d: 'q'", "  - e", "- f: g", "  h: i", "- ", "-", "  - j: k", "    l: m", "", "# n", "  # o", "p: q # r", "s: t#u", 'v: "w"',
     "x: []", "y: {}", "z: -", "a b: c", "a:b", "a : b", "'k': v", "  - - x", "a: 'b", "c: d: e", "f: #g", "null: 1", "  ", "k: v:", "m: ' '", "n: -1", "o: 1 2", "  u v", "    w", "   1", "  'x'", " true", "- #x", "t: [", "u: ,"]
)  # fmt: skip


@settings(max_examples=400)
@given(
    st.lists(LINES, max_size=8).map("\n".join)
    | st.text(alphabet="ab:-#'\"[] \n\u00e9{}&*!|>%@`,?~01.", max_size=40)
    | st.text(alphabet='a"\\\\ ', max_size=12).map('a: "{}"'.format)
)
def test_both_readers_agree_wherever_the_fast_one_answers(yaml: str) -> None:
    quick = read_plain(yaml, 0, len(yaml))
    if quick is not None:
        full = read_any(yaml, 0, len(yaml))
        assert full.root == quick
        assert all(problem.kind == "duplicate" for problem in full.problems)
