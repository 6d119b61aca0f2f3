"""The fast reader of rule files gives what ruamel.yaml gives, or gives up."""

from __future__ import annotations

from pathlib import Path

import pytest
from cg_review import resources
from cg_review.errors import InputError
from cg_review.rule_files import read_rules
from cg_review.rules_yaml import NotPlain, read_plain_rules
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

RULES = sorted(resources.shipped("rules").rglob("*.yaml"))


def slowly(text: str) -> object:
    return YAML(typ="safe", pure=True).load(text)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_every_shipped_file_is_plain_and_read_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert repr(read_plain_rules(text)) == repr(slowly(text))


LINES = st.sampled_from(
    [
        "a: 1",
        "b: word two",
        "  c: 'it''s'",
        '  d: "a\\nb"',
        "e:",
        "- x",
        "- a: 1",
        "  - 0.5",
        "    more",
        "  f: [a, 'b', 2, {g: h}]",
        "g: {h: i, j: [k]}",
        "h: [a,",
        "   b]",
        "text: |",
        "text: |-",
        "    line: two",
        "      deeper",
        "",
        "    ",
        "# note",
        "k: v # note",
        "l: v#w",
        "m: true",
        "n: no",
        "o: 2026-11-30",
        "p: 9,340 letters",
        "p: 450 of 420",
        "p: 2026-11-30 10:00:00",
        "p: 2026-11-30 10:00:00 +1",
        "p: 1 000",
        "p: 1e3 x",
        "q: ~",
        "r: a: b",
        "s: http://x",
        "t: *u",
        "'u': v",
        "1: one",
        "w: -5",
        "x: 0x1f",
        "y: 1_000",
        "z: <x>",
        "a: again",
        "---",
        "? x",
    ]
)


@given(st.lists(LINES, min_size=1, max_size=7).map(lambda lines: "\n".join([*lines, ""])))
def test_what_is_read_at_all_is_read_alike(text: str) -> None:
    try:
        found = read_plain_rules(text)
    except NotPlain:
        return
    assert repr(found) == repr(slowly(text))


@given(st.text(alphabet="ab:-[]{}'\"|#, \n\\0.5~", max_size=30).map(lambda text: text + "\n"))
def test_any_text_is_read_alike_or_left(text: str) -> None:
    try:
        found = read_plain_rules(text)
    except NotPlain:
        return
    try:
        expected = slowly(text)
    except YAMLError as error:
        raise AssertionError(f"{text!r} is no YAML, and was read as {found!r}") from error
    assert repr(found) == repr(expected)


def test_what_is_not_plain_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: &x [1]\nb: *x\n", encoding="utf-8")
    assert read_rules(path) == {"a": [1], "b": [1]}


@pytest.mark.parametrize("text", ["a: [1", "a: 1\na: 2\n", "a: 'b\n", "a: \ud83d"])
def test_what_is_no_yaml_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"a\.yaml: not readable as YAML"):
        read_rules(path)


def test_deep_nesting_is_left_to_the_other_reader() -> None:
    with pytest.raises(NotPlain):
        read_plain_rules("a: " + "[" * 100_000)
