from __future__ import annotations

from typing import Any

import pytest
from cg_review.cgd.frontmatter import Splice, read_frontmatter, splice
from cg_review.cgd.layout import take_apart
from cg_review.cgd.writer import quote_scalar, render_entry, render_frontmatter
from cg_review.errors import DocumentRefused
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

AWKWARD = """---
# a comment first
processed-by:   'Jo''s tool'   # who
team: Harbour
confirmed: Yes
date: 2026-06-10
count: 1_000
empty:
tilde: ~
flow: {a: 1, 'b': [x, "y"]}
text: |
  a block

folded: >-
  more
   text
hitl-claims:
  # the first claim
  - id: claim-1
    text: "one"  # why
  -   id: claim-2
      text: plain words
        go on
  # the end
last: 1
---
body
"""


def document(frontmatter: str) -> str:
    return f"---\n{frontmatter}---\nbody\n"


def edited(text: str, *splices: Splice) -> str:
    return splice(text, splices)


def test_values_keep_their_text() -> None:
    data = read_frontmatter(AWKWARD).data
    assert (data["date"], data["confirmed"], data["count"]) == ("2026-06-10", "Yes", "1_000")
    assert data["empty"] is None
    assert data["tilde"] is None
    assert data["processed-by"] == "Jo's tool"
    assert data["flow"] == {"a": "1", "b": ["x", "y"]}
    assert data["hitl-claims"][1] == {"id": "claim-2", "text": "plain words go on"}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("path", "value", "before", "after"),
    [
        (("processed-by",), "A'B", "'Jo''s tool'", "'A''B'"),
        (("empty",), 3, "empty:", "empty: 3"),
        (("tilde",), None, "~", "null"),
        (("flow", "a"), True, "{a: 1", "{a: true"),
        (("flow", "b", 1), "z", '"y"', '"z"'),
        (("folded",), "x: y", ">-\n  more\n   text", '"x: y"'),
        (("text",), "t", "|\n  a block", '"t"'),
        (("hitl-claims", 0, "text"), 'a "b"', '"one"', '"a \\"b\\""'),
        (("hitl-claims", 1, "text"), "yes", "plain words\n        go on", '"yes"'),
        (("last",), "2026-01-01", "last: 1", 'last: "2026-01-01"'),
    ],
)
def test_setting_a_value_changes_its_bytes_only(
    path: Any, value: Any, before: str, after: str, newline: str, bom: str
) -> None:
    text = bom + AWKWARD.replace("\n", newline)
    changed = edited(text, read_frontmatter(text).set(path, value))
    assert changed == text.replace(before.replace("\n", newline), after, 1)


@pytest.mark.parametrize(
    ("path", "removed", "put"),
    [
        (("team",), "team: Harbour\n", ""),
        (("flow", "a"), "a: 1, ", ""),
        (("flow", "b"), ", 'b': [x, \"y\"]", ""),
        (("hitl-claims", 0), '  - id: claim-1\n    text: "one"  # why\n', ""),
        (("hitl-claims", 1), "  -   id: claim-2\n      text: plain words\n        go on\n", ""),
        (("hitl-claims", 0, "id"), "id: claim-1\n    text", "text"),
        (("text",), "text: |\n  a block\n", ""),
    ],
)
def test_deleting_takes_the_lines_of_the_key(path: Any, removed: str, put: str) -> None:
    assert edited(AWKWARD, read_frontmatter(AWKWARD).delete(path)) == AWKWARD.replace(removed, put, 1)


