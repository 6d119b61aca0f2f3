"""examples/stages: the commands of run.sh, run again, give the same files; each stage is what it says it is."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from cg_review import validate
from cg_review.cli import main
from hitl_cases import NOON

STAGES = Path(__file__).parents[1] / "examples" / "stages"
LATER = NOON.replace(year=2026, month=12)


def test_the_commands_give_the_files_that_lie_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"1-source.md", "4-answers.yaml", "cg-review.toml"}
    for name in made:
        shutil.copy(STAGES / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for line in (STAGES / "run.sh").read_text(encoding="utf-8").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["cp"]:
            shutil.copy(words[1], words[2])
        elif words[:1] == ["cg-review"]:
            with pytest.raises(SystemExit) as exit_:
                main(words[1:])
            assert not exit_.value.code, line
    for kept in sorted(STAGES.glob("[1-8]-*")):
        if not kept.name.endswith(".applied"):
            assert (tmp_path / kept.name).read_bytes() == kept.read_bytes(), (
                f"{kept.name}: run examples/stages/run.sh"
            )


@pytest.mark.parametrize(
    ("name", "status", "ingestable"),
    [
        ("2-draft", "UNCLEAR | PENDING", False),
        ("4-answered", "CLEAR | REVIEWED", True),
        ("5-source-of-truth", "CLEAR | REVIEWED", True),
        ("6-excluded", "CLEAR | REVIEWED_WITH_EXCEPTIONS", False),
        ("7-redacted", "CLEAR | REVIEWED_WITH_EXCEPTIONS", False),
    ],
)
def test_each_stage_is_valid_and_says_what_it_is(name: str, status: str, ingestable: bool) -> None:
    path = STAGES / f"{name}.cgd.md"
    report = validate(path, now=LATER)
    assert report.faults == ()
    assert report.rag_ingestable is ingestable
    assert path.read_text(encoding="utf-8").rstrip().endswith(f"Clarity Gate: {status}")


def test_redaction_and_plain_text_hold_back_what_they_say() -> None:
    assert "laptop" not in (STAGES / "7-redacted.cgd.md").read_text(encoding="utf-8")
    plain = (STAGES / "8-plain.md").read_text(encoding="utf-8")
    assert "clarity-status" not in plain
    assert "[PortWise price list, read 2026-11-28]" in plain
