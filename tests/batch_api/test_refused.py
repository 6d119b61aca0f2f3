"""What `--batch-api` does not do: spend too much, ask without a key, or take what no batch can answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch.tree import contents
from batch_api.calling import Vendor, call, records
from cg_review.reviewers import Usage
from cg_review.reviewers.desk import Desk
from cg_review.reviewers.mailbox import Mailbox
from cg_review.reviewers.settings import ModelSettings
from scripted_server import KEY, Turn

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture) -> str:
    """What was said last on stderr: one line, without the key."""
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert KEY not in said
    return said


def test_a_budget_refuses_before_anything_is_sent(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    assert vendor.review("--batch-api", "--max-tokens-total", "5000") == 3
    assert "18 requests for a batch: the limit of 5000 tokens" in told(capsys)
    assert vendor.batches.asked == []
    assert records(folder) == []
    assert vendor.review("--batch-api", "--max-tokens-total", "500000") == 4
    assert call("batch", "fetch") == 0


def test_a_batch_costs_half(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    settings = ModelSettings(model="anthropic:claude-sonnet-4-5")
    single, batched = Desk(settings).price, Desk(settings, Mailbox("")).price
    usage = Usage(1, 100_000, output_tokens=10_000)
    assert single is not None
    assert batched is not None
    full, half = single.of(usage), batched.of(usage)
    assert full
    assert half == pytest.approx(full / 2)

    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("# A\n\nRevenue will be $9M by 2027.\n")
    chosen = ["a.md", "--model", settings.model, "--max-output", "1000"]
    assert call(*chosen, "--batch-api", "--max-cost", "0.01") == 3
    assert "--max-cost" in told(capsys)
    assert call(*chosen, "--batch-api", "--dry-run") == 0
    said = capsys.readouterr().out
    assert "0 cached by the provider" in said
    dollars = float(said.split("up to $")[1].split(",")[0])
    prompt_tokens = int(said.split("prompt tokens: ")[1].split(" ")[0])
    # the prefixes are written to the provider's cache, at 1.25 of a prompt token's price of $3 a million
    assert prompt_tokens * 1.5e-6 + 9_000 * 7.5e-6 < dollars < prompt_tokens * 1.875e-6 + 9_000 * 7.5e-6


def test_a_wrong_key_and_none(
    vendor: Vendor, folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor.batches.ended = False
    monkeypatch.setenv("TEST_KEY", "sk-wrong")
    assert vendor.review("--batch-api") == 2
    assert "the key in TEST_KEY was not accepted" in told(capsys)
    assert records(folder) == []
    asked = len(vendor.batches.asked)
    monkeypatch.delenv("TEST_KEY")
    assert vendor.review("--batch-api") == 2
    assert "no key in the environment variable TEST_KEY" in told(capsys)
    assert len(vendor.batches.asked) == asked
    monkeypatch.setenv("TEST_KEY", KEY)
    vendor.review("--batch-api")
    monkeypatch.setenv("TEST_KEY", "sk-wrong")
    assert call("batch", "fetch") == 2
    assert "the key in TEST_KEY was not accepted" in told(capsys)
    assert [record.ended for record in records(folder)] == [None]


def test_a_server_without_batches(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.batches.before = lambda _: 404
    assert vendor.review("--batch-api") == 2
    assert "no batch endpoint" in told(capsys)
    assert records(folder) == []
    assert contents(folder / "out") == {}


@pytest.mark.parametrize(("status", "left"), [(429, 0), (400, 0), (500, 1), (529, 1)])
def test_a_submission_that_fails(
    vendor: Vendor, folder: Path, capsys: Capture, status: int, left: int
) -> None:
    """After a fault of the server nobody knows whether it took the batch, so the record stays."""
    vendor.batches.before = lambda path: status if path.endswith("batches") else 200
    assert vendor.review("--batch-api") == (3 if left else 2)
    assert f"HTTP {status}" in told(capsys)
    assert [record.remote for record in records(folder)] == [None] * left


def test_a_batch_that_is_gone(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.review("--batch-api")
    vendor.batches.made.clear()
    assert call("batch", "list") == 0
    listed = capsys.readouterr()
    assert listed.out.endswith("gone\n")
    assert call("batch", "fetch") == 2
    said = told(capsys)
    assert records(folder)[0].id in said
    assert "no such batch" in said
    assert [record.ended for record in records(folder)] == [None]


def test_a_batch_that_was_cancelled_whole(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.server.script = lambda _: Turn(stop="cancelled")
    vendor.review("--batch-api")
    assert call("batch", "fetch") == 3
    assert "the batch was cancelled before it was answered" in " ".join(capsys.readouterr().out.split())
    assert records(folder)[0].finished


def test_a_batch_that_was_refused_when_it_was_read(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    if not vendor.batches.is_openai:
        pytest.skip("only OpenAI reads a batch after it has taken it")
    vendor.batches.state = "failed"
    vendor.review("--batch-api")
    assert call("batch", "fetch") == 3
    assert "token_limit_exceeded" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [["--adjudicate"], ["--no-cache"], ["--resume"], ["--engine", "ray"], ["-"]],
    ids=lambda o: o[0],
)
def test_what_does_not_go_together(vendor: Vendor, options: list[str], capsys: Capture) -> None:
    assert vendor.review("--batch-api", *options) == 2
    name = "standard input" if options == ["-"] else options[0]
    assert f"--batch-api does not go with {name}" in told(capsys)
    assert vendor.batches.asked == []


def test_no_vendor_no_batch(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("Text.\n")
    assert call("a.md", "--batch-api") == 2
    assert "choose one with --model" in told(capsys)
    assert call("a.md", "--wait") == 2
    assert call("batch", "list") == call("batch", "fetch") == 0
    assert not (tmp_path / ".cg-review").exists()


def test_records_that_are_none(vendor: Vendor, folder: Path, capsys: Capture) -> None:
    vendor.review("--batch-api")
    record = records(folder)[0]
    path = folder / ".cg-review/batches" / f"{record.id}.json"
    path.write_text("{")
    assert call("batch", "list") == 2
    assert str(path) in told(capsys)