def test_deleting_the_last_entry_leaves_an_empty_list() -> None:
    text = document("hitl-claims:\n  - id: a\n    text: b\nlast: 1\n")
    assert edited(text, read_frontmatter(text).delete(("hitl-claims", 0))) == document(
        "hitl-claims: []\nlast: 1\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("claims: []\n", 'claims:\n  - id: b\n    text: "t"\n'),
        ("claims: []  # none\nz: 1\n", 'claims:  # none\n  - id: b\n    text: "t"\nz: 1\n'),
        ("claims:\n", 'claims:\n  - id: b\n    text: "t"\n'),
        ("claims:\n- id: a\n", 'claims:\n- id: a\n- id: b\n  text: "t"\n'),
        (
            "claims:\n    - id: a # c\nz: 1\n",
            'claims:\n    - id: a # c\n    - id: b\n      text: "t"\nz: 1\n',
        ),
        ("claims: [{id: a}]\n", 'claims: [{id: a}, {id: b, text: "t"}]\n'),
    ],
)
def test_appending_to_a_list(before: str, after: str) -> None:
    text = document(before)
    changed = edited(text, read_frontmatter(text).append(("claims",), {"id": "b", "text": "t"}))
    assert [line.rstrip() for line in changed.split("\n")] == [
        line.replace(":  #", ": #") if ":  #" in line else line for line in document(after).split("\n")
    ]
    assert read_frontmatter(changed).data["claims"][-1] == {"id": "b", "text": "t"}


def test_inserting_keys() -> None:
    frontmatter = read_frontmatter(AWKWARD)
    changed = edited(
        AWKWARD, frontmatter.insert("new", "x", after="team"), frontmatter.insert("other", [1], before="date")
    )
    assert changed == AWKWARD.replace("team: Harbour\n", "team: Harbour\nnew: x\n").replace(
        "date:", "other:\n  - 1\ndate:"
    )
    changed = edited(AWKWARD, frontmatter.insert("round", "B", after="id", path=("hitl-claims", 1)))
    assert changed == AWKWARD.replace("claim-2\n", "claim-2\n      round: B\n")
    changed = edited(AWKWARD, frontmatter.insert("c", 2, path=("flow",)))
    assert changed == AWKWARD.replace('"y"]}', '"y"], c: 2}')


def test_a_block_goes_right_before_the_closing_delimiter() -> None:
    text = AWKWARD.replace("\n", "\r\n")
    changed = edited(text, read_frontmatter(text).append_block("tier", {"level": "SOT", "version": "1.0"}))
    assert changed == text.replace("last: 1\r\n", 'last: 1\r\ntier:\r\n  level: SOT\r\n  version: "1.0"\r\n')


def test_what_cannot_be_edited_is_refused() -> None:
    frontmatter = read_frontmatter(document("a: 1\na: 2\n"))
    with pytest.raises(DocumentRefused, match="given twice"):
        frontmatter.set(("a",), 3)
    with pytest.raises(DocumentRefused, match="missing"):
        frontmatter.delete(("b",))
    with pytest.raises(ValueError, match="overlap"):
        splice("abc", [Splice(0, 2, ""), Splice(1, 3, "")])


@pytest.mark.parametrize(
    ("yaml", "kind"),
    [
        ("a: 'x\n", "syntax"),
        ("- a\n", "syntax"),
        ("a: \0\n", "syntax"),
        ("a: &x 1\nb: *x\n", "anchor"),
        ("a: " + "[" * 20 + "]" * 20 + "\n", "depth"),
        ("a: " + "[" * 200_000 + "\n", "depth"),
        ("a: 1\nb: {c: 1, 'c': 2}\n", "duplicate"),
        ("a: 1\n--- # second\nb: 2\n", "syntax"),
        ('a: "\\UFFFFFFFF"\n', "syntax"),
    ],
)
def test_yaml_that_is_not_trusted(yaml: str, kind: str) -> None:
    problems = read_frontmatter(document(yaml)).problems
    assert [problem.kind for problem in problems] == [kind]


def test_ampersands_in_text_are_no_anchors_and_20_levels_are_allowed() -> None:
    assert not read_frontmatter(document("a: R&D *and* &more\nb: '&x'\n")).problems
    assert not read_frontmatter(document("a: " + "[" * 19 + "]" * 19 + "\n")).problems


