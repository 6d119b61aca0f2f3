"""Every code block of README.md and docs/ runs, or is held against what the program prints."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cg_review.cli import main
from cg_review.config import load_config
from cg_review.points import Pattern
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FOR_A_PERSON = {"confirm", "serve"}  # they wait for one: tests/hitl does what they do
_PROGRAMS = {"make", "python", "cg-review"}


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    number: int
    language: str
    code: str


def blocks(*languages: str) -> list[Block]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    found = [
        Block(str(page.relative_to(ROOT)), number, language, code)
        for page in pages
        for number, (language, code) in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8")))
    ]
    return [block for block in found if block.language in languages]


def name(block: Block) -> str:
    return f"{block.page}-{block.number}"


def rule_files() -> list[tuple[str, str]]:
    """The blocks that begin with the name of their file, `# house-rules/…`, and that name."""
    return [
        (found[1], block.code)
        for block in blocks("yaml")
        if (found := re.match(r"# (house-rules/\S+)\n", block.code))
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for file, code in rule_files():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(code, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for document in ("doc.md", "docs/plan.md"):
        (tmp_path / document).write_text("# Plan\n\nRevenue will be $50M by Q4.\n", encoding="utf-8")
    return tmp_path


def run(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def test_no_block_is_of_a_kind_that_nothing_tests() -> None:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    known = {"python", "console", "json", "yaml", "toml"}
    for page in pages:
        languages = {language for language, _ in _BLOCK.findall(page.read_text(encoding="utf-8"))}
        # without a language: usage (generated), diagrams, and what test_across_prints_what_its_page_shows compares
        allowed = {""} if page.name in {"README.md", "cli.md", "design.md", "across.md"} else set()
        assert languages <= known | allowed, page


@pytest.mark.parametrize("block", blocks("python"), ids=name)
def test_python_runs(block: Block, folder: Path) -> None:
    exec(compile(block.code, block.page, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("block", blocks("console"), ids=name)
def test_commands_are_ones(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs nobody is run, in order; exit 1 is an answer (not ingestable, not all answered), 2 a wrong command."""
    monkeypatch.setenv("CG_REVIEW_MODEL", "embedded")
    run(["doc.md", "docs/"])
    for line in block.code.splitlines():
        program, *arguments = shlex.split(line.removeprefix("$ "), comments=True)
        assert program in _PROGRAMS, line
        if program == "make":
            assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), line
        elif program == "python":
            source = (ROOT / arguments[0]).read_text(encoding="utf-8")
            assert [
                flag for flag in arguments if flag.startswith("--") and f'"{flag}"' not in source
            ] == [], line
        elif arguments[0] in _FOR_A_PERSON:
            assert run([arguments[0], "--help"]) == 0, line
            assert Path(arguments[1]).exists(), line
        else:
            assert run(arguments) in (0, 1), line


@pytest.mark.parametrize("block", blocks("json"), ids=name)
def test_json_has_the_keys_that_the_program_prints(
    block: Block, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = json.loads(block.code)
    arguments = ["doc.md"] if "tool" in shown else ["validate", "doc.md"]
    (folder / "doc.md").write_text(
        "# Plan\n\nRevenue will be $50M by Q4. We have 3 teams.\n\nAll 4 teams agree.\n", encoding="utf-8"
    )
    run([*arguments, "--format", "json"])
    assert _keys(json.loads(capsys.readouterr().out)) <= _keys(shown)


def _keys(value: Any, path: str = "") -> set[str]:
    if isinstance(value, dict):
        return {f"{path}.{key}" for key in value} | {
            k for key in value for k in _keys(value[key], f"{path}.{key}")
        }
    if isinstance(value, list):
        return {key for item in value for key in _keys(item, f"{path}[]")}
    return set()


@pytest.mark.parametrize("block", blocks("yaml"), ids=name)
def test_yaml_is_a_pattern_or_a_file_of_rules(block: Block, folder: Path) -> None:
    data = YAML(typ="safe").load(block.code)
    if isinstance(data, dict):
        assert block.code in dict(rule_files()).values()
        assert run(["explain", "--check", "--rules", "house-rules"]) == 0
        return
    for rule in data:
        pattern = Pattern.model_validate(rule)
        for example in pattern.fires:
            assert re.search(pattern.match, example.text)


@pytest.mark.parametrize("block", blocks("toml"), ids=name)
def test_toml_is_a_configuration(block: Block, folder: Path) -> None:
    (folder / "pyproject.toml").write_text(block.code, encoding="utf-8")
    config = load_config(folder)
    told = tomllib.loads(block.code)["tool"]["cg-review"]
    assert {key.replace("_", "-") for key in config.options} == told.keys() - {"ignore", "per-path"}
    assert len(config.ignore) == 2


def test_across_prints_what_its_page_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = _BLOCK.findall((ROOT / "docs/across.md").read_text(encoding="utf-8"))[0][1]
    shutil.copytree(ROOT / "tests/across/kb", folder / "kb")
    run(["kb", "--across", "--no-write"])
    assert shown.replace("  operations/", "  kb/operations/").replace("  policies/", "  kb/policies/") in (
        capsys.readouterr().out
    )
