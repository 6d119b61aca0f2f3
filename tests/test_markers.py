"""The marker vocabulary: every point has one, every one loads and is recognised, every verb is what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cg_review import resources
from cg_review.errors import InputError
from cg_review.guard import inflections
from cg_review.inline import InlineParser, build_markdown
from cg_review.markers import load_markers
from cg_review.points import ALL_POINTS, load_points

MARKERS = load_markers()


def test_every_point_has_a_marker_and_no_other() -> None:
    assert tuple(sorted(MARKERS.points)) == ALL_POINTS


@pytest.mark.parametrize("text", MARKERS.texts)
def test_a_marker_is_emphasis_in_markdown_and_recognised(text: str) -> None:
    assert MARKERS.pattern.fullmatch(text)
    assert InlineParser(build_markdown()).parse(f"A claim {text}.").plain == f"A claim {text.strip('*')}."
    assert "|" not in text


def test_every_kind_of_point_9_has_its_words() -> None:
    kinds = next(point for point in load_points() if point.id == 9).kinds
    assert kinds
    for kind in kinds:
        assert MARKERS.marker(9, kind) == f"*(unverified: {kind.lower().replace('_', ' ')})*"
    assert MARKERS.marker(9, "SOMETHING ELSE") == "*(unverified: external fact)*"


def test_every_verb_is_the_third_person_of_its_base_form() -> None:
    for rule in (MARKERS.rewrites.causes, MARKERS.rewrites.future):
        for verb, base in rule.verbs.items():
            assert verb in inflections(base)


def test_a_key_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "markers.yaml"
    path.write_text("points: {}\nrewrite: {}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"markers\.yaml"):
        load_markers((tmp_path,))


@pytest.mark.parametrize("wrong", ["{nope}", "{verb.x}", "{verb:>9}", "{verb"])
@pytest.mark.parametrize("name", ["will_verb", "replace"])
def test_a_rewrite_that_names_what_there_is_not_is_an_error_at_load(
    tmp_path: Path, name: str, wrong: str
) -> None:
    shipped = resources.find("rules", "markers.yaml").read_text(encoding="utf-8")
    changed = re.sub(rf"(\b{name}: ).*", lambda match: f'{match[1]}"{wrong}"', shipped, count=1)
    assert changed != shipped
    (tmp_path / "markers.yaml").write_text(changed, encoding="utf-8")
    with pytest.raises(InputError, match=r"markers\.yaml.*verb"):
        load_markers((tmp_path,))
