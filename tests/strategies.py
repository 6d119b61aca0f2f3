"""Markdown that breaks tools: fragments from which hypothesis builds documents, and a reviewer that objects by content."""

from __future__ import annotations

import zlib
from datetime import date

from cg_review.document import Document, SegmentKind
from cg_review.findings import Quote, RawFinding
from cg_review.reviewers import Found, PassResult
from hypothesis import strategies as st

WORDS = [
    "Revenue", "will", "be", "$50M", "by", "Q4", "the", "system", "processes", "10,000", "requests", "it", "improves",
    "3.5", "%", "e.g.", "vs.", "No. 3", "v1.2.3", "`a|b`", "**bold**", "*em*", "~~gone~~", "[link](http://x.y/z 'T')",
    "![alt](i.png)", "<b>tag</b>", "<!-- note -->", "&amp;", "\\*", "naïve", "cafe\u0301", "日本語", "😀", "[^1]", "$x^2$", "a_b_c", "*",
    "_", "`", "[", "]", "(", "|", "\\|", "\t", "http://a.b/c?d=1.", "“quoted.”", "*(estimated)*", "`*(unverified projection)*`",
]  # fmt: skip
STOPS = [".", ".", ".", "!", "?", ":", "", "…", ".**", ".)"]

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
sentences = st.builds(lambda body, stop: body + stop, words, st.sampled_from(STOPS))
paragraphs = st.lists(sentences, min_size=1, max_size=4).flatmap(
    lambda parts: st.sampled_from([" ", "\n", "  \n"]).map(lambda glue: glue.join(parts))
)
headings = st.builds(
    lambda marks, text, tail: f"{marks} {text}{tail}",
    st.sampled_from(["#", "##", "###"]),
    words,
    st.sampled_from(["", " ##"]),
)
setext = words.map(lambda text: f"{text}\n=====")


def _table(rows: list[list[str]]) -> str:
    width = len(rows[0])
    lines = ["| " + " | ".join((row + ["x"] * width)[:width]) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])


cells = st.sampled_from(
    ["89 %", "a", "`c|d`", "", "-", "✓", "Flag", "x \\| y", "**5**", "will be $9", "2026"]
)
tables = st.lists(st.lists(cells, min_size=2, max_size=4), min_size=2, max_size=4).map(_table)
fences = words.map(lambda text: f"```python\n{text}\nRevenue will be $9M.\n```")
lists = st.lists(sentences, min_size=1, max_size=3).map(
    lambda items: "\n".join(f"- {item}" for item in items)
)
ordered = st.lists(sentences, min_size=1, max_size=3).map(
    lambda items: "\n".join(f"{n}. {item}\n   more text will come." for n, item in enumerate(items, 1))
)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


quotes = st.one_of(paragraphs, tables, lists).map(_quoted)
others = st.sampled_from(
    ["<div>\nhtml will be here.\n</div>", "    indented code will be here", "---", "***", "[^1]: A note will follow.", "$$\nx\n$$",
     "<!-- a comment -->", "[ref]: http://x.y"]
)  # fmt: skip
blocks = st.one_of(paragraphs, paragraphs, headings, setext, tables, fences, lists, ordered, quotes, others)
bodies = st.lists(blocks, min_size=1, max_size=7).flatmap(
    lambda parts: st.sampled_from(["\n\n", "\n", "\n\n\n", "\n \t\n"]).map(lambda glue: glue.join(parts))
)
frontmatters = st.sampled_from(
    ["", "", "---\ntitle: A plan\nupdated: 2024-01-01 # why\n---\n", "---\nprocessed-by: me\n---\n", "---\na: &x 1\n---\n",
     "---\n: [\n---\n", "---\n\n---\n", "---\r\n---\n"]
)  # fmt: skip
newlines = st.sampled_from(["\n", "\n", "\r\n", "\r"])
documents = st.builds(
    lambda bom, front, body, end, newline: (
        bom + (front + body + end).replace("\r\n", "\n").replace("\n", newline)
    ),
    st.sampled_from(["", "", "\ufeff"]),
    frontmatters,
    bodies,
    st.sampled_from(["", "\n", "\n\n", "\n\n\n", "  \n"]),
    newlines,
)


class ContentReviewer:
    """Objects to segments by their wording, so that it says the same of the same sentence wherever it stands."""

    name = "by-content"

    def __init__(self, share: int = 4) -> None:
        self.share = share

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        findings = []
        for segment in document.segments:
            key = zlib.crc32(segment.plain.encode("utf-8", "surrogatepass")) + point
            if key % self.share:
                continue
            if (point == 4) != (segment.kind is SegmentKind.TABLE):
                continue
            other = document.segments[key % len(document.segments)]
            related = (Quote(segment=other.number, quote=""),) if point == 5 else ()
            findings.append(
                RawFinding(
                    point=point,
                    segment=segment.number,
                    reason="by its wording",
                    kind="PRICING",
                    related=related,
                )
            )
        return Found(point, tuple(findings))