SCALARS = st.text() | st.sampled_from(
    [
        "yes",
        "1.10",
        "2026-01-12",
        "*x",
        "a: b",
        "",
        "~",
        "- a",
        "#",
        "a #b",
        "null",
        "1_0",
        "0x1",
        "é",
        "a\u2028b",
        "\x85",
        ".5",
        "=",
    ]
)


@given(SCALARS)
def test_a_quoted_scalar_means_its_text_to_every_reader(text: str) -> None:
    yaml = f"a: {quote_scalar(text)}\nb: [{quote_scalar(text)}]\n? {quote_scalar(text)}\n: 1\n"
    for typ in ("safe", "rt"):
        read = YAML(typ=typ, pure=True).load(yaml)
        assert read["a"] == read["b"][0] == text
    assert read_frontmatter(document(yaml)).data["a"] == text


KEYS = st.sampled_from(["a", "b-c", "Key", "x1", "é"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    if value is None or isinstance(value, str):
        return value
    return str(value).lower()


@given(
    st.dictionaries(KEYS, VALUES, min_size=2, max_size=4), st.data(), st.sampled_from(["\n", "\r\n", "\r"])
)
def test_changing_one_key_changes_only_that_keys_bytes(
    fields: dict[str, Any], data: st.DataObject, newline: str
) -> None:
    lines = [line for key, value in fields.items() for line in (f"# about {key}", *render_entry(key, value))]
    text = document("".join(f"{line}\n" for line in lines)).replace("\n", newline)
    frontmatter = read_frontmatter(text)
    assert frontmatter.data == as_text(fields)
    key = data.draw(st.sampled_from(sorted(fields)))
    value = data.draw(VALUES)
    edit = frontmatter.set((key,), value)
    key_node, old = frontmatter.key(key), frontmatter.node(key)
    assert key_node is not None
    assert old is not None
    assert key_node.end <= edit.start <= edit.end <= max(old.end, edit.start)
    assert read_frontmatter(splice(text, [edit])).data == as_text({**fields, key: value})
    smaller = {name: item for name, item in fields.items() if name != key}
    assert read_frontmatter(splice(text, [frontmatter.delete((key,))])).data == as_text(smaller)
    longer = splice(text, [frontmatter.insert("new", value, before=key)])
    assert read_frontmatter(longer).data == as_text({**fields, "new": value})
    assert list(read_frontmatter(longer).data).index("new") == list(fields).index(key)


@given(st.text(alphabet="ab:-#'\"[]{}, \n|>&*!%@`?~1.\r") | st.text())
def test_any_text_between_the_delimiters_is_read_or_reported(yaml: str) -> None:
    frontmatter = read_frontmatter(f"---\n{yaml}\n---\nbody\n")
    assert frontmatter.readable or frontmatter.problems or frontmatter.layout.frontmatter is None
    for path in [(key,) for key in frontmatter.root.names()]:
        node = frontmatter.node(*path)
        assert node is not None
        assert node.start <= node.end <= len(frontmatter.layout.text)


def test_a_new_frontmatter_follows_the_formats_order() -> None:
    claim = {"id": "claim-1", "text": "A: b", "source": "Ask Jo Park", "location": "a/1", "round": "B"}
    text = render_frontmatter(
        {
            "tier": {"level": "SOT"},
            "extra": 1,
            "hitl-claims": [claim],
            "processed-date": "2026-01-12",
            "clarity-gate-version": "2.1",
        },
        kept="title: kept\n",
    )
    assert text == (
        "---\nclarity-gate-version: 2.1\nprocessed-date: 2026-01-12\nhitl-claims:\n"
        '  - id: claim-1\n    text: "A: b"\n    source: "Ask Jo Park"\n    location: "a/1"\n    round: B\n'
        "extra: 1\ntitle: kept\ntier:\n  level: SOT\n---\n"
    )
    assert take_apart(text + "\nbody").body_text == "\nbody"
