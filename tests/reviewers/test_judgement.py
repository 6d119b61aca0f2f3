"""The learned weights: what they add, what they leave alone, and what they say of it."""

from __future__ import annotations

import asyncio
import itertools
import json
from datetime import date
from pathlib import Path

import pytest
from cg_review import resources
from cg_review.errors import InputError
from cg_review.parse import parse
from cg_review.points import ALL_POINTS
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.features import tokens_of
from cg_review.reviewers.embedded.judgement import IN_HOUSE, WORDED
from cg_review.reviewers.embedded.weights import NAME, Linear, load_weights, probability_of
from hypothesis import given
from hypothesis import strategies as st

TODAY = date(2026, 11, 30)
QUIET = (
    "Nobody at the harbour asks for the old rota any more, and the crews find their way around by themselves."
)
AROUND = "# Rota\n\nThe rota hangs beside the gate. {}\n\nIt is written on Monday (roster book, 2026).\n"


def findings(reviewer: EmbeddedReviewer, text: str) -> list[tuple[int, str, float]]:
    """Point, reason and confidence of everything found, points in order."""
    found = []
    for result in asyncio.run(reviewer.run_all(ALL_POINTS, parse(text), TODAY)):
        assert isinstance(result, Found)
        found += [(raw.point, raw.reason, raw.confidence) for raw in result.findings]
    return found


def test_a_quiet_claim_that_no_rule_knows_is_found_and_quoted() -> None:
    reviewer = EmbeddedReviewer()
    [(point, reason, confidence)] = findings(reviewer, AROUND.format(QUIET))
    assert point == 1
    assert reason.split('"')[1] in QUIET
    assert IN_HOUSE.add <= confidence <= 1


PUBLISHED_BY = [
    "\n".join(f"See [page {i}](https://example.org/{i}).\n" for i in range(5)),
    "The rota of May hangs below the one of June.\n\n" * 200,
]


@pytest.mark.parametrize("more", PUBLISHED_BY, ids=["links", "length"])
def test_a_published_document_is_judged_by_weights_of_its_own(tmp_path: Path, more: str) -> None:
    shipped = load_weights()
    always = {"sentence": {"bias": 9.0, "weights": {}}, "company": shipped.published.company.model_dump()}
    never = always | {"sentence": {"bias": -9.0, "weights": {}}}
    reviewer = EmbeddedReviewer((overlay(tmp_path, in_house=never, published=always),))
    assert findings(reviewer, AROUND.format(QUIET)) == []
    assert findings(reviewer, AROUND.format(QUIET) + more)


@pytest.mark.parametrize(
    "said",
    [
        QUIET.rstrip(".") + ":\n\n- Ana\n- Bo",
        "We believe that nobody at the harbour asks for the old rota any more.",
    ],
    ids=["announces a list", "hedged"],
)
def test_a_quiet_claim_that_only_announces_or_is_hedged_is_none(said: str) -> None:
    assert findings(EmbeddedReviewer(), AROUND.format(said)) == []


def test_a_sentence_is_likelier_faulty_among_others_that_are() -> None:
    company = load_weights().in_house.company
    doubtful = 0.0
    among_careful = company.probabilities([doubtful, *[-4.0] * 20])[0]
    among_careless = company.probabilities([doubtful, *[3.0] * 20])[0]
    alone = company.probabilities([doubtful])[0]
    assert among_careful < alone < among_careless
    assert company.probabilities([]) == []


def test_one_point_alone_gives_what_it_gives_among_all() -> None:
    document = parse(AROUND.format(QUIET) + "Revenue will be $50M by Q4 2027. It is the fastest gate.\n")
    reviewer = EmbeddedReviewer()
    together = asyncio.run(reviewer.run_all(ALL_POINTS, document, TODAY))
    assert [reviewer.ask(point, document, TODAY) for point in ALL_POINTS] == list(together)


def overlay(tmp_path: Path, **changes: object) -> Path:
    """A folder with the shipped weights, changed."""
    shipped = json.loads(resources.find("rules", NAME).read_text(encoding="utf-8"))
    (tmp_path / NAME).write_text(json.dumps(shipped | changes), encoding="utf-8")
    return tmp_path


def model(bias: float, weights: dict[str, float]) -> dict[str, object]:
    """A model of weights.json with these weights of a sentence."""
    company = load_weights().in_house.company.model_dump()
    return {"sentence": {"bias": bias, "weights": weights}, "company": company}


def test_a_shipped_rules_finding_is_as_sure_as_the_weights_say_and_dropped_when_unlikely(
    tmp_path: Path,
) -> None:
    text = "The ferry is the fastest on the sound.\n"
    assert [point for point, _, _ in findings(EmbeddedReviewer(), text)] == [1]
    named = dict.fromkeys(load_weights().in_house.sentence.weights, 0.0)
    never = overlay(tmp_path, in_house=model(-9.0, named))
    assert findings(EmbeddedReviewer((never,)), text) == []


