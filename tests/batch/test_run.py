"""Runs over folders: order, failures, skipping, and what a crash at any moment leaves (cases C34, C38, C39)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from batch.tree import contents, make
from cg_review import review_folder
from cg_review import run as running
from cg_review.batch.engines import open_engine
from cg_review.batch.journal import Journal
from cg_review.batch.lock import only_run
from cg_review.errors import InputError
from cg_review.files import temporary_prefix
from cg_review.pipeline import Settings
from cg_review.reports import render
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.run import Done, Options, plan, run
from rules_folders import HOUSE, rules

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Counting:
    """A reviewer that finds nothing and counts the documents it is asked about."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.documents: list[str] = []

    async def run(self, point: int, document, today) -> Found:  # type: ignore[no-untyped-def]
        if point == 1:
            self.documents.append(document.text.split("\n")[0].removeprefix("# "))
            if "crash" in document.text:
                raise RuntimeError("out of ideas")
        return Found(point, ())


def settings(**changes: object) -> Settings:
    return dataclasses.replace(Settings(now=NOON, reviewer=EmbeddedReviewer()), **changes)  # type: ignore[arg-type]


def review(folder: Path, output: Path, given: Settings | None = None, **options: object) -> list[Done]:
    chosen = Options(**options)  # type: ignore[arg-type]
    given = given or settings()
    with run(plan([str(folder)], str(output), True, "-", chosen), given, chosen) as documents:
        return list(documents)


def report(done: list[Done]) -> str:
    return render("json", [one.review for one in done], settings().tool)


def test_the_tree_is_mirrored_and_the_order_is_that_of_the_paths(tmp_path: Path) -> None:
    make(tmp_path / "in", 12)
    done = review(tmp_path / "in", tmp_path / "out")
    names = [one.review.path for one in done]
    assert names == sorted(names)
    assert sorted(contents(tmp_path / "out")) == [
        name.replace(".md", ".cgd.md") for name in sorted(contents(tmp_path / "in"))
    ]


def test_processes_give_the_same_bytes_in_the_same_order(tmp_path: Path) -> None:
    """C39: 40 files on four processes, one entry each."""
    make(tmp_path / "in", 40)
    alone = review(tmp_path / "in", tmp_path / "out")
    expected = contents(tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.md"):
        path.unlink()
    together = review(tmp_path / "in", tmp_path / "out", jobs=4, force=True)
    assert report(together) == report(alone)
    assert contents(tmp_path / "out") == expected
    lines = (tmp_path / "in/.cg-review/journal.jsonl").read_text().splitlines()
    assert len({json.loads(line)["document"] for line in lines if "document" in json.loads(line)}) == 40


def test_a_document_that_fails_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(
        tmp_path / "in",
        {"a.md": "# a", "c.md": "# crash", "d.md": "Text\n\n<!-- CLARITY_GATE_END -->\n", "e.md": "# e"},
    )
    (tmp_path / "in/b.md").write_bytes(b"\xff\xfe\x00bad")
    done = review(tmp_path / "in", tmp_path / "out", settings(reviewer=Counting()))
    assert [(one.review.status, one.exit_code) for one in done] == [
        ("complete", 0), ("failed", 2), ("failed", 3), ("failed", 1), ("complete", 0)
    ]  # fmt: skip
    assert sorted(contents(tmp_path / "out")) == ["a.cgd.md", "e.cgd.md"]
    errors = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].strip()[-4:] for line in errors] == ["b.md", "c.md", "d.md"]
    assert "RuntimeError: out of ideas" in done[2].review.notes[0]


def test_only_what_changed_is_reviewed_again(tmp_path: Path) -> None:
    make(tmp_path / "in", 5)
    first = review(tmp_path / "in", tmp_path / "out")
    changed = sorted((tmp_path / "in").rglob("*.md"))[2]
    changed.write_text(changed.read_text() + "\nMore will be added.\n")
    second = review(tmp_path / "in", tmp_path / "out")
    assert [one.remembered for one in second] == [True, True, False, True, True]
    assert [a.review for a, b in zip(first, second, strict=True) if b.remembered] == [
        one.review for one in second if one.remembered
    ]  # what is skipped is reported all the same, or --fail-on would pass the second time


