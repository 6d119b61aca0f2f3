"""`cg-review diff` and `--baseline`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cg_review.cli import main
from cg_review.compare import compare, read_report
from cg_review.errors import InputError
from cg_review.reports import render
from reports.samples import TEXT, TOOL, finding, made, real

TODAY = ("--today", "2026-11-30", "--model", "embedded")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_findings_are_compared_by_document_and_id() -> None:
    old = [made("a.md", finding(1), finding(2)), made("gone.md", finding(3))]
    new = [made("a.md", finding(2), finding(4)), made("new.md", finding(3))]
    comparison = compare(old, new)
    assert [(path, f.line) for path, f in comparison.added] == [("a.md", 4), ("new.md", 3)]
    assert [(path, f.line) for path, f in comparison.gone] == [("a.md", 1), ("gone.md", 3)]
    assert [(path, f.line) for path, f in comparison.unchanged] == [("a.md", 2)]


def test_diff_of_two_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "v1.md", tmp_path / "v2.md"
    old.write_text(TEXT)
    new.write_text(
        "New first line.\n\n" + TEXT.replace("Revenue will be $9M by 2027.", "Costs will be $7M by 2028.")
    )
    assert run("diff", str(old), str(new), *TODAY) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines[:-1]] == ["+", "-"]
    assert "v1" not in lines[0]
    assert "Costs will be $7M" in lines[0]
    assert lines[-1] == f"1 added, 1 gone, {len(real().open_findings) - 1} unchanged"
    assert run("diff", str(old), str(new), *TODAY, "--fail-on", "critical") == 1
    assert run("diff", str(old), str(old), *TODAY, "--fail-on", "any") == 0
    assert not list(tmp_path.glob("*.cgd.md"))


def test_diff_of_folders_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side, text in (("one", TEXT), ("two", TEXT + "\nSales will triple by 2028.\n")):
        (tmp_path / side / "sub").mkdir(parents=True)
        (tmp_path / side / "sub/a.md").write_text(text)
    assert run("diff", str(tmp_path / "one"), str(tmp_path / "two"), *TODAY, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert [(one["path"], one["quote"]) for one in content["added"]] == [
        ("sub/a.md", "Sales will triple by 2028.")
    ]
    report = tmp_path / "old.json"
    report.write_text(render("json", [real("a.md")], TOOL))
    assert run("diff", str(report), str(report)) == 0
    assert capsys.readouterr().out.endswith(f"0 added, 0 gone, {len(real().open_findings)} unchanged\n")


def test_a_report_against_what_it_was_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for name in ("a", "b"):
        Path(f"docs/{name}.md").write_text(TEXT)
    Path("folder.json").write_text(render("json", [real("docs/a.md"), real("docs/b.md")], TOOL))
    Path("one.json").write_text(render("json", [real("elsewhere/a.md")], TOOL))
    number = len(real().open_findings)
    for old, new, same in (("folder.json", "docs", 2 * number), ("one.json", "docs/a.md", number)):
        assert run("diff", old, new, *TODAY) == 0
        assert capsys.readouterr().out == f"0 added, 0 gone, {same} unchanged\n"


def test_a_baseline_fails_only_on_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(TEXT)
    Path("old.json").write_text(render("json", [real("a.md")], TOOL))
    arguments = ("a.md", "--no-write", "-q", "--baseline", "old.json", *TODAY)
    assert run(*arguments) == 0
    Path("a.md").write_text("A line before.\n\n" + TEXT)
    assert run(*arguments) == 0
    Path("a.md").write_text(TEXT + "\nThe support plan costs $99 per seat.\n")
    assert run(*arguments) == 1
    assert run(*arguments, "--fail-on", "critical") == 0


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"schema_version": 1, "tool": {}, "documents": 3}', b"\xff"]
)
def test_what_is_no_report_is_an_error_not_a_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"old\.json"):
        read_report(path)


def test_a_report_of_another_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text('{"schema_version": 7}')
    with pytest.raises(InputError, match="version 7"):
        read_report(path)


def test_a_baseline_made_otherwise_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(TEXT)
    run("a.md", "--no-write", "--format", "json", *TODAY)
    Path("old.json").write_text(capsys.readouterr().out)
    run("a.md", "--no-write", "--baseline", "old.json", *TODAY)
    assert "old.json" not in capsys.readouterr().err
    run("a.md", "--no-write", "--baseline", "old.json", "--min-confidence", "0.4", *TODAY)
    assert "old.json: made with other rules" in capsys.readouterr().err
