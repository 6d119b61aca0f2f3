"""markdown-it's block rules, asked only where they may apply: a line's first sign tells most of them apart.

Nothing of CommonMark is decided here: a rule that is not asked would have said no.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

BlockRule = Callable[[StateBlock, int, int, bool], bool]

_STARTS = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "footnote_def": "[",
    "math_block": "$",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
"""What a line must begin with for a block rule to apply, behind its indentation; most lines begin with a letter."""


def ask_by_sign(md: MarkdownIt) -> None:
    """Make one rule of each of the chains of `md`'s block rules, which asks those that a line's first sign may start."""
    ruler = md.block.ruler
    for rule in ruler.__rules__:
        if rule.name == "lheading":
            rule.fn = _where_underlined(rule.fn)
    starts = {rule.fn: _STARTS.get(rule.name) for rule in ruler.__rules__}
    ruler.__compile__()
    assert ruler.__cache__ is not None
    for chain, rules in ruler.__cache__.items():
        ruler.__cache__[chain] = [_first_of([(rule, starts[rule]) for rule in rules])]


def _first_of(rules: Sequence[tuple[BlockRule, str | None]]) -> BlockRule:
    """One rule for several, each given with its first signs (None: any line may be its)."""
    anywhere = [rule for rule, starts in rules if starts is None]
    by_sign = {
        sign: [rule for rule, starts in rules if starts is None or sign in starts]
        for sign in {sign for _, starts in rules for sign in starts or ""}
    }

    def first(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        at = state.bMarks[line] + state.tShift[line]
        sign = state.src[at] if at < state.eMarks[line] else ""
        for rule in by_sign.get(sign, anywhere):  # noqa: SIM110 - no generator for each line
            if rule(state, line, end, silent):
                return True
        return False

    return first


def _where_underlined(heading: BlockRule) -> BlockRule:
    """The rule of a heading that is underlined, which asks of each line whether it ends the paragraph, and mostly in vain."""

    def underlined(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        for following in range(line + 1, end):
            at = state.bMarks[following] + state.tShift[following]
            if at >= state.eMarks[following]:
                return False
            if state.src[at] in "-=":
                return heading(state, line, end, silent)
        return False

    return underlined
