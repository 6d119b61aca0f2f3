"""A folder through a vendor's batch endpoint: submit, list, fetch, and what can go wrong with each."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from batch.tree import contents
from batch_api.calling import DOCUMENTS, Vendor, call, records
from cg_review.reviewers.mailbox import Limits
from cg_review.reviewers.providers import batches
from scripted_server import EMPTY, KEY, Turn, answer, finding, point_of

Capture = pytest.CaptureFixture[str]


def forget_answers(surroundings: Path, folder: Path) -> None:
    """No cache and no journal: the next run asks everything."""
    shutil.rmtree(surroundings)
    shutil.rmtree(folder / ".cg-review")


def canonical(bodies: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(body, sort_keys=True) for body in bodies)


def test_submit_fetch_and_the_same_bytes_as_at_once(
    vendor: Vendor, folder: Path, own_surroundings: Path, capsys: Capture
) -> None:
    assert vendor.review() == 0
    expected = contents(folder / "out")
    sent = vendor.server.requests.copy()
    forget_answers(own_surroundings, folder)
    shutil.rmtree(folder / "out")

    assert vendor.review("--batch-api") == 4
    assert contents(folder / "out") == {}
    (record,) = records(folder)
    assert (len(record.requests), sorted(record.documents)) == (18, ["docs/a.md", "docs/b/c.md"])
    assert "cg-review batch fetch" in capsys.readouterr().err
    assert canonical(vendor.batches.bodies) == canonical(sent)

    assert call("batch", "fetch") == 0
    assert contents(folder / "out") == expected
    assert b"$9M by 2027 *(" in expected["a.cgd.md"]
    assert vendor.server.requests == sent  # one by one, nothing was asked again


def test_fetching_twice_changes_nothing(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.review("--batch-api")
    assert call("batch", "fetch") == 0
    first, report = contents(folder / "out"), capsys.readouterr().out
    (record,) = records(folder)
    asked = len(vendor.batches.asked)
    assert call("batch", "fetch") == 0
    assert "no batch waits" in capsys.readouterr().err
    assert call("batch", "fetch", record.id) == 0
    assert capsys.readouterr().out.replace(" 2 unchanged since an earlier run;", "") == report
    assert call("batch", "fetch", str(record.remote)) == 0
    assert contents(folder / "out") == first
    assert records(folder)[0].finished
    assert len(vendor.batches.asked) == asked
    assert call("batch", "fetch", "nonsense") == 2


def test_what_is_under_way_is_neither_finished_nor_sent_again(
    vendor: Vendor, folder: Path, capsys: Capture
) -> None:
    vendor.batches.ended = False
    vendor.review("--batch-api")
    assert call("batch", "fetch") == 4
    assert "in_progress, 0 of 18 requests done" in capsys.readouterr().err
    assert vendor.review("--batch-api") == 4
    assert len(vendor.batches.made) == 1
    assert contents(folder / "out") == {}
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    assert sorted(contents(folder / "out")) == ["a.cgd.md", "b/c.cgd.md"]


def test_list(vendor: Vendor, folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed() -> dict[str, Any]:
        assert call("batch", "list", "--format", "json") == 0
        (row,) = json.loads(capsys.readouterr().out)["batches"]
        return dict(row)

    vendor.batches.ended = False
    vendor.review("--batch-api")
    capsys.readouterr()
    row = listed()
    assert (row["provider"], row["documents"], row["requests"]) == (vendor.server.protocol, 2, 18)
    assert row["state"] == "in_progress"
    asked = len(vendor.batches.asked)
    monkeypatch.delenv("TEST_KEY")
    assert listed()["state"] == "unknown"
    assert len(vendor.batches.asked) == asked
    monkeypatch.setenv("TEST_KEY", "wrong")
    assert listed()["state"] == "unknown"
    monkeypatch.setenv("TEST_KEY", KEY)
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    capsys.readouterr()
    assert listed()["state"] == ("completed" if vendor.batches.is_openai else "ended") + ", finished"
    assert call("batch", "list") == 0
    assert f"{row['id']}  " in capsys.readouterr().out


def test_requests_that_failed_are_failed_passes_and_asked_again_only_when_told(
    vendor: Vendor, folder: Path, capsys: Capture
) -> None:
    faults = {4: Turn(status=400), 6: Turn(stop="expired"), 7: Turn("{", stop="cut"), 9: Turn(stop="refusal")}
    first = vendor.server.script

    def failing(body: dict[str, Any]) -> Turn:
        turn = faults.get(point_of(body)) if "Revenue" in str(body["messages"][-1]) else None
        return turn or first(body)

    vendor.server.script = failing
    assert vendor.review("--batch-api", "--format", "json") == 4
    capsys.readouterr()
    assert call("batch", "fetch") == 3
    made = {one["path"]: one for one in json.loads(capsys.readouterr().out)["documents"]}
    reasons = {
        one["point"]: one["reason"] for one in made["docs/a.md"]["passes"] if one["status"] == "failed"
    }
    assert sorted(reasons) == sorted(faults)
    assert "invalid_request_error" in reasons[4]
    assert "expired" in reasons[6]
    assert "token limit" in reasons[7]
    assert "refused" in reasons[9]
    assert made["docs/b/c.md"]["status"] == "complete"
    assert made["docs/b/c.md"]["usage"]["requests"] == 9

    vendor.server.script = first
    assert vendor.review() == 0
    assert sorted(point_of(body) for body in vendor.server.requests) == sorted(faults)


def test_requests_that_failed_go_into_another_batch(vendor: Vendor, folder: Path) -> None:
    first = vendor.server.script
    vendor.server.script = lambda body: Turn(stop="cancelled") if point_of(body) == 3 else first(body)
    vendor.review("--batch-api")
    assert call("batch", "fetch") == 3
    assert vendor.review("--batch-api") == 4
    assert [point_of(body) for body in vendor.batches.made[1].requests.values()] == [3, 3]
    vendor.server.script = first
    vendor.batches.made[1].replies.clear()
    assert call("batch", "fetch") == 0


def test_waiting_asks_what_answers_lead_to_in_further_batches(
    vendor: Vendor, folder: Path, own_surroundings: Path
) -> None:
    plain = 2 if vendor.batches.is_openai else 1  # messages of a request that is no re-ask

    def script(body: dict[str, Any]) -> Turn:
        asked = json.dumps(body["messages"])
        if point_of(body) != 2 or "Revenue" not in asked:
            return Turn(EMPTY)
        if "revenues grow" in asked:
            return Turn(answer(finding(2, "Revenue will be $9M by 2027.")))
        return Turn(answer(finding(2, "revenues grow")) if len(body["messages"]) > plain else "{")

    vendor.server.script = script
    assert vendor.review(output="at-once") == 0
    sent = vendor.server.requests.copy()
    forget_answers(own_surroundings, folder)
    assert vendor.review("--batch-api", "--wait", output="out") == 0
    assert contents(folder / "out") == contents(folder / "at-once")
    assert [len(one.requests) for one in vendor.batches.made] == [18, 2, 2]
    assert canonical(vendor.batches.bodies) == canonical(sent)


def test_what_answers_lead_to_is_not_asked_unasked(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.server.script = lambda body: Turn(
        answer(finding(2, "no such words")) if point_of(body) == 1 else EMPTY
    )
    vendor.review("--batch-api", "--format", "json")
    capsys.readouterr()
    assert call("batch", "fetch") == 3
    made = json.loads(capsys.readouterr().out)["documents"]
    assert {one["status"] for one in made} == {"incomplete"}
    assert len(vendor.batches.made) == 1
    assert vendor.server.requests == []
    (record,) = records(folder)
    assert call("batch", "fetch", record.id, "--wait") == 0
    assert [len(one.requests) for one in vendor.batches.made] == [18, 2]


def test_a_document_that_changed_is_not_reviewed_with_old_answers(
    vendor: Vendor, folder: Path, capsys: Capture
) -> None:
    vendor.review("--batch-api")
    (folder / "docs/a.md").write_text(DOCUMENTS["a.md"] + "\nMore will come.\n")
    (folder / "docs/new.md").write_text("New.\n")
    assert call("batch", "fetch") == 3
    told = capsys.readouterr().err
    assert "docs/a.md: changed since its batch was submitted" in told
    assert "docs/new.md: was not there when" in told
    assert sorted(contents(folder / "out")) == ["b/c.cgd.md"]
    assert call("batch", "fetch") == 0


def test_a_run_goes_on_with_the_options_and_the_place_it_was_submitted_with(
    vendor: Vendor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = folder / "cg-review.toml"
    config.write_text('points = "1-4"\nno-floor = true\n')
    assert vendor.review(output="expected", day="2026-11-29") == 0
    (folder / ".cg-review/journal.jsonl").unlink()
    monkeypatch.setenv("CG_REVIEW_CACHE_DIR", str(folder / "another"))
    assert vendor.review("--batch-api", day="2026-11-29") == 4
    config.write_text('points = "9"\n')
    monkeypatch.chdir(folder / "docs/b")
    assert call("batch", "fetch") == 0
    made = contents(folder / "out")
    assert made == contents(folder / "expected")
    assert b"points-passed: 1-4" in made["b/c.cgd.md"]


def test_what_another_run_waits_for_is_not_sent_again(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.batches.ended = False
    vendor.review("--batch-api")
    assert vendor.review("--batch-api", output="elsewhere") == 4
    assert "then give this command again" in capsys.readouterr().err
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    assert vendor.review("--batch-api", output="elsewhere") == 0
    assert contents(folder / "elsewhere") == contents(folder / "out")
    assert len(vendor.batches.made) == 1


def test_one_document_without_a_folder(vendor: Vendor, folder: Path) -> None:
    reading = [*vendor.reading, "--today", "2026-11-30", "--batch-api"]
    assert call("docs/a.md", *reading) == 4
    assert call("batch", "fetch") == 0
    assert sorted(contents(folder / "docs")) == ["a.cgd.md", "a.md", "b/c.md"]


def test_a_run_in_several_batches(
    vendor: Vendor, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    module = batches.of(vendor.server.protocol)
    monkeypatch.setattr(module, "LIMITS", Limits(requests=7, size=10**9))
    vendor.review("--batch-api")
    assert [len(one.requests) for one in vendor.batches.made] == [7, 7, 4]
    vendor.batches.made[1].replies, vendor.batches.ended = {}, False
    vendor.batches.made[0].replies = {key: Turn(EMPTY) for key in vendor.batches.made[0].requests}
    assert call("batch", "fetch") == 4
    assert contents(folder / "out") == {}
    vendor.batches.ended = True
    assert call("batch", "fetch") == 0
    assert sorted(contents(folder / "out")) == ["a.cgd.md", "b/c.cgd.md"]
