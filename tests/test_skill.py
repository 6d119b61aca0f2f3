"""The agent skill names commands and options that exist."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from cg_review.cli import COMMANDS, cli

SKILL = Path(__file__).parents[1] / "skills/cg-review/SKILL.md"
LINES = re.findall(r"^cg-review (.+)$|`cg-review ([^`]+)`", SKILL.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("line", [one or other for one, other in LINES])
def test_every_command_in_the_skill_exists(line: str) -> None:
    words = line.split()
    name = words[0] if words[0] in COMMANDS else "review"
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_the_skill_has_a_name_and_a_description() -> None:
    head = SKILL.read_text(encoding="utf-8").split("---")[1]
    assert re.search(r"^name: cg-review$", head, re.MULTILINE)
    description = re.search(r"^description: (.+)$", head, re.MULTILINE)
    assert description is not None
    assert len(description[1]) < 1024
