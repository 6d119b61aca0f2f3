"""The block rules that are asked by a line's first sign give what markdown-it's own give."""

from __future__ import annotations

from cg_review.inline import build_markdown
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

_OWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_OWN.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
_OWN.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=False)
_OWN.disable(["inline", "text_join"])

_STARTS = ["", "", " ", "    ", "\t", "> ", "- ", "1. ", "2) ", "# ", "[^a]: ", "[b]: ", ">", "-"]
_RESTS = [
    "",
    "word",
    "a | b",
    "--- | ---",
    "---",
    "===",
    "- - -",
    "```",
    "~~~ x",
    "<div>",
    "<!-- c -->",
    "$$",
    "x -",
    "/url",
]
_LINES = st.builds(
    lambda first, second, rest: first + second + rest, *map(st.sampled_from, (_STARTS, _STARTS, _RESTS))
)


@given(st.lists(_LINES, max_size=12))
def test_every_block_is_the_one_of_all_rules_asked_in_turn(lines: list[str]) -> None:
    text = "\n".join(lines)

    def seen(md: MarkdownIt) -> list[tuple[object, ...]]:
        return [(t.type, t.tag, t.map, t.level, t.hidden, t.content) for t in md.parse(text)]

    assert seen(build_markdown()) == seen(_OWN)
