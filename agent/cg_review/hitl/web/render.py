"""A document as HTML: Markdown rendered, its own HTML shown as text, links without their targets' power, claims marked.

The places of claims go through the renderer as brackets that Markdown gives no meaning; they only ever end in text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from cg_review.document import Span
from cg_review.hitl.case import Case, Placed

_OPEN, _CLOSE = "⸢{}⸣", "⸤{}⸥"
_BRACKETS = re.compile("[⸢⸣⸤⸥]")
_OPENED, _CLOSED = re.compile(r"⸢(\d+)⸣"), re.compile(r"⸤\d+⸥")


def rendered(case: Case, classes: Mapping[str, str], link: str) -> Markup:
    """The annotated body as HTML. `classes` gives claims (by id) a class; `link` + id is where a claim is answered."""
    marked = [placed for placed in case.claims if placed.claim.id in classes and placed.span is not None]
    text = _with_brackets(case, marked)
    html = str(_markdown().render(text))

    def opening(match: re.Match[str]) -> str:
        number = int(match[1])
        if number >= len(marked):
            return ""
        id_ = marked[number].claim.id
        return str(Markup('<a class="claim {}" id="at-{}" href="{}{}">').format(classes[id_], id_, link, id_))

    return Markup(_CLOSED.sub("</a>", _OPENED.sub(opening, html)))


def _with_brackets(case: Case, marked: Sequence[Placed]) -> str:
    origin = case.origin
    end = origin.as_read(Span(origin.body.start, len(origin.source))).end
    places: list[tuple[int, str]] = []
    for number, placed in enumerate(marked):
        span = _inline(case, placed)
        read = origin.as_read(span)
        places += [(read.start, _OPEN.format(number)), (read.end, _CLOSE.format(number))]
    parts, position = [], origin.layout.body.start
    for place, bracket in sorted(places, key=lambda one: one[0]):
        parts += [_BRACKETS.sub(" ", origin.text[position:place]), bracket]
        position = place
    parts.append(_BRACKETS.sub(" ", origin.text[position:end]))
    return "".join(parts)


def _inline(case: Case, placed: Placed) -> Span:
    """The characters to mark: a sentence, or the first cell of a table or row."""
    assert placed.span is not None
    for table in case.document.tables:
        if table.span.contains(placed.span):
            rows = [table.header, *table.rows]
            row = next((r for r in rows if r and placed.span.contains(r[0].span)), None)
            return row[0].span if row else placed.span
    return placed.span


def changes(case: Case) -> Markup:
    """The body with what the review put in and took out, as a diff in the text."""
    source, parts, position = case.origin.source, [], case.origin.body.start
    for edit in case.origin.edits:
        parts.append(escape(source[position : edit.span.start]))
        if edit.before:
            parts.append(Markup("<del>{}</del>").format(edit.before))
        parts.append(Markup("<ins>{}</ins>").format(edit.after))
        position = edit.span.end
    parts.append(escape(source[position:]))
    return Markup("").join(parts)


def _markdown() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    md.validateLink = lambda url: True  # type: ignore[method-assign]  # none of them becomes a link
    for name, rule in (
        ("link_open", _link_open),
        ("link_close", _link_close),
        ("image", _image),
        ("heading_open", _heading),
        ("heading_close", _heading),
    ):
        md.add_render_rule(name, rule)
    return md


def _link_open(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    return '<span class="link">'


def _link_close(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    opener = next(t for t in reversed(tokens[:at]) if t.type == "link_open" and t.level == tokens[at].level)
    return str(
        Markup("</span> <small>({})</small>").format(_BRACKETS.sub("", str(opener.attrGet("href") or "")))
    )


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    return str(Markup("[image: {}]").format(_BRACKETS.sub("", tokens[at].content)))


def _heading(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    """The document's headings go below the page's own two."""
    level = min(6, int(tokens[at].tag[1]) + 2)
    return f"<{'/' if tokens[at].nesting < 0 else ''}h{level}>"