@pytest.mark.parametrize(
    ("text", "filed"),
    [("The gate is reliable.\n", 9), ("The ferry outperforms every other ferry.\n", 1)],
    ids=["a rule in doubt", "a rule that is sure"],
)
def test_a_finding_is_filed_where_a_reader_would_file_it(tmp_path: Path, text: str, filed: int) -> None:
    assert [point for point, _, _ in findings(EmbeddedReviewer(), text)] == [1]
    biases = {point: {"bias": 9.0 if point == 9 else -9.0, "weights": {}} for point in WORDED}
    others = EmbeddedReviewer((overlay(tmp_path, points=biases),))
    assert [point for point, _, _ in findings(others, text)] == [filed]


@pytest.mark.parametrize(
    "boast", ["outperforms every other ferry software", "is the most reliable ferry software"]
)
def test_a_dated_fact_beside_a_boast_does_not_speak_for_it(boast: str) -> None:
    text = f"# Releases\n\nVersion 1.3.0 was released on 2026-05-02 and {boast}.\n"
    assert [point for point, _, _ in findings(EmbeddedReviewer(), text)] == [1]


def test_a_users_own_rule_is_taken_at_its_word(tmp_path: Path) -> None:
    shipped = resources.find("rules", "points/1-hypothesis-vs-fact.yaml").read_text(encoding="utf-8")
    own = """patterns:
  - id: my-word
    match: '\\bzugzwang\\b'
    reason: 'my word'
    confidence: 0.61
    fires: [{text: Zugzwang everywhere.}]
    silent: [{text: Nothing here.}]
"""
    folder = overlay(tmp_path, in_house=model(-9.0, {}))
    (folder / "points").mkdir()
    (folder / "points" / "1-hypothesis-vs-fact.yaml").write_text(
        shipped.replace("patterns:\n", own, 1), encoding="utf-8"
    )
    assert findings(EmbeddedReviewer((folder,)), "The gate stands in zugzwang.\n") == [(1, "my word", 0.61)]


@pytest.mark.parametrize("text", ["{", "[]", '{"about": "x"}'])
def test_a_file_that_is_no_weights_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=NAME):
        EmbeddedReviewer((tmp_path,))


@pytest.mark.parametrize(
    "wrong",
    [
        {"in_house": 3},
        {"points": {}},
        {"points": {"12": {"bias": 0, "weights": {}}}},
        {"published": {"sentence": {"bias": float("nan"), "weights": {}}, "company": {}}},
    ],
    ids=["no model", "no point", "no such point", "not finite"],
)
def test_weights_with_a_part_that_is_none_are_refused_by_name(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    with pytest.raises(InputError, match=NAME):
        EmbeddedReviewer((overlay(tmp_path, **wrong),))


def test_a_users_point_without_wording_gets_none_of_the_weights_findings(tmp_path: Path) -> None:
    name = "points/1-hypothesis-vs-fact.yaml"
    lines = resources.find("rules", name).read_text(encoding="utf-8").splitlines(keepends=True)
    start = lines.index("wording:\n")
    (tmp_path / "points").mkdir()
    (tmp_path / name).write_text("".join(lines[:start] + lines[start + 3 :]), encoding="utf-8")
    assert findings(EmbeddedReviewer((tmp_path,)), AROUND.format(QUIET)) == []


def test_a_wording_with_an_unknown_name_is_refused_at_load(tmp_path: Path) -> None:
    name = "points/1-hypothesis-vs-fact.yaml"
    text = resources.find("rules", name).read_text(encoding="utf-8")
    (tmp_path / "points").mkdir()
    (tmp_path / name).write_text(text.replace("{seen}", "{words}", 1), encoding="utf-8")
    with pytest.raises(InputError, match="words"):
        EmbeddedReviewer((tmp_path,))


def test_the_shipped_weights_have_a_model_of_each_worded_point() -> None:
    assert set(load_weights().points) == set(WORDED)


def test_a_probability_never_leaves_its_range_and_grows_with_the_score() -> None:
    said = [probability_of(score) for score in (-1e9, -2.0, 0.0, 2.0, 1e9)]
    assert said == sorted(said)
    assert all(0 <= one <= 1 for one in said)
    assert said[2] == 0.5
    weighing = Linear(bias=0.5, weights={"up": 1.0, "down": -1.0})
    assert weighing.score({"up": 2.0, "down": 0.5, "unknown": 9.0}) == 2.0


@given(st.text())
def test_tokens_slice_to_what_they_were_read_from(text: str) -> None:
    tokens = tokens_of(text)
    assert all(0 <= one.start < one.end <= len(text) for one in tokens)
    assert all(a.end <= b.start for a, b in itertools.pairwise(tokens))
    for one in tokens:
        if not one.word.startswith("<"):
            assert text[one.start : one.end].replace("’", "'") == one.word


def test_numbers_are_told_by_their_kind() -> None:
    assert [one.word for one in tokens_of("in 2026 two of 41.5 € at 12:30")] == [
        *("in", "<year>", "<count>", "of", "<number>", "€", "at", "<number>")
    ]
