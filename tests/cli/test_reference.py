"""docs/cli.md is what the parser says, and shells can complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cg_review.cli import COMMANDS
from cg_review.cli.reference import render

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_parser_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert render() == (ROOT / "docs/cli.md").read_text(encoding="utf-8"), "run `make docs`"


def test_every_command_and_option_has_words() -> None:
    text = render()
    assert all(f"\n## {name}\n" in text for name in COMMANDS)
    empty = [
        line
        for line in text.splitlines()
        if line.startswith("| `-") and line.split(" | ")[1].strip() in ("", "|")
    ]
    assert empty == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cg_review", "completion", shell],
        capture_output=True,
        text=True,
        check=True,
        env=_env(),
    )
    assert "_CG_REVIEW_COMPLETE" in done.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n", "-c", done.stdout], check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cg-review val", "validate"),
        ("cg-review validate --prof", "--profile"),
        ("cg-review docs/ --acr", "--across"),
        ("cg-review docs/ --engine d", "dask"),
    ],
)
def test_commands_and_options_are_completed(words: str, expected: str) -> None:
    asked = {
        "_CG_REVIEW_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    code = "from cg_review.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**_env(), **asked}
    )
    assert f"plain,{expected}" in done.stdout.splitlines(), done.stderr


def _env() -> dict[str, str]:
    paths = [str(ROOT / "agent"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
