"""`cg-review explain`: points and rules in force, and `--check` of a rules folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cg_review.cli import main
from ruamel.yaml import YAML
from rules_folders import HOUSE, rules


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["explain", *arguments])
    return int(ended.value.code or 0)


def test_a_point_is_explained_with_the_rules_in_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = rules(tmp_path, house=HOUSE + "remove: [factor]\npasses: [{text: A passing one., why: mine}]\n")
    assert run("1") == 0
    shipped = capsys.readouterr().out
    assert "- 1/factor\n" in shipped
    assert "Switched off" not in shipped
    assert run("1", "--rules", str(folder)) == 0
    own = capsys.readouterr().out
    assert f"- 1/zugzwang  (yours: {folder}/points/house.yaml)\n" in own
    assert "Switched off:\n- 1/factor\n" in own
    assert "Passes: A passing one." in own
    assert "moods" in own


def test_the_rules_of_the_configuration_are_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules(tmp_path / "house", house=HOUSE)
    (tmp_path / "cg-review.toml").write_text('rules = ["house"]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("hypothesis-vs-fact") == 0
    assert "1/zugzwang  (yours" in capsys.readouterr().out
    assert run("--check") == 0


def test_a_rule_is_shown_as_it_can_be_copied_under_replace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("1/factor") == 0
    shown = capsys.readouterr().out
    (copied,) = YAML(typ="safe").load(shown)
    folder = rules(
        tmp_path, house="extends: 1\nreplace:\n" + shown.replace("confidence: 0.75", "confidence: 0.9")
    )
    assert copied["confidence"] == 0.75
    assert run("1/factor", "--rules", str(folder)) == 0
    assert "(yours" in capsys.readouterr().out
    assert run("--check", "--rules", str(folder)) == 0
    assert run("1/fctor") == 2
    assert "`cg-review explain 1` lists them" in capsys.readouterr().err


def test_check_says_which_examples_do_not_behave_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = rules(tmp_path / "good", house=HOUSE)
    assert run("--check", "--rules", str(good)) == 0
    assert capsys.readouterr().out == "1 rule(s) of your own; 3 of 3 example(s) behave as they say\n"
    folder = rules(
        tmp_path / "bad",
        house=HOUSE,
        other="""extends: 3
patterns:
  - {id: upper, match: Gambit, reason: r, fires: [{text: A Gambit here.}]}
  - id: wobble
    match: 'wobbl\\w+'
    unless: ['\\bleg\\b']
    needs: [technical]
    reason: wobbling
    fires: [{text: The table wobbles on a leg.}, {text: The table might wobble.}]
    silent: [{text: The floor is level.}]
  - {id: tilt, match: tilts, reason: r, fires: [{text: 'It stands. It tilts.', quote: stands}], silent: [{text: It tilts.}]}
passes: [{text: It tilts a bit.}]
""",
    )
    assert run("--check", "--rules", str(folder)) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "4 rule(s) of your own; 4 of 10 example(s) behave as they say"
    told = "\n".join(line.removeprefix(f"{folder}/points/") for line in lines)
    assert "other.yaml: upper: fires: “A Gambit here.”: `match` is in no sentence of it" in told
    assert "other.yaml: upper: has no example that is silent" in told
    assert "on a leg.”: `unless` \\bleg\\b silences it; the trait technical is not there" in told
    assert "might wobble.”: the trait technical is not there; the trait hedged silences it" in told
    assert "not the quote" in told
    assert "other.yaml: tilt: silent: “It tilts.”: point 3 finds: r" in told
    assert "point 3: silent: “It tilts a bit.”" in told


@pytest.mark.parametrize(
    ("fix", "examples", "settles"),
    [
        ("{sentence} (shown by [measurement])", ["It is a zugzwang."], False),
        ("{sentence} (shown by [measurement])", ["- It is a zugzwang.", "A zugzwang, at last."], False),
        ("HYPOTHESIS: {sentence}", ["It is a zugzwang."], True),
        ("{body} for [reason]{stop}", ["It is a zugzwang.", "It ends in zugzwang."], False),
        ("In our view, {sentence}", ["It is a zugzwang.", "It is a zugzwang, and the gate fell."], True),
        ("Ask for the reason of {match}.", ["It is a zugzwang."], True),  # advice, given as it is
        ("{body} as of {own_date}{stop}", ["It is a zugzwang."], True),  # not to be made here
        (
            "{body} for [reason]{stop}",
            ["| A | B |\n|--|--|\n| zugzwang | 1 |"],
            True,
        ),  # a cell needs no trait
    ],
)
def test_check_says_which_fix_settles_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fix: str, examples: list[str], settles: bool
) -> None:
    rule = {
        "id": "zugzwang",
        "match": "zugzwang",
        "reason": "r",
        "fix": fix,
        "on": ["sentence", "list_item", "table_row"],
        "fires": [{"text": text, "quote": "zugzwang"} for text in examples],
        "silent": [{"text": "It is blue."}],
    }
    folder = rules(tmp_path, house=json.dumps({"extends": 1, "patterns": [rule]}))
    assert run("--check", "--rules", str(folder)) == (0 if settles else 1)
    *lines, last = capsys.readouterr().out.splitlines()
    assert f"{len(examples) + 1} of {len(examples) + 1} example(s)" in last
    assert len(lines) == (0 if settles else 1)
    assert all("house.yaml: zugzwang: fires: “" in line and "hedged, sourced" in line for line in lines)


@pytest.mark.parametrize("arguments", [["--check"], ["1", "--check", "--rules", "."]])
def test_check_without_a_folder_or_with_a_topic_is_wrong_usage(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
