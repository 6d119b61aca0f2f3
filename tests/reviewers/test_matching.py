"""Expressions from rule files: wrong ones are errors at load, slow ones cannot hang a review, none is skipped wrongly."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from datetime import date
from pathlib import Path

import pytest
import regex
from cg_review import resources
from cg_review.errors import InputError
from cg_review.keys import keys_of
from cg_review.parse import parse
from cg_review.points import load_points
from cg_review.reviewers import PassFailed, embedded
from cg_review.reviewers.embedded import EmbeddedReviewer, patterns
from cg_review.reviewers.embedded.matching import ALIKE, lower, one_of_words
from cg_review.reviewers.embedded.needs import needs_of
from cg_review.reviewers.embedded.patterns import check_templates
from cg_review.reviewers.embedded.prefilter import all_keys_for, keys_for
from hypothesis import given
from hypothesis import strategies as st

POINT = "points/1-hypothesis-vs-fact.yaml"


def overlay(folder: Path, old: str, new: str) -> Path:
    """A rules folder whose point 1 is the shipped one with a change."""
    (folder / "points").mkdir()
    text = resources.find("rules", POINT).read_text(encoding="utf-8")
    assert old in text
    (folder / POINT).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def test_a_users_pattern_works(tmp_path: Path) -> None:
    rule = "patterns:\n  - {id: mine, match: 'wobbl\\w+', reason: '\"{match}\"', fix: ok, confidence: 0.9}\n"
    reviewer = EmbeddedReviewer((overlay(tmp_path, "patterns:\n", rule),))
    result = reviewer.ask(1, parse("The table wobbles."), date(2026, 11, 30))
    assert [finding.reason for finding in result.findings] == ['"wobbles"']


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("match: '(unclosed', reason: r", "mine"),
        ("match: '\\b\\L<nowhere>', reason: r", "mine"),
        ("match: 'x', reason: '{nothing}'", "nothing"),
        ("match: 'x', reason: r, despite: [hedgehog]", "hedgehog"),
    ],
)
def test_a_wrong_pattern_is_an_error_at_load(tmp_path: Path, rule: str, message: str) -> None:
    folder = overlay(tmp_path, "patterns:\n", f"patterns:\n  - {{id: mine, {rule}}}\n")
    with pytest.raises(InputError, match=message):
        EmbeddedReviewer((folder,))


def test_a_users_pattern_cannot_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "OWN_TIMEOUT", 0.2)
    rule = "patterns:\n  - {id: mine, match: '(?:a|a)*(?:a|aa)+b', reason: r}\n"
    reviewer = EmbeddedReviewer((overlay(tmp_path, "patterns:\n", rule),))
    started = time.monotonic()
    result = reviewer.ask(1, parse("a" * 60 + " c"), date(2026, 11, 30))
    assert time.monotonic() - started < 5
    assert isinstance(result, PassFailed)
    assert "mine" in result.reason


def test_every_shipped_expression_compiles() -> None:
    reviewer = EmbeddedReviewer()
    for _, pattern in reviewer.patterns.patterns:
        for matcher in (pattern.matcher, *pattern.unless):
            assert matcher.compiled
            assert isinstance(matcher._quick, re.Pattern), "re understands it too"
        check_templates(pattern.rule, pattern.matcher)
    for _, matcher in reviewer.traits.cues:
        assert matcher.compiled


def test_both_engines_agree_what_belongs_to_a_word() -> None:
    characters = [chr(code) for code in range(0x10000) if ALIKE.fullmatch(chr(code))]
    assert {"a", "é", "ß", "’", "￼", "→", "€"} <= set(characters)
    for kind in (r"\w", r"\d", r"\s"):
        differ = [c for c in characters if bool(re.match(kind, c)) != bool(regex.match(kind, c))]
        assert not differ


def test_lower_moves_no_offset() -> None:
    assert lower("İstanbul ẞ") == "İstanbul ß"
    assert len(lower("İİİ")) == 3


@pytest.mark.parametrize(
    ("expression", "needs"),
    [
        (r"\bbecause\b", ["becaus"]),
        (r"\b(?:will|won't)\b", ["' t won", "will"]),
        (r"\b\w+ than\b", ["than"]),
        (r"\bwill (?:not )?be \d", ["0 be|not will"]),
        (r"\d+ ?%", ["% 0"]),
        (r"\w+", None),
        (r"improv", None),  # may stand inside a word
        (r"\bimprov\w+", ["improv"]),
        (r"(?:because)?", None),
        (r"\Bbecause", None),
        (r"\bset\s+up\b", ["set up"]),
        (r"\bset(?:ting)? ?up\b", ["set up", "settin", "setup"]),
        (r"\b\w+ (?=ever\b)", ["ever"]),
        (r"\b(?:nobody|no one|no [a-z]+) \w+", ["no", "nobody"]),
        (r"\bno \w+|\b(?:often|always \d+)\b", ["0 always", "no", "often"]),
        (r"\b\L<names>\b", ["able", "baker charli"]),
        (r"\b\L<names> \w+ed\b", ["able|charli"]),
        (r"(?<![\w-])(?:free of|at no)(?![\w-])", ["at no", "free of"]),
        (r"\b(?:ai|bot)(?:\s+\w+)?\s*:", [": ai|bot"]),
        (r"\b(?:ai|bot)(?:\w+)?\s*:", [":"]),
        (r"(?:^|[.>]\s*)(?:to \w+\s+)?(?:ai|bot)\b", ["ai|bot"]),
        (r"(?i)because", None),
        (r"\b\L<nowhere>\b", None),
    ],
)
def test_what_an_expression_needs(expression: str, needs: list[str] | None) -> None:
    """Alternatives; blanks part what is needed together, bars what will do instead."""
    found = needs_of(expression, {"names": ["able", "baker charlie"]})
    shown = found and sorted(" ".join(sorted("|".join(sorted(need)) for need in terms)) for terms in found)
    assert shown == needs


def texts_of_examples() -> list[str]:
    return [
        lower(example.text)
        for point in load_points()
        for example in (
            *point.fails,
            *point.passes,
            *(e for p in point.patterns for e in (*p.fires, *p.silent)),
        )
    ]


def test_what_seeking_leaves_out_does_not_match() -> None:
    modules = [
        importlib.import_module(f"{embedded.__name__}.{found.name}")
        for found in pkgutil.iter_modules(embedded.__path__)
    ]
    expressions = {
        value for module in modules for value in vars(module).values() if isinstance(value, regex.Pattern)
    }
    assert len(expressions) > 100
    read = [(text, keys_of(text)) for text in texts_of_examples()]
    for expression in expressions:
        some, every = keys_for(expression), all_keys_for(expression)
        for text, keys in read:
            if (some is not None and some.isdisjoint(keys)) or not every <= keys:
                assert not expression.search(text), (expression.pattern, text)


def test_the_prefilter_never_hides_a_match() -> None:
    texts = texts_of_examples()
    reviewer = EmbeddedReviewer()
    for text in texts:
        called = reviewer.patterns.prefilter.candidates(keys_of(text))
        for index, (_, pattern) in enumerate(reviewer.patterns.patterns):
            assert index in called or not pattern.matcher.found_in(text), (pattern.matcher.name, text)
        cues = reviewer.traits.prefilter.candidates(keys_of(text))
        for index, (_, matcher) in enumerate(reviewer.traits.cues):
            assert index in cues or not matcher.found_in(text), (matcher.name, text)


@given(st.lists(st.text("abc .+", max_size=4), min_size=1, max_size=8), st.text("abc .+", max_size=5))
def test_one_of_words_is_any_of_them_and_nothing_else(words: list[str], other: str) -> None:
    expression = re.compile(one_of_words(words))
    assert all(expression.fullmatch(word) for word in words)
    assert (expression.fullmatch(other) is not None) == (other in words)
