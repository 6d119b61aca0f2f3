"""The documents that the weights are learned from: readable, labelled, and none of those they are judged by."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from cg_review.reviewers.embedded.weights import load_weights

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from labelled import LabelledText, read_training  # noqa: E402
from sources import hash_of_sources  # noqa: E402

TRAINING = ROOT / "benchmarks" / "training"


def marked(tmp_path: Path, text: str) -> LabelledText:
    (tmp_path / "one.md").write_text(text, encoding="utf-8")
    return read_training(tmp_path)[0]


def test_marks_become_places_and_leave_the_text(tmp_path: Path) -> None:
    read = marked(tmp_path, "⟦1,9|Teams love it.⟧ Plain.\n\n| a | ⟦4|12% ⟧|\n")
    assert read.text == "Teams love it. Plain.\n\n| a | 12% |\n"
    assert [(read.text[start:end], points) for start, end, points in read.faults] == [
        ("Teams love it.", (1, 9)),
        ("12% ", (4,)),
    ]


def test_what_shows_a_fault_of_point_7_is_marked_apart(tmp_path: Path) -> None:
    read = marked(tmp_path, "⟦7|Guests pay by thumb.⟧ ⟦~7|The reader is on order.⟧\n")
    assert read.text == "Guests pay by thumb. The reader is on order.\n"
    assert [(read.text[start:end], points) for start, end, points in read.faults] == [
        ("Guests pay by thumb.", (7,))
    ]
    assert [read.text[start:end] for start, end in read.counterparts] == ["The reader is on order."]


@pytest.mark.parametrize("text", ["⟦1|open", "closed⟧", "⟦1|a⟧⟧"])
def test_marks_that_do_not_pair_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="one"):
        marked(tmp_path, text)


def test_every_training_document_has_its_marks_and_some_have_none() -> None:
    texts = read_training(TRAINING)
    assert not [text.name for text in texts if "⟦" in text.text or "|⟧" in text.text]
    assert not [t.name for t in texts for start, end, _ in t.faults if "\n\n" in t.text[start:end]]
    assert 0 < sum(not text.faults for text in texts) < len(texts) / 4
    told = [text for text in texts if any(points[0] == 7 for _, _, points in text.faults)]
    assert len(told) * 0.9 < sum(bool(text.counterparts) for text in told)


def test_the_weights_are_of_these_rules_and_documents() -> None:
    assert load_weights().learned_from == hash_of_sources(ROOT), "run benchmarks/train.py"


def test_wording_for_readers_asks_for_no_new_weights(tmp_path: Path) -> None:
    points = tmp_path / "rules" / "points"
    points.mkdir(parents=True)
    shutil.copy(ROOT / "rules" / "traits.yaml", tmp_path / "rules")
    rule = "id: 1\nwords:\n  title: [chief]\npatterns:\n  - id: one\n    match: best\n    fix: '{sentence}'\n"

    def hashed(text: str) -> str:
        (points / "1-one.yaml").write_text(text, encoding="utf-8")
        return hash_of_sources(tmp_path)

    assert hashed(rule) == hashed(rule.replace("{sentence}", "HYPOTHESIS: {sentence}"))
    assert (
        len({hashed(rule), hashed(rule.replace("best", "most")), hashed(rule.replace("chief", "head"))}) == 3
    )


def test_no_sentence_that_judges_was_learned() -> None:
    learned = {line for text in read_training(TRAINING) for line in lines(text.text)}
    judging = [path for path in (ROOT / "tests" / "accuracy").rglob("*.md") if path.name != "README.md"]
    assert len(judging) > 20
    assert not [
        (path.name, line) for path in judging for line in lines(path.read_text("utf-8")) if line in learned
    ]


def lines(text: str) -> list[str]:
    """The lines that say something; headings, questions and table rules may well be the same."""
    said = (line.strip() for line in text.splitlines())
    return [line for line in said if len(line.replace("|", " ").split()) > 6 and line.rstrip("*")[-1:] != "?"]
