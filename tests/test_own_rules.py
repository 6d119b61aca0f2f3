"""A user's own rules: added, replaced and switched off one by one, checked at load, and taken at their word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cg_review import resources, review
from cg_review.errors import InputError
from cg_review.parse import parse
from cg_review.points import load_points, rules_in_force
from cg_review.reviewers import PassFailed, fingerprint
from cg_review.reviewers.embedded import EmbeddedReviewer, matching
from cg_review.reviewers.embedded.matching import OWN_TIMEOUT, steps_of
from cg_review.reviewers.embedded.weights import load_weights
from rules_folders import HOUSE, found, rules

FASTER = "# Engine\n\nThe new engine is 12x faster.\n"
REPLACED = """extends: 1
replace:
  - {id: factor, match: '\\d+x slower', reason: mine, confidence: 0.4}
"""


def reviewer(folder: Path, **files: str) -> EmbeddedReviewer:
    return EmbeddedReviewer((rules(folder, **files),))


def test_a_pattern_and_its_words_are_added_and_the_shipped_ones_stay(tmp_path: Path) -> None:
    own = reviewer(tmp_path, house=HOUSE)
    assert found(own, "The gate stands in zugzwang.\n") == [(1, '"zugzwang" is a mood', 0.61)]
    assert found(own, "We are in a foul mood.\n") == [(1, '"foul mood" is a mood', 0.61)]
    assert found(own, FASTER) == found(EmbeddedReviewer(), FASTER)
    assert list(own.patterns.patterns[0][1].rule.fires), "own rules go first"


def test_words_are_added_to_a_shipped_vocabulary(tmp_path: Path) -> None:
    text = "The valve is zippier.\n"
    point = load_points()[0]
    assert "zippier" not in point.words["comparatives"]
    house = "extends: 1\nwords: {comparatives: [zippier]}\npatterns: []\n"
    own = reviewer(tmp_path, house=house)
    assert own.points[1].words["comparatives"] == (*point.words["comparatives"], "zippier")
    assert own.points[1].patterns == point.patterns
    assert not rules_in_force((tmp_path,)).own, "the rule is the shipped one, and still weighed"
    assert found(own, text)[:1] != found(EmbeddedReviewer(), text)[:1]


def test_a_pattern_switched_off_is_not_found_by_the_weights_instead(tmp_path: Path) -> None:
    assert [one[0] for one in found(EmbeddedReviewer(), FASTER)] == [1]
    assert found(reviewer(tmp_path, house="extends: 1\nremove: [factor]\n"), FASTER) == []


def test_a_replaced_pattern_is_taken_at_its_word_though_the_weights_know_its_id(tmp_path: Path) -> None:
    assert "rule 1/factor" in load_weights().in_house.sentence.weights
    own = reviewer(tmp_path, house=REPLACED)
    assert found(own, "# Engine\n\nThe new engine is 12x slower.\n") == [(1, "mine", 0.4)]
    assert found(own, FASTER) == []


def test_a_whole_file_with_a_changed_pattern_makes_that_one_the_users_own(tmp_path: Path) -> None:
    name = "1-hypothesis-vs-fact.yaml"
    text = resources.find("rules", f"points/{name}").read_text(encoding="utf-8")
    (rule,) = [one for one in load_points()[0].patterns if one.id == "factor"]
    told = [one[2] for one in found(EmbeddedReviewer(), FASTER)]
    assert told != [rule.confidence]
    worded = text.replace("is a figure for an effect", "has no measurement", 1)
    for number, (changed, unweighed, confidence) in enumerate(
        (
            (worded, set(), told),  # it finds what it found, and is as likely as it was
            (worded.replace("x|×", "x|X|×", 1), {(1, "factor")}, [rule.confidence]),
        )
    ):
        folder = rules(tmp_path / str(number))
        (folder / "points" / name).write_text(changed, encoding="utf-8")
        in_force = rules_in_force((folder,))
        assert set(in_force.own) == {(1, "factor")}
        assert in_force.unweighed == unweighed
        assert [one[2] for one in found(EmbeddedReviewer((folder,)), FASTER)] == confidence


def test_own_rules_come_before_shipped_ones_that_are_surer(tmp_path: Path) -> None:
    own = "extends: 1\npatterns: [{id: mine, match: '12x', reason: mine, confidence: 0.3}]\n"
    assert found(reviewer(tmp_path, house=own), FASTER) == [(1, "mine", 0.3)]


def test_own_rules_move_no_other_sentence(tmp_path: Path) -> None:
    text = "The gate stands in zugzwang.\n\nThe crews took to it at once.\n\nThe new engine is 12x faster.\n"
    own = found(reviewer(tmp_path, house=HOUSE), text)
    elsewhere = [one for one in found(EmbeddedReviewer(), text) if "zugzwang" not in one[1]]
    assert [one for one in own if "zugzwang" not in one[1]] == elsewhere != []


def test_a_later_folder_changes_what_an_earlier_one_added(tmp_path: Path) -> None:
    first = rules(tmp_path / "1", house=HOUSE)
    second = rules(tmp_path / "2", house="extends: 1\nremove: [zugzwang]\n")
    assert found(EmbeddedReviewer((first, second)), "The gate stands in zugzwang.\n") == []
    with pytest.raises(InputError, match="zugzwang"):
        EmbeddedReviewer((second, first))


def test_traits_are_given_words_and_expressions(tmp_path: Path) -> None:
    texts = ["The engine is 12x faster, per the logbook.\n", "The engine is 12x faster (zz 12).\n"]
    assert all(found(EmbeddedReviewer(), text) for text in texts)
    own = "extends: traits\nwords: {sourced: [per the logbook]}\nmatch: {sourced: ['\\(zz \\d']}\n"
    folder = reviewer(tmp_path, traits=own)
    assert [found(folder, text) for text in texts] == [[], []]
    assert found(folder, FASTER) == found(EmbeddedReviewer(), FASTER)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("\\b(?P<family>zz)-[a-d]", "The valve is rated zz-b.\n\nThe valve in the cellar is rated zz-c.\n"),
        ("(?P<family>zz)-[a-d]\\.?$", "The valve is rated zz-b.\n\nThe cellar valve is zz-c.\n\nIt drips.\n"),
    ],
)
def test_a_product_code_of_ones_own(tmp_path: Path, code: str, text: str) -> None:
    assert found(EmbeddedReviewer(), f"# Valve\n\n{text}") == []
    folder = reviewer(tmp_path, house=f"extends: 5\nwords: {{codes: ['{code}']}}\n")
    told = [reason for point, reason, _ in found(folder, f"# Valve\n\n{text}") if point == 5]
    assert told
    assert all("zz-b" in reason and "zz-c" in reason for reason in told)


PATTERN = "extends: 1\npatterns: [{{id: mine, reason: r, {}}}]\n"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("extends: 1\nremove: [fctor]\n", "remove: 'fctor': point 1 has no such pattern"),
        ("extends: 1\nreplace: [{id: fctor, match: x, reason: r}]\n", "replace: 'fctor'"),
        ("extends: 1\npatterns: [{id: factor, match: x, reason: r}]\n", "put yours under `replace`"),
        ("extends: 1\nremove: [factor, factor]\n", "factor: stands in the file twice"),
        (REPLACED + "remove: [factor]\n", "factor: stands in the file twice"),
        ("extends: 1\n", "changes nothing"),
        ("extends: 12\n", "extends"),
        ("extend: 1\nremove: [factor]\n", "say which point it changes"),
        ("extends: 1\nremoved: [factor]\n", "removed: no such key"),
        ("extends: 1\nwords: {nowhere: [x]}\n", "nowhere: point 1 has no such vocabulary"),
        ("extends: 1\nwords: {comparatives: [Zippier]}\n", "lower case"),
        ("extends: 1\nwords: {comparatives: ['']}\n", "lower case"),
        ("extends: 5\nwords: {rates: [x]}\n", "has not the form of the others"),
        ("extends: 5\nwords: {codes: ['\\bsil \\d']}\n", "family"),
        (PATTERN.format("match: 'x?'"), "mine: 'x.?': matches the empty string"),
        (PATTERN.format("match: x, unless: ['|y']"), "matches the empty string"),
        (PATTERN.format("match: '((a{999}){999}){999}'"), "too large"),
        (PATTERN.format(f"match: '{'(' * 3000}a{')' * 3000}'"), "nested too deeply"),
        (PATTERN.format("match: '(x'"), "mine: '\\(x'"),
        (PATTERN.format("match: x, confidence: 7"), "patterns.mine.confidence"),
        (PATTERN.format("match: x, fires: [{text: x, today: tomorrow}]"), "today"),
    ],
    ids=lambda value: value[:40],
)
def test_a_wrong_file_is_an_error_at_load_that_says_what_to_do(tmp_path: Path, file: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        reviewer(tmp_path, house=file)
    assert "\n" not in str(error.value)
    assert "yaml: " in str(error.value)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("extends: traits\n", "changes nothing"),
        ("extends: 1\nwords: {hedged: [x]}\n", "extends"),
        ("extends: traits\nwords: {hedge: [x]}\n", "'hedge': no such trait"),
        ("extends: traits\nwords: {ahead: [x]}\n", "ahead: the program finds this trait"),
        ("extends: traits\nmatch: {hedged: ['x*']}\n", "matches the empty string"),
    ],
)
def test_wrong_traits_are_an_error_at_load(tmp_path: Path, file: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        reviewer(tmp_path, traits=file)


def test_a_whole_file_of_an_earlier_version_may_lack_a_vocabulary(tmp_path: Path) -> None:
    name = "9-externally-verifiable.yaml"
    point = load_points()[8]
    text = resources.find("rules", f"points/{name}").read_text(encoding="utf-8")
    last = list(point.words)[-1]
    start = text.index(f"\n  {last}: ")
    cut = text[:start] + text[text.index("\n", start + 1) :]
    (rules(tmp_path) / "points" / name).write_text(cut, encoding="utf-8")
    assert rules_in_force((tmp_path,)).points[8] == point


def test_two_patterns_of_one_id_in_a_whole_file_are_an_error(tmp_path: Path) -> None:
    name = "1-hypothesis-vs-fact.yaml"
    text = resources.find("rules", f"points/{name}").read_text(encoding="utf-8")
    twice = "patterns:\n  - {id: factor, match: x, reason: r}\n"
    (rules(tmp_path) / "points" / name).write_text(text.replace("patterns:\n", twice, 1), encoding="utf-8")
    with pytest.raises(InputError, match="factor: two patterns have this id"):
        EmbeddedReviewer((tmp_path,))


SLOW = "(?:a|a)*(?:a|aa)+b"


class Slow:
    """An expression that never comes to an end on a text of many letters, told without waiting for it."""

    def __init__(self, compiled: Any) -> None:
        self.compiled = compiled

    def __getattr__(self, name: str) -> Any:
        return getattr(self.compiled, name)

    def search(self, text: str, timeout: float | None = None) -> Any:
        return next(self.finditer(text, timeout), None)

    def finditer(self, text: str, timeout: float | None = None) -> Iterator[Any]:
        assert timeout == OWN_TIMEOUT, "an expression of a user's own is searched for without a limit"
        if "aaaaa" in text:
            raise TimeoutError
        yield from self.compiled.finditer(text)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """`SLOW` takes too long."""
    compiled = matching._compiled

    def compile_(expression: str, words: tuple[tuple[str, tuple[str, ...]], ...]) -> Any:
        found = compiled(expression, words)
        return Slow(found) if SLOW in expression else found

    monkeypatch.setattr(matching, "_compiled", compile_)


def test_the_engine_gives_up_in_time() -> None:
    with pytest.raises(TimeoutError):
        matching._compiled(SLOW, ()).search("a" * 60 + " c", timeout=0.01)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    "files",
    [
        {"house": PATTERN.format(f"match: '{SLOW}'")},
        {"house": PATTERN.format(f"match: a, unless: ['{SLOW}']")},
        {"traits": f"extends: traits\nmatch: {{hedged: ['{SLOW}']}}\n"},
        {"house": f"extends: 5\nwords: {{codes: ['\\b(?P<family>{SLOW})']}}\n"},
    ],
    ids=["match", "unless", "trait", "code"],
)
def test_no_expression_of_a_users_own_can_hang_a_pass(tmp_path: Path, files: dict[str, str]) -> None:
    own = reviewer(tmp_path, **files)
    hedged, bare = ("a" * 60 + f" c {word}12x faster a.\n" for word in ("expected ", ""))
    document = parse(f"{hedged}\n{bare}")
    results = [own.ask(point, document, date(2026, 11, 30)) for point in (1, 5)]
    assert any(isinstance(result, PassFailed) and "took longer" in result.reason for result in results)


@pytest.mark.usefixtures("slow")
def test_no_injection_pattern_of_a_users_own_can_hang_a_review(tmp_path: Path) -> None:
    own = f"patterns: [{{id: slow, match: '{SLOW}', fires: [], silent: []}}]\n"
    found = review("a" * 60 + " c.\n", rules=[rules(tmp_path, injection=own, house=HOUSE)])
    assert any("injection.yaml took longer" in note for note in found.notes)


@pytest.mark.parametrize(
    ("expression", "steps"),
    [("abc", 3), ("a{5}", 5), ("(?:ab){3}", 12), ("((a{10}){10}){10}", 1000), ("[a-z{9}]", 1), (r"\({3}", 3)],
)
def test_the_size_of_an_expression_counts_its_repeats(expression: str, steps: int) -> None:
    assert steps <= steps_of(expression) <= 2 * steps


def test_results_are_traced_to_the_rules_in_force(tmp_path: Path) -> None:
    folder = rules(tmp_path, house=HOUSE)
    own, shipped = review("# A\n", rules=[folder]), review("# A\n")
    assert own.tool.rules != shipped.tool.rules
    assert f"(embedded, rules {own.tool.rules[:12]})" in (own.cgd_text or "")
    assert fingerprint(EmbeddedReviewer((folder,))) != fingerprint(EmbeddedReviewer())


def test_min_confidence_leaves_a_trace(tmp_path: Path) -> None:
    found = review(FASTER, reviewer=EmbeddedReviewer((), 0.95))
    assert not found.findings
    assert "(embedded, min-confidence 0.95)" in (found.cgd_text or "")
    assert found.tool.min_confidence == 0.95
    assert any("0.95" in note for note in found.notes)
    assert json.loads(found.tool.model_dump_json())["min_confidence"] == 0.95
    assert "min-confidence" not in (review(FASTER).cgd_text or "")
