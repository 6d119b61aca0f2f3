from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from cg_review.validator import load_codes
from validator.documents import BODY, CLAIM, FRONTMATTER, document, sealed, with_claim
from validator.running import run

NOW = ("--now", "2026-06-15")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_bad_paths_are_one_line_each_and_the_others_still_run(tmp_path: Path) -> None:
    write(tmp_path, "good.cgd.md", sealed())
    write(tmp_path, "bad.cgd.md", document())
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\0\0")
    (tmp_path / "empty").mkdir()
    paths = ["missing.cgd.md", "photo.png", "empty", "good.cgd.md", "bad.cgd.md", "x" * 5000]
    result = run("validate", *paths, *NOW, cwd=tmp_path)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 4
    assert all(line.startswith("cg-review: ") for line in result.stderr.splitlines())
    assert "good.cgd.md: valid, ingestable" in result.stdout
    assert "bad.cgd.md:10:1: error E-HS01" in result.stdout


def test_folders_are_searched_in_order_and_hidden_ones_are_not(tmp_path: Path) -> None:
    for name in ("b/two.cgd.md", "a/one.cgd.md", ".git/no.cgd.md", "a/notes.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path, name, sealed())
    result = run("validate", ".", *NOW, "--format", "json", cwd=tmp_path)
    assert result.returncode == 0
    assert [one["path"] for one in json.loads(result.stdout)["documents"]] == [
        "./a/one.cgd.md",
        "./b/two.cgd.md",
    ]


def test_an_impossible_date_does_not_stop_the_batch(tmp_path: Path) -> None:
    write(
        tmp_path, "a.cgd.md", with_claim().replace("confirmed-date: 2026-06-09", "confirmed-date: 2026-02-30")
    )
    write(tmp_path, "b.cgd.md", with_claim())
    result = run("validate", "a.cgd.md", "b.cgd.md", *NOW, cwd=tmp_path)
    assert result.returncode == 1
    assert "a.cgd.md:18:5: error E-HC04" in result.stdout
    assert "b.cgd.md: valid, ingestable" in result.stdout


def test_stdin_strict_and_quiet(tmp_path: Path) -> None:
    tampered = sealed().replace("Row 7", "Row 8").encode()
    assert run("validate", "-", *NOW, stdin=tampered).returncode == 0
    result = run("validate", "-", "--strict", *NOW, stdin=tampered)
    assert result.returncode == 1
    assert result.stdout.startswith("<stdin>:10:1: warning W-HS01")
    assert run("validate", "-", "--quiet", *NOW, stdin=sealed().encode()).stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate"],
        ["validate", "-", "--now", "soon"],
        ["validate", "-", "--enable", "E-XX99"],
        ["hash"],
        ["claim-id", "x"],
    ],
)
def test_wrong_usage_exits_2(arguments: list[str]) -> None:
    result = run(*arguments, stdin=b"x")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_the_clock_is_a_parameter() -> None:
    text = sealed().encode()
    assert run("validate", "-", "--now", "2026-06-10T00:00:00Z", stdin=text).returncode == 0
    assert "E-ST04" in run("validate", "-", "--now", "2026-06-10T01:00:00+02:00", stdin=text).stdout


def test_check_is_stricter_than_validate(tmp_path: Path) -> None:
    write(tmp_path, "good.cgd.md", sealed())
    write(tmp_path, "tampered.cgd.md", sealed().replace("Row 7", "Row 8"))
    write(
        tmp_path,
        "future.cgd.md",
        sealed(frontmatter=FRONTMATTER.replace("2.1", "3.0").replace("true", "false")),
    )
    pending = (
        FRONTMATTER.replace("REVIEWED", "PENDING")
        .replace("count: 0", "count: 1")
        .replace("rag-ingestable: true\n", "")
    )
    claims = CLAIM.replace("    confirmed-by: Ines Prat\n    confirmed-date: 2026-06-09\n", "").replace(
        "Harvest log", "Check harvest log"
    )
    record = with_claim().split("\n---\n\n## HITL")[1].split("<!--")[0]
    body = f"{BODY}---\n\n## HITL{record}"
    write(
        tmp_path,
        "pending.cgd.md",
        sealed(body, pending.replace("hitl-claims: []\n", claims), "CLEAR | PENDING"),
    )
    names = ["good.cgd.md", "tampered.cgd.md", "future.cgd.md", "pending.cgd.md"]
    assert run("validate", *names, *NOW, cwd=tmp_path).returncode == 0
    result = run("check", *names, *NOW, cwd=tmp_path)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "good.cgd.md: ingestable"
    assert [line.split()[2] for line in lines[1:3]] == ["W-HS01", "W-FC01"]
    assert lines[3] == "pending.cgd.md: refused: not CLEAR and REVIEWED, or parts are excluded"
    assert run("check", "good.cgd.md", *NOW, cwd=tmp_path).returncode == 0
    assert run("check", "missing.cgd.md", cwd=tmp_path).returncode == 2


