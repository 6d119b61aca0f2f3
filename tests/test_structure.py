"""The proof that edits change no structure: stretch by stretch it says yes only where the whole text read again does."""

from __future__ import annotations

from cg_review import structure
from cg_review.document import Document, Span
from cg_review.findings import Edit
from cg_review.parse import parse

TEXT = """# Title

One sentence. Another, with `code` and a [link][a].

- item
- item two

  its second paragraph

> quoted

| a | b |
|---|---|
| 1 | 2 |

Plain text
over two lines.

```
fence
```

1. first
2. second

Last[^1] paragraph.

[a]: https://example.org

[^1]: A note.

    With more.
"""
INSERTED = (
    " *(projected)*", "`", "\n```\n", "- ", "\n- a", "> ", "\n\n", "\n\n    x", "$$", "\n$$\n", "<!--", "<div>", "\n<pre>\n",
    "\n\n[a]: /u", "[^1]", "# ", "\n# h\n", "*", "[", "](u)", "1. ", "\n---\n", "\n===\n", "|",
)  # fmt: skip


def edits_at(document: Document, after: str) -> list[Edit]:
    places = sorted(
        {place for s in document.segments for place in (s.span.start, s.insertion, s.span.start + 3)}
    )
    return [Edit(span=Span(at, at), before="", after=after, finding="F", kind="insertion") for at in places]


def test_a_stretch_is_only_trusted_where_the_whole_agrees() -> None:
    document = parse(TEXT)
    trusted = 0
    for after in INSERTED:
        for edit in edits_at(document, after):
            if structure._stretches_keep_shape(document, [edit]):
                trusted += 1
                assert structure._whole_keeps_shape(document, [edit]), edit
    assert trusted > 100


def test_markers_are_proved_without_reading_the_whole() -> None:
    document = parse(TEXT)
    plain = [
        s for s in document.segments if s.plain in ("One sentence.", "item", "Plain text over two lines.")
    ]
    edits = [
        Edit(
            span=Span(s.insertion, s.insertion),
            before="",
            after=" *(projected)*",
            finding="F",
            kind="insertion",
        )
        for s in plain
    ]
    assert len(edits) == 3
    assert structure._stretches_keep_shape(document, edits)


def test_a_sentence_that_is_only_code_does_not_stop_the_markers() -> None:
    document = parse("It works with Python. `3.11`. It will be faster.\n")
    last = document.segments[-1]
    edit = Edit(
        span=Span(last.insertion, last.insertion),
        before="",
        after=" *(projected)*",
        finding="F",
        kind="insertion",
    )
    assert structure.keep_shape(document, [edit])
    assert structure._whole_keeps_shape(document, [edit])
