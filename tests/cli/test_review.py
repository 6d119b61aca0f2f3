"""`cg-review PATH…` as a user runs it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cg_review.cli import main

PLAN = "# Plan\n\nRevenue will be $50M by Q4.\n\nOur planner is the best.\n"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "plan.md"
    path.write_text(PLAN, encoding="utf-8")
    return path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(
            [*arguments, "--model", "embedded"]
            if arguments and arguments[0] != "validate"
            else list(arguments)
        )
    return int(ended.value.code or 0)


def test_a_review_writes_a_valid_cgd_beside_the_source(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("plan.md") == 0
    out = capsys.readouterr().out
    assert "3:1  CRITICAL    point 2" in out
    assert "“Revenue will be $50M by Q4.”" in out
    assert "plan.cgd.md" in out
    assert plan.read_text(encoding="utf-8") == PLAN
    assert run("validate", "plan.cgd.md") == 0
    assert "Revenue is **projected** to be $50M by Q4 *(unverified projection)*." in (
        plan.parent / "plan.cgd.md"
    ).read_text(encoding="utf-8")


def test_review_is_the_default_command_and_a_path_may_be_named_like_one(plan: Path) -> None:
    plan.rename(plan.parent / "review")
    assert run("./review", "--no-write", "-q") == 0
    assert run("review", "./review", "--no-write", "-q") == 0
    assert run("-q", "./review", "--no-write") == 0


def test_json(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plan.md", "--format", "json", "--today", "2026-11-30") == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["schema_version", "tool", "documents"]
    (document,) = report["documents"]
    assert list(document) == [
        "path", "status", "verdict", "tier1", "findings", "claims", "unanchored", "passes", "points_passed",
        "clarity_status", "hitl_status", "cgd", "notes", "usage", "chunk_context",
    ]  # fmt: skip
    finding = document["findings"][0]
    assert list(finding) == [
        "id", "points", "severity", "quote", "line", "column", "start", "end", "related", "reason", "fix", "fix_place", "kind",
        "confidence", "detected_by", "claim", "suppressed",
    ]  # fmt: skip
    assert PLAN[finding["start"] : finding["end"]] == finding["quote"]
    assert list(document["claims"][0]) == [
        "id",
        "text",
        "value",
        "source",
        "location",
        "round",
        "why",
        "status",
        "line",
    ]
    assert document["cgd"] == "plan.cgd.md"
    assert [one["point"] for one in document["passes"]] == list(range(1, 10))


def test_markdown_has_the_seeds_sections_in_order(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("plan.md", "--format", "markdown")
    out = capsys.readouterr().out
    headings = [
        line
        for line in out.splitlines()
        if line.startswith(("## ", "### ", "**Document", "**Issues", "**Would", "**Verdict"))
    ]
    assert headings[0] == "## Clarity Gate Results"
    assert [heading.partition(":**")[0].strip("*# ") for heading in headings] == [
        "Clarity Gate Results", "Document", "Issues Found", "Critical (will cause hallucination)",
        "Warning (could cause equivocation)", "Temporal (date/time issues)", "Externally Verifiable Claims",
        "Round A: Derived Data Confirmation", "Round B: HITL Verification Required",
        "Would you like me to produce an annotated CGD version?** Written to `plan.cgd.md`.", "Verdict",
    ]  # fmt: skip
    assert "**Issues Found:** 2" in out


@pytest.mark.parametrize(
    ("fail_on", "code"), [("never", 0), ("critical", 1), ("warning", 1), ("verifiable", 1), ("any", 1)]
)
def test_fail_on(plan: Path, fail_on: str, code: int) -> None:
    assert run("plan.md", "-q", "--no-write", "--fail-on", fail_on) == code


def test_fail_on_critical_is_not_set_off_by_less(plan: Path) -> None:
    plan.write_text("Shorter prompts improve response quality.\n", encoding="utf-8")
    assert run("plan.md", "-q", "--no-write", "--fail-on", "critical") == 0
    assert run("plan.md", "-q", "--no-write", "--fail-on", "warning") == 1


def test_output_folder_and_file(plan: Path) -> None:
    assert run("plan.md", "-q", "-o", "out/") == 0
    assert run("plan.md", "-q", "-o", "other.cgd.md") == 0
    assert (plan.parent / "out/plan.cgd.md").read_bytes() == (plan.parent / "other.cgd.md").read_bytes()
    assert not (plan.parent / "plan.cgd.md").exists()


def test_points(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plan.md", "--points", "1,3", "--format", "json") == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert [finding["points"] for finding in document["findings"]] == [[1]]
    assert document["points_passed"] == "1,3"


def test_standard_input(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLAN.encode()), encoding="utf-8"))
    assert run("-", "--stdin-filename", "notes.md", "-o", "out/") == 0
    assert "notes.md" in capsys.readouterr().out
    assert (plan.parent / "out/notes.cgd.md").exists()


def test_reviewing_again_touches_nothing(plan: Path) -> None:
    run("plan.md", "-q", "--today", "2026-11-30")
    cgd = plan.parent / "plan.cgd.md"
    os.utime(cgd, (1, 1))
    before = cgd.read_bytes()
    assert run("plan.md", "-q", "--today", "2026-12-24") == 0
    assert run("plan.cgd.md", "-q", "--today", "2026-12-24") == 0
    assert (cgd.read_bytes(), cgd.stat().st_mtime) == (before, 1)
    assert run("plan.cgd.md", "-q", "--today", "2026-12-24", "-o", "copy/") == 0
    assert (plan.parent / "copy/plan.cgd.md").read_bytes() == before


def test_places_are_those_of_the_file_that_was_given(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("plan.md", "-q")
    for name, source in (
        ("plan.md", PLAN),
        ("plan.cgd.md", (plan.parent / "plan.cgd.md").read_text(encoding="utf-8")),
    ):
        capsys.readouterr()
        run(name, "--format", "json", "--no-write")
        for finding in json.loads(capsys.readouterr().out)["documents"][0]["findings"]:
            assert source[finding["start"] : finding["end"]] == finding["quote"]
            assert source.splitlines()[finding["line"] - 1][finding["column"] - 1 :].startswith(
                finding["quote"][:10]
            )


def test_a_hostile_name_and_text_cannot_drive_the_terminal(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text("The \x1b[31mbest\x1b[0m of all will \u202ebe $5.\n", encoding="utf-8")
    run("plan.md", "--no-write")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_color_only_where_asked(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("plan.md", "--no-write", "--color", "always")
    assert "\x1b[31m" in capsys.readouterr().out
    run("plan.md", "--no-write", "--color", "never")
    assert "\x1b" not in capsys.readouterr().out


# -- bad input: a line on stderr with what and where, nothing written, nothing lost ------------------------------------


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


BAD = {
    "missing file": ("nothing.md", None, 2),
    "missing folder": ("nothing/", None, 2),
    "binary": ("bad.md", b"a\x00b", 2),
    "not UTF-8": ("bad.md", b"line\nna\xefve", 2),
    "UTF-16": ("bad.md", "Revenue will be $5M.".encode("utf-16"), 2),
    "empty": ("bad.md", b"", 2),
    "blank": ("bad.md", b"\xef\xbb\xbf \n\t\r\n", 2),
    "10 MB": ("bad.md", b"x" * 10_000_000, 2),
    "end marker": ("bad.md", b"a\n<!-- CLARITY_GATE_END -->\n", 1),
    "end marker in code": ("bad.md", b"use `<!-- CLARITY_GATE_END -->` at the end\n", 1),
    "unclosed fence": ("bad.md", b"a\n\n```python\nx = 1\n", 1),
    "malformed exclusion": ("bad.md", b"<!-- CG-EXCLUSION:BEGIN id=a b -->\n", 1),
}


@pytest.mark.parametrize("case", list(BAD))
def test_bad_input(case: str, plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, data, code = BAD[case]
    if data is not None:
        (plan.parent / name).write_bytes(data)
    before = tree(plan.parent)
    assert run(name) == code
    error = capsys.readouterr().err
    lines = [line for line in error.splitlines() if line.startswith("cg-review:")]
    assert len(lines) == 1
    assert name.rstrip("/") in lines[0]
    assert "Traceback" not in error
    assert tree(plan.parent) == before


def test_one_bad_document_does_not_stop_the_others(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plan.parent / "bad.md").write_bytes(b"\xff")
    assert run("bad.md", "plan.md", "--format", "json") == 2
    documents = json.loads(capsys.readouterr().out)["documents"]
    assert [document["status"] for document in documents] == ["failed", "complete"]
    assert "not UTF-8" in documents[0]["notes"][0]
    assert (plan.parent / "plan.cgd.md").exists()


def test_an_output_that_is_the_source(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for output in ("plan.md", "./plan.md", str(plan)):
        assert run("plan.md", "-o", output) == 2
        assert "source" in capsys.readouterr().err
    (plan.parent / "link.md").symlink_to(plan)
    assert run("plan.md", "-o", "link.md") == 2
    assert plan.read_text(encoding="utf-8") == PLAN


def test_an_output_that_cannot_be_written(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plan.parent / "file").write_text("x", encoding="utf-8")
    assert run("plan.md", "-o", "file/out/") == 2
    assert "file" in capsys.readouterr().err
    (plan.parent / "plan.cgd.md").mkdir()
    assert run("plan.md") == 2
    assert "plan.cgd.md" in capsys.readouterr().err


def test_an_output_that_is_somebody_elses_file_is_not_overwritten(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (plan.parent / "notes.txt").write_text("my notes\n", encoding="utf-8")
    assert run("plan.md", "-o", "notes.txt") == 2
    assert "notes.txt" in capsys.readouterr().err
    assert (plan.parent / "notes.txt").read_text(encoding="utf-8") == "my notes\n"


def test_two_documents_for_one_output(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plan.parent / "plan.markdown").write_text(PLAN, encoding="utf-8")
    assert run("plan.md", "plan.markdown") == 2
    assert "plan.cgd.md" in capsys.readouterr().err
    assert not (plan.parent / "plan.cgd.md").exists()


@pytest.mark.parametrize(
    "option",
    [
        ["--points", "0"],
        ["--points", "1-"],
        ["--today", "2026-02-30"],
        ["--now", "soon"],
        ["--source", "no/such"],
    ],
)
def test_wrong_options(plan: Path, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plan.md", *option) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_same_bytes_whatever_the_hash_seed(plan: Path) -> None:
    outputs = set()
    for seed in ("0", "1", "4242"):
        subprocess.run(
            [
                sys.executable,
                "-m",
                "cg_review",
                "plan.md",
                "-q",
                "--today",
                "2026-11-30",
                "-o",
                f"out{seed}/",
                "--model",
                "embedded",
            ],
            check=True,
            cwd=plan.parent,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        outputs.add((plan.parent / f"out{seed}/plan.cgd.md").read_bytes())
    assert len(outputs) == 1