def test_check_compares_confirmations_with_the_audit_log(tmp_path: Path) -> None:
    text = with_claim()
    write(tmp_path, "a.cgd.md", text)
    digest = next(line.split(": ")[1] for line in text.splitlines() if line.startswith("document-sha256"))
    answer = {
        "time": "2026-06-09T10:00:00Z",
        "person": "Ines Prat",
        "claim": "claim-a0b0c001",
        "answer": True,
        "hash_before": "0",
        "hash_after": digest,
    }

    def checked(*records: dict[str, object]) -> tuple[int, str]:
        write(tmp_path, "audit.jsonl", "".join(json.dumps(record) + "\n" for record in records))
        result = run("check", "a.cgd.md", "--audit", "audit.jsonl", *NOW, cwd=tmp_path)
        return result.returncode, result.stdout

    assert checked(answer) == (0, "a.cgd.md: ingestable\n")
    other = {**answer, "claim": "claim-0"}
    assert "no answer for it" in checked(other)[1]
    assert (
        "no answer for it"
        in checked({**answer, "document": "b.cgd.md", "hash_after": "1"}, {**other, "document": "a.cgd.md"})[
            1
        ]
    )
    assert "the audit log says Somebody" in checked({**answer, "person": "Somebody"})[1]
    assert "last answer in the audit log is False" in checked(answer, {**answer, "answer": False})[1]
    assert "does not know the document in this state" in checked({**answer, "hash_after": "1"})[1]
    write(tmp_path, "audit.jsonl", json.dumps(answer) + "\n{half a rec")
    assert run("check", "a.cgd.md", "--audit", "audit.jsonl", *NOW, cwd=tmp_path).returncode == 0
    write(tmp_path, "audit.jsonl", "{half a rec\n")
    result = run("check", "a.cgd.md", "--audit", "audit.jsonl", *NOW, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (
        2,
        "cg-review: audit.jsonl:1: not a record of the audit log\n",
    )


def test_status_is_a_table_and_json(tmp_path: Path) -> None:
    write(tmp_path, "a.cgd.md", with_claim())
    write(tmp_path, "b.cgd.md", "no frontmatter\n")
    result = run("status", "a.cgd.md", "b.cgd.md", *NOW, cwd=tmp_path)
    assert result.returncode == 0
    header, first, second = result.stdout.splitlines()
    assert header.split("  ")[0] == "FILE"
    assert first.split() == ["a.cgd.md", "CLEAR", "REVIEWED", "0", "yes", "-", "0", "1", "none"]
    assert second.split()[:5] == ["b.cgd.md", "-", "-", "0", "no"]
    rows = json.loads(run("status", "a.cgd.md", "--format", "json", *NOW, cwd=tmp_path).stdout)["documents"]
    assert rows[0] | {} == {
        "path": "a.cgd.md", "clarity": "CLEAR", "hitl": "REVIEWED", "pending": 0, "ingestable": True,
        "tier": "-", "round_a": 0, "round_b": 1, "errors": 0, "warnings": 0,
    }  # fmt: skip


def test_hash_and_claim_id_behave_as_the_seeds_scripts(tmp_path: Path) -> None:
    text = sealed()
    digest = next(line.split(": ")[1] for line in text.splitlines() if line.startswith("document-sha256"))
    write(tmp_path, "a.cgd.md", text)
    assert run("hash", "a.cgd.md", cwd=tmp_path).stdout == f"{digest}\n"
    assert run("hash", "--verify", "a.cgd.md", cwd=tmp_path).stdout == f"PASS: Hash verified: {digest}\n"
    write(tmp_path, "b.cgd.md", text.replace("Row 7", "Row 8"))
    result = run("hash", "--verify", "b.cgd.md", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith("FAIL: ")
    assert "FAIL" not in run("hash", "--test").stdout
    assert run("claim-id", "Base price is $99/mo", "api-pricing/1").stdout == "claim-75fb137a\n"
    assert run("claim-id", "Base price is $99/mo", "api-pricing/1", "--length", "12").stdout.startswith(
        "claim-75fb137a"
    )
    assert "FAIL" not in run("claim-id", "--test").stdout
    assert run("hash", "notes.md", cwd=tmp_path).returncode == 2


def test_explain_knows_every_code_and_says_what_to_do() -> None:
    listed = run("explain").stdout
    assert len(listed.splitlines()) == len(load_codes())
    page = run("explain", "e-ex05").stdout
    assert page.startswith("E-EX05 (error, always on): Exclusion block without REVIEWED_WITH_EXCEPTIONS\n")
    assert "What to do: " in page
    assert "section 8.6" in page
    assert run("explain", "E-XX99").returncode == 2


def test_the_validator_alone_is_imported(tmp_path: Path) -> None:
    write(tmp_path, "a.cgd.md", with_claim())
    program = (
        "import sys\nfrom cg_review.cli import main\n"
        f"sys.argv = ['cg-review', 'validate', {str(tmp_path / 'a.cgd.md')!r}, '--format', 'json']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'pydantic', 'rich', 'jinja2', 'markdown_it', 'ruamel', 'anthropic', 'openai', 'instructor', 'httpx', 'httpx2', 'syntok'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    import subprocess

    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "agent")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stderr.strip() == "[]"