@pytest.mark.parametrize(
    "change",
    [
        {"now": NOON.replace(year=2027)},
        {"points": (1, 2)},
        {"attended": True},
        {"reviewer": Counting("other")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_a_review_depends_on_makes_it_anew(tmp_path: Path, change: dict[str, object]) -> None:
    """C34: another model (day, point, …) never gets the old answer under its name."""
    make(tmp_path / "in", 2)
    review(tmp_path / "in", tmp_path / "out", settings(reviewer=Counting()))
    again = review(tmp_path / "in", tmp_path / "out", settings(**{"reviewer": Counting(), **change}))
    assert [one.remembered for one in again] == [False, False]


def test_a_model_that_says_it_changed_is_asked_again(tmp_path: Path) -> None:
    make(tmp_path / "in", 1)
    first, second = Counting(), Counting()
    first.fingerprint, second.fingerprint = "prompts 1", "prompts 2"  # type: ignore[attr-defined]
    review(tmp_path / "in", tmp_path / "out", settings(reviewer=first))
    review(tmp_path / "in", tmp_path / "out", settings(reviewer=second))
    assert (len(first.documents), len(second.documents)) == (1, 1)


def test_a_cgd_that_is_gone_or_changed_is_made_again(tmp_path: Path) -> None:
    make(tmp_path / "in", 3)
    review(tmp_path / "in", tmp_path / "out")
    expected = contents(tmp_path / "out")
    one, two, _ = sorted((tmp_path / "out").rglob("*.md"))
    one.unlink()
    two.write_bytes(two.read_bytes() + b"\n")
    again = review(tmp_path / "in", tmp_path / "out")
    assert [one.remembered for one in again] == [False, False, True]
    assert contents(tmp_path / "out").keys() == expected.keys()


def test_documents_are_read_anew_by_other_rules_whoever_was_given_them(tmp_path: Path) -> None:
    make(tmp_path / "in", 2)
    rules(tmp_path / "one", house=HOUSE)
    rules(tmp_path / "two", house=HOUSE.replace("0.61", "0.62"))
    rules(tmp_path / "same", house=HOUSE)
    for folder, remembered in (("one", False), ("two", False), ("one", False), ("same", True)):
        reviewer = EmbeddedReviewer((tmp_path / folder,))  # without `rules` of the settings
        done = review(tmp_path / "in", tmp_path / "out", settings(reviewer=reviewer))
        assert [one.remembered for one in done] == [remembered] * 2, folder


def test_force_reviews_everything(tmp_path: Path) -> None:
    make(tmp_path / "in", 3)
    review(tmp_path / "in", tmp_path / "out")
    assert not any(one.remembered for one in review(tmp_path / "in", tmp_path / "out", force=True))


def test_one_run_at_a_time(tmp_path: Path) -> None:
    make(tmp_path / "in", 2)
    with only_run(tmp_path / "in/.cg-review"), pytest.raises(InputError, match="another cg-review run"):
        review(tmp_path / "in", tmp_path / "out")
    assert len(review(tmp_path / "in", tmp_path / "out")) == 2


def test_a_cgd_changed_while_it_was_being_reviewed_is_not_overwritten(tmp_path: Path) -> None:
    make(tmp_path / "in", {"a.md": "# a\n\nPrices start at $4 per month.\n"})
    review(tmp_path / "in", tmp_path / "out")
    cgd = tmp_path / "out/a.cgd.md"

    class Confirming(Counting):
        async def run(self, point, document, today):  # type: ignore[no-untyped-def]
            cgd.write_text("someone confirmed a claim")
            return await super().run(point, document, today)

    (done,) = review(tmp_path / "in", tmp_path / "out", settings(reviewer=Confirming()))
    assert done.review.status == "failed"
    assert cgd.read_text() == "someone confirmed a claim"


def test_the_library_reviews_folders_too(tmp_path: Path) -> None:
    make(tmp_path / "in", 3)
    reviews = review_folder(tmp_path / "in", tmp_path / "out", today=NOON.date(), exclude=("n1/",))
    assert not (tmp_path / "out").exists()
    first = next(reviews)
    assert first.path == str(tmp_path / "in/n0/doc-00000.md")
    assert len(contents(tmp_path / "out")) == 1
    assert [one.path[-3:] for one in reviews] == [".md"]
    assert [one.cgd for one in review_folder(tmp_path / "in", write=False)] == [None] * 3

    with open_engine("local", 1, settings()) as own:
        assert len(list(review_folder(tmp_path / "in", tmp_path / "out", executor=own))) == 3


# -- crashes -----------------------------------------------------------------------------------------------------------


class Crash(BaseException):
    """Stands for kill -9: nothing in the program catches it."""


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Crash when the number in this list of writes (to the journal or of a CGD) has been made or half made."""
    left = [10**9]
    whole_write, whole_append = running.write_text, Journal._append

    def write(path: Path, text: str) -> None:
        tick()
        whole_write(path, text)
        tick()

    def append(self: Journal, value: dict[str, object]) -> int:
        tick()
        offset = whole_append(self, value)
        left[0] -= 1
        if left[0] == 0:  # half of the line reached the disk
            with self.path.open("r+b") as file:
                file.truncate(offset + (self.path.stat().st_size - offset) // 2)
            raise Crash
        tick()
        return offset

    def tick() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Crash

    monkeypatch.setattr(running, "write_text", write)
    monkeypatch.setattr(Journal, "_append", append)
    return left


def test_a_crash_at_any_moment_and_resume_give_the_same_bytes(tmp_path: Path, moments: list[int]) -> None:
    """C38, at every moment there is: before, amid and after each write."""
    make(tmp_path / "in", 3)
    given = settings(reviewer=Counting())
    moments[0] = total = 10**6
    expected = report(review(tmp_path / "in", tmp_path / "out", given))
    files, moments_there_are = contents(tmp_path / "out"), total - moments[0]
    assert moments_there_are >= 3 * 5
    for moment in range(1, moments_there_are + 1):
        for path in [*(tmp_path / "out").rglob("*.md"), *(tmp_path / "in/.cg-review").iterdir()]:
            path.unlink()
        moments[0] = moment
        with pytest.raises(Crash):
            review(tmp_path / "in", tmp_path / "out", given)
        moments[0] = 10**9
        tomorrow = dataclasses.replace(given, now=NOON.replace(year=2027))
        resumed = review(tmp_path / "in", tmp_path / "out", tomorrow if moment > 3 else given, resume=True)
        assert report(resumed) == expected, f"crash at moment {moment}"
        assert contents(tmp_path / "out") == files, f"crash at moment {moment}"


def test_resume_reviews_only_what_is_missing(tmp_path: Path, moments: list[int]) -> None:
    make(tmp_path / "in", 5)
    moments[0] = 3 + 3 * 5  # three moments at the start, five a document: the third has just been written
    reviewer = Counting()
    with pytest.raises(Crash):
        review(tmp_path / "in", tmp_path / "out", settings(reviewer=reviewer))
    moments[0] = 10**9
    assert len(contents(tmp_path / "out")) == 3
    again = Counting()
    done = review(tmp_path / "in", tmp_path / "out", settings(reviewer=again), resume=True, force=True)
    assert [one.remembered for one in done] == [True, True, True, False, False]
    assert len(again.documents) == 2


def test_the_next_run_removes_what_was_half_written_even_without_resume(
    tmp_path: Path, moments: list[int]
) -> None:
    make(tmp_path / "in", 2)
    moments[0] = 5
    with pytest.raises(Crash):
        review(tmp_path / "in", tmp_path / "out")
    moments[0] = 10**9
    target = plan([str(tmp_path / "in")], str(tmp_path / "out"), True, "-").jobs[0].target
    assert target is not None
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    half = target.parent / f"{temporary_prefix(target)}x.tmp"
    half.write_text("half")
    review(tmp_path / "in", tmp_path / "out")
    assert target.exists()
    assert not half.exists()


def test_resume_without_an_interrupted_run_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "in", 1)
    review(tmp_path / "in", tmp_path / "out", resume=True)
    assert "no interrupted run" in capsys.readouterr().err
