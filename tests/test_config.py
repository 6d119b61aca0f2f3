"""A project's settings: read from its root, behind environment and flags, and every mistake told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cg_review.cli import main
from cg_review.config import load_config
from cg_review.errors import InputError

TEXT = "Our planner is the best.\n\nShorter prompts improve response quality.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "archive").mkdir()
    for name in ("plan.md", "archive/old.md"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def silenced(capsys: pytest.CaptureFixture[str], path: str) -> list[int]:
    capsys.readouterr()
    run(path, "--no-write", "--format", "json")
    document = json.loads(capsys.readouterr().out)["documents"][0]
    return [point for finding in document["findings"] if finding["suppressed"] for point in finding["points"]]


def test_options_come_from_pyproject_then_environment_then_flags(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.cg-review]\nmodel = "embedded"\nfail-on = "any"\n', encoding="utf-8"
    )
    assert run("plan.md", "--no-write", "-q") == 1
    monkeypatch.setenv("CG_REVIEW_FAIL_ON", "never")
    assert run("plan.md", "--no-write", "-q") == 0
    assert run("plan.md", "--no-write", "-q", "--fail-on", "critical") == 1


def test_its_own_file_goes_before_pyproject(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.cg-review]\nfail-on = "any"\n', encoding="utf-8")
    (project / "cg-review.toml").write_text('fail-on = "never"\n', encoding="utf-8")
    assert run("plan.md", "--no-write", "-q") == 0


def test_a_model_of_the_configuration_is_a_choice(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("plan.md", "--no-write")
    assert "to have a model read" in capsys.readouterr().err
    (project / "cg-review.toml").write_text('model = "embedded"\n', encoding="utf-8")
    run("plan.md", "--no-write")
    assert "to have a model read" not in capsys.readouterr().err


def test_points_are_silenced_everywhere_and_below_a_path(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "cg-review.toml").write_text(
        'ignore = [6]\n[per-path."archive/**"]\nignore = [1]\n', encoding="utf-8"
    )
    assert silenced(capsys, "plan.md") == [6]
    assert silenced(capsys, "archive/old.md") == [1, 6]


def test_what_is_silenced_does_not_fail_but_waits_for_the_sign_off(project: Path) -> None:
    (project / "cg-review.toml").write_text("ignore = [1, 6]\n", encoding="utf-8")
    assert run("plan.md", "-q", "--fail-on", "any") == 0
    assert "silenced by the project's configuration" in (project / "plan.cgd.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("fail-om = 'any'\n", "fail-om"),
        ("ignore = [0]\n", "ignore"),
        ("ignore = 'all'\n", "ignore"),
        ("a = \n", "not TOML"),
        ("[per-path.'a/**']\npoints = '1'\n", "a/**"),
        ("per-path = 3\n", "per-path"),
    ],
)
def test_a_mistake_is_told_with_file_and_key(
    content: str, words: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "cg-review.toml").write_text(content, encoding="utf-8")
    assert run("plan.md", "--no-write") == 2
    error = capsys.readouterr().err
    assert "cg-review.toml" in error
    assert words in error


def test_paths_are_relative_to_the_file(project: Path) -> None:
    (project / "cg-review.toml").write_text('source = ["facts/"]\noutput = "gated/"\n', encoding="utf-8")
    config = load_config(project / "archive")
    assert config.options["sources"] == [str(project / "facts") + "/"]
    assert config.options["output"] == str(project / "gated") + "/"
    (project / "cg-review.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not TOML"):
        load_config(project)


def test_what_is_for_reviews_stays_with_them(project: Path) -> None:
    (project / "cg-review.toml").write_text(
        'output = "gated/"\nformat = "json"\nstrict = true\n', encoding="utf-8"
    )
    assert run("plan.md", "-q") == 0
    assert run("queue", "gated/plan.cgd.md", "-o", "queue.yaml") == 0
    assert (project / "queue.yaml").is_file()
    assert run("validate", "gated/plan.cgd.md") == 0
