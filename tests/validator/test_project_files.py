from __future__ import annotations

import re
from pathlib import Path

from cg_review.validator import load_codes
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]


def read(name: str) -> object:
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text(encoding="utf-8"))


def test_hooks_run_the_validator_on_cgds_only() -> None:
    hooks = read(".pre-commit-hooks.yaml")
    assert isinstance(hooks, list)
    assert [hook["entry"].split()[:2] for hook in hooks] == [
        ["cg-review", "validate"],
        ["cg-review", "check"],
    ]
    for hook in hooks:
        assert re.search(hook["files"], "docs/plan.cgd.md")
        assert not re.search(hook["files"], "docs/plan.md")


def test_the_action_never_puts_an_input_into_its_script() -> None:
    action = read("action.yml")
    assert isinstance(action, dict)
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert scripts
    assert not any("${{" in script for script in scripts)


def test_codes_are_read_the_same_by_any_yaml_reader() -> None:
    listed = read("rules/codes.yaml")
    assert isinstance(listed, dict)
    assert [entry["code"] for entry in listed["codes"]] == list(load_codes())
    for entry in listed["codes"]:
        code = load_codes()[entry["code"]]
        assert (code.severity, code.title, code.advice, code.spec) == (
            entry["severity"],
            entry["title"],
            entry["advice"],
            entry["spec"],
        )
