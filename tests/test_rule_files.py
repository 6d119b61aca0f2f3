"""A rules folder may hold anything: what no rule file is, is an error of one line with the file, and never a hang."""

from __future__ import annotations

from pathlib import Path

import pytest
from cg_review import resources, review
from cg_review.errors import InputError
from cg_review.points import load_points, rules_hash
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.rule_files import own_files, read_rules
from rules_folders import HOUSE, rules


@pytest.mark.parametrize(
    "name", ["point/x.yaml", "trait.yaml", "traits.yml", "words.yaml", "points/x.yml", "points/more/x.yaml"]
)
def test_a_name_that_nothing_reads_is_an_error(tmp_path: Path, name: str) -> None:
    folder = rules(tmp_path, house=HOUSE)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("extends: 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no rule file has this name.*points/") as error:
        EmbeddedReviewer((folder,))
    assert name.split("/")[0] in str(error.value)


def test_notes_and_hidden_files_may_lie_beside_the_rules(tmp_path: Path) -> None:
    folder = rules(tmp_path, house=HOUSE)
    for name in ("README.md", "LICENSE", ".gitignore", "points/notes.txt", "points/house.yaml~"):
        (folder / name).write_text("{", encoding="utf-8")
    (folder / ".git").mkdir()
    assert own_files(folder) == (folder / "points/house.yaml",)


def test_a_folder_that_is_missing_or_has_no_rules_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        review("# A\n", rules=[tmp_path / "nowhere"])
    (tmp_path / "README.md").touch()
    with pytest.raises(InputError, match="has no rules"):
        review("# A\n", rules=[tmp_path])


BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 8)}]\n"
    for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"a: [", "not readable as YAML"),
        (b"a: 2026-13-45\n", "not readable as YAML"),
        (b"a: \xff", "not readable as YAML"),
        (b"a: 1\na: 2\n", 'not readable as YAML: line 2: found duplicate key "a"$'),
        (b"a: 1\nb: [\n", "not readable as YAML: line 3: expected the node content"),
        (b"a: !!python/object:os.system x\n", "not readable as YAML"),
        (b"a: " + b"9" * 5000 + b"\n", "not readable as YAML"),
        (b"[" * 3000, "nested too deeply"),
        (BOMB.encode(), "aliases"),
        (b"#" * 400_000, "bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_hostile_file_is_an_error_of_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = rules(tmp_path) / "traits.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as error:
        EmbeddedReviewer((tmp_path,))
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


def test_an_alias_within_bounds_is_one(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: &a [x]\nb: *a\n", encoding="utf-8")
    assert read_rules(path) == {"a": ["x"], "b": ["x"]}


@pytest.mark.parametrize("text", ["{", '{"about": "x"}', "[" * 100_000, '{"about": NaN}'])
def test_wrong_weights_are_an_error_of_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "weights.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"weights\.json") as error:
        EmbeddedReviewer((tmp_path,))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("markers", "points: 3\n"),
        ("markers", None),
        ("injection", "patterns: [{id: a, match: 'x*', fires: [], silent: []}]\n"),
    ],
)
def test_what_only_a_review_reads_is_checked_before_the_first_document(
    tmp_path: Path, name: str, content: str | None
) -> None:
    shipped = resources.find("rules", "markers.yaml").read_text(encoding="utf-8")
    empty = shipped.replace("*(hypothesis, not validated)*", "")
    (tmp_path / f"{name}.yaml").write_text(empty if content is None else content, encoding="utf-8")
    with pytest.raises(InputError, match=f"{name}.yaml"):
        review("# A\n", rules=[tmp_path])


def test_every_file_of_every_folder_is_in_the_hash(tmp_path: Path) -> None:
    one, two = rules(tmp_path / "1", house=HOUSE), rules(tmp_path / "2", house="extends: 3\nremove: []\n")
    hashes = {rules_hash(folders) for folders in ((), (one,), (two,), (one, two), (two, one))}
    assert len(hashes) == 5
    same = rules(tmp_path / "elsewhere", house=HOUSE)
    assert rules_hash((same,)) == rules_hash((one,)), "where a folder lies is nobody's business"
    assert load_points((one,))[0] != load_points()[0]


def test_a_name_of_two_lines_is_told_on_one(tmp_path: Path) -> None:
    path = rules(tmp_path, house="extends: 1\npatterns: 5\n") / "points" / "house.yaml"
    path.rename(path.with_name("ho\nu\x1bse.yaml"))
    with pytest.raises(InputError, match=r"ho u\ufffdse\.yaml: patterns") as error:
        EmbeddedReviewer((tmp_path,))
    assert "\n" not in str(error.value)
