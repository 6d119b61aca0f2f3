"""The registry of points: every file is complete, and every example does what it says."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from cg_review import resources
from cg_review.errors import InputError
from cg_review.parse import parse
from cg_review.points import ALL_POINTS, Example, Point, load_points
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import DETECTORS, EmbeddedReviewer

REVIEWER = EmbeddedReviewer()


def found(point: int, example: Example) -> list[str]:
    """The source texts of the findings of one point in an example."""
    document = parse(example.text)
    result = REVIEWER.ask(point, document, date.fromisoformat(example.today))
    assert isinstance(result, Found)
    return [
        document.segment(raw.segment).span.of(document.text) if raw.segment else raw.quote
        for raw in result.findings
    ]


def examples(kind: str) -> list[object]:
    """All examples of a kind as parameters, named by point, pattern and number."""
    cases = []
    for point in load_points():
        own = point.fails if kind == "fires" else point.passes
        cases += [pytest.param(point.id, e, id=f"{point.id}-{i}") for i, e in enumerate(own)]
        for pattern in point.patterns:
            for i, example in enumerate(getattr(pattern, kind)):
                cases.append(pytest.param(point.id, example, id=f"{point.id}-{pattern.id}-{i}"))
    return cases


@pytest.mark.parametrize(("point", "example"), examples("fires"))
def test_a_failing_example_fires(point: int, example: Example) -> None:
    hits = found(point, example)
    assert hits, example.why
    if example.quote:
        assert any(example.quote in hit or hit in example.quote for hit in hits), hits


@pytest.mark.parametrize(("point", "example"), examples("silent"))
def test_a_passing_example_is_silent(point: int, example: Example) -> None:
    assert not found(point, example), example.why


def test_there_is_one_file_a_point_and_its_name_is_its_id() -> None:
    names = resources.names("rules", "points", ".yaml")
    points = load_points()
    assert [point.id for point in points] == list(ALL_POINTS)
    assert names == [f"points/{point.id}-{point.slug}.yaml" for point in points]


@pytest.mark.parametrize("point", load_points(), ids=lambda point: point.slug)
def test_a_point_is_complete(point: Point) -> None:
    assert point.fails
    assert point.passes
    assert point.does_not_count
    assert len({pattern.id for pattern in point.patterns}) == len(point.patterns)
    for pattern in point.patterns:
        assert pattern.fires, pattern.id
        assert pattern.silent, pattern.id
    used = " ".join([p.match + "".join(p.unless) for p in point.patterns])
    for vocabulary, words in point.words.items():
        assert words == tuple(dict.fromkeys(words)), vocabulary
        assert f"<{vocabulary}>" in used or point.id in DETECTORS, f"nothing uses {vocabulary}"


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "points").mkdir()
    shipped = resources.find("rules", "points/1-hypothesis-vs-fact.yaml")
    (tmp_path / "points" / shipped.name).write_text(shipped.read_text() + "colour: red\n")
    with pytest.raises(InputError, match="colour"):
        EmbeddedReviewer(overlays=(tmp_path,))
