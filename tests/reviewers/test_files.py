"""Requests as files, replies as files: validated like any model's answer."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cg_review.cli import cli
from cg_review.parse import parse
from cg_review.points import load_points
from cg_review.reviewers import Found, PassFailed, PassResult, build, run_all
from cg_review.reviewers.answers import PassAnswer
from cg_review.reviewers.files import Manifest, write_requests
from cg_review.reviewers.prompts import load_prompts
from cg_review.reviewers.settings import ModelSettings
from click.testing import CliRunner
from model_fixtures import TEXT, TODAY, book
from scripted_server import EMPTY, answer, finding


def prepare(folder: Path, text: str = TEXT, window: int = 100_000) -> Manifest:
    """Write requests and an empty reply to each."""
    files = write_requests(parse(text), load_points(), TODAY, load_prompts(), name="doc.md", window=window)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    manifest = Manifest.model_validate_json(files["manifest.json"])
    for entry in manifest.passes:
        (folder / entry.answer).write_text(json.dumps(EMPTY))
    return manifest


def read(folder: Path, text: str = TEXT, *points: int, **changed: Any) -> tuple[PassResult, ...]:
    reviewer = build(ModelSettings(answers=folder, floor=False, **changed))
    return asyncio.run(run_all(reviewer, points or range(1, 10), parse(text), date(2027, 1, 1)))


def test_nine_requests_and_a_manifest(tmp_path: Path) -> None:
    manifest = prepare(tmp_path)
    assert [entry.prompt for entry in manifest.passes] == [f"pass-{n}.md" for n in range(1, 10)]
    text = (tmp_path / "pass-2.md").read_text()
    assert "Revenue will be $9M by Q4." in text
    assert "# Point 2:" in text
    schema = text[text.index("Its schema:") + len("Its schema:") :]
    assert json.loads(schema) == PassAnswer.model_json_schema()


def test_replies_become_findings(tmp_path: Path) -> None:
    prepare(tmp_path)
    reply = answer(finding("s4", "will be $9M"))  # type: ignore[arg-type]
    (tmp_path / "pass-2.json").write_text(f"```json\n{json.dumps(reply)}\n```\n")
    results = read(tmp_path)
    assert all(isinstance(result, Found) for result in results)
    assert [(f.point, f.segment, f.quote) for r in results for f in r.findings] == [(2, 4, "will be $9M")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "missing"),
        ("", "not valid JSON"),
        ('{"findings": [{"quote": "Upt', "not valid JSON"),
        ('{"findings": []}', "nothing_else"),
        ('{"findings": [], "nothing_else": false}', "not every segment"),
        ('{"findings": [], "nothing_else": true, "status": "CLEAR"}', "status"),
        (b"\xff\xfe\x00", "not readable"),
    ],
)
def test_a_missing_or_broken_reply_is_a_failed_pass(tmp_path: Path, content: Any, words: str) -> None:
    prepare(tmp_path)
    path = tmp_path / "pass-3.json"
    path.unlink()
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    results = read(tmp_path)
    assert [result.point for result in results if isinstance(result, PassFailed)] == [3]
    assert words in results[2].reason  # type: ignore[union-attr]
    assert str(path) in results[2].reason  # type: ignore[union-attr]


def test_replies_to_another_text_are_refused(tmp_path: Path) -> None:
    prepare(tmp_path)
    results = read(tmp_path, TEXT.replace("$9M", "$8M"))
    assert all(isinstance(result, PassFailed) and "another text" in result.reason for result in results)
    (tmp_path / "manifest.json").write_text("{}")
    assert all(isinstance(result, PassFailed) and "manifest" in result.reason for result in read(tmp_path))
    (tmp_path / "manifest.json").unlink()
    assert all(isinstance(result, Found) for result in read(tmp_path))


def test_a_long_document_has_a_reply_for_each_part(tmp_path: Path) -> None:
    manifest = prepare(tmp_path, book(), window=12_000)
    names = [entry.answer for entry in manifest.passes if entry.point == 5]
    assert names[0] == "pass-5-part-1.json"
    assert "pass-5-facts-1.json" in names
    (tmp_path / "pass-1-part-2.json").write_text(json.dumps(answer(finding(1, ""))))
    results = read(tmp_path, book())
    assert all(isinstance(result, Found) for result in results)
    assert results[0].findings[0].segment > 1
    (tmp_path / "pass-1-part-2.json").unlink()
    assert "pass-1-part-2.json: missing" in read(tmp_path, book())[0].reason  # type: ignore[union-attr]


def test_the_commands(tmp_path: Path) -> None:
    document = tmp_path / "doc.md"
    document.write_text(TEXT)
    folder = tmp_path / "out"
    run = CliRunner().invoke(
        cli, ["prompts", str(document), "-o", str(folder), "--points", "2,8", "--today", "2026-11-30"]
    )
    assert run.exit_code == 0, run.output
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "pass-2.md", "pass-8.md"]
    shown = CliRunner().invoke(cli, ["prompts", str(document), "--points", "2,8", "--today", "2026-11-30"])
    assert (folder / "pass-2.md").read_text() in shown.output


def test_the_cache_commands(own_surroundings: Path) -> None:
    from cg_review.reviewers.cache import AnswerCache

    AnswerCache(own_surroundings).put("ab" * 32, PassAnswer(findings=[], nothing_else=True))
    (own_surroundings / "mine.json").write_text("{}")
    info = CliRunner().invoke(cli, ["cache", "info"])
    assert f"{own_surroundings}: 1 answer(s)" in info.output
    assert "1 answer(s) deleted" in CliRunner().invoke(cli, ["cache", "clear"]).output
    assert (own_surroundings / "mine.json").exists()
    assert ": 0 answer(s)" in CliRunner().invoke(cli, ["cache", "info"]).output
