"""Input made to hurt: no traceback, no quadratic time, no memory beyond a small multiple of the document."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cg_review.validator import validate
from validator.documents import BODY, FRONTMATTER, sealed, with_claim
from validator.running import SOURCE, run

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
MEGABYTE = 1024 * 1024


# A hash of the right form, so that the storms are hashed as well.
FRONTMATTER = FRONTMATTER.replace("PENDING", "0" * 64)


def yaml(lines: str) -> str:
    return f"---\n{FRONTMATTER}{lines}---\n{BODY}<!-- CLARITY_GATE_END -->\nClarity Gate: CLEAR | REVIEWED\n"


def body(text: str) -> str:
    return f"---\n{FRONTMATTER}---\n{text}\n<!-- CLARITY_GATE_END -->\nClarity Gate: CLEAR | REVIEWED\n"


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{b}: &{b} [{','.join('*' + a for _ in range(9))}]\n"
    for a, b in zip("abcdefghi", "bcdefghij", strict=True)
)

STORMS = {
    "alias bomb": (yaml(BOMB), "E-PL08"),
    "2,000 flow levels": (yaml("a: " + "[" * 2000 + "]" * 2000 + "\n"), "E-PL07"),
    "half a million flow levels": (yaml("a: " + "[" * 500_000 + "\n"), "E-PL07"),
    "2,000 block levels": (yaml("".join(" " * n + "a:\n" for n in range(2000))), "E-PL07"),
    "backticks": (body("`" * MEGABYTE), None),
    "backtick lines": (body("```\n" * (MEGABYTE // 4)), None),
    "tildes and backticks": (body("~~~\n```\n" * (MEGABYTE // 8)), None),
    "quotes": (body(">" * MEGABYTE), None),
    "spaced quotes": (body("> " * (MEGABYTE // 2)), None),
    "pipes": (body("|" * MEGABYTE), None),
    "table rows": (body("| a | b |\n|---|---|\n" + "| c | d |\n" * 100_000), None),
    "escapes": (body("| a | b |\n|---|---|\n| " + "\\" * MEGABYTE + " | b |"), None),
    "comment openers": (body("<!--\n" * 200_000), None),
    "comments": (body("<!-- -->\n" * 100_000), None),
    "hashes": (body("## HITL Verification Record\n" * 40_000), None),
    "end markers": (body("<!-- CLARITY_GATE_END -->\n" * 40_000), "E-ST08"),
    "exclusion begins": (body("".join(f"<!-- CG-EXCLUSION:BEGIN id=a{n} -->\n" for n in range(20_000))), "E-EX02"),
    "exclusion pairs": (body("".join(f"<!-- CG-EXCLUSION:{kind} id=a{n} -->\n" for n in range(10_000) for kind in ("BEGIN", "END"))), "E-EX05"),
    "bad markers on one line": (body("<!-- CG-EXCLUSION:X " * 50_000), "E-EX00"),
    "duplicate keys": (yaml("x: 1\n" * 20_000), "E-ST01"),
    "hash lines": (yaml("a: |\n" + "  document-sha256: x\n" * 20_000), "E-HS01"),
    "a long key": (yaml("k" * 200_000 + ": 1\n"), None),
    "white space": (body(" " * MEGABYTE + "\n" + "\t" * MEGABYTE), None),
    "newlines": (body("\n" * MEGABYTE), None),
    "exclusion begins, CR": (
        body("".join(f"<!-- CG-EXCLUSION:BEGIN id=a{n} -->\n" for n in range(20_000))).replace("\n", "\r"),
        "E-EX02",
    ),
    "carriage returns": (body("\r" * MEGABYTE), None),
    "combining marks": (body("a" + "\u0315\u0300\u05ae\u0327" * 100_000), None),
    "decomposing marks": (body("a" + "\u0f73" * 200_000), None),
}  # fmt: skip


@pytest.mark.parametrize("name", STORMS)
@pytest.mark.parametrize("profile", ["base", "rfc004"])
def test_storms_are_answered_in_time(name: str, profile: str) -> None:
    text, code = STORMS[name]
    started = time.process_time()
    report = validate(text, now=NOW, profile=profile)
    assert time.process_time() - started < 8
    assert code is None or code in report.codes


def test_an_alias_bomb_prints_little_on_the_command_line() -> None:
    started = time.process_time()
    result = run("validate", "-", "--format", "json", stdin=yaml(BOMB).encode())
    assert time.process_time() - started < 10
    assert "E-PL08" in [fault["code"] for fault in json.loads(result.stdout)["documents"][0]["faults"]]
    assert len(result.stdout) < 10_000


def test_too_large_a_document_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.cgd.md"
    with path.open("wb") as stream:
        stream.truncate(10 * MEGABYTE + 1)
    assert validate(path, now=NOW).codes == ["E-PL06"]
    assert validate("é" * (5 * MEGABYTE + 1), now=NOW).codes == ["E-PL06"]
    assert validate(b"x" * (10 * MEGABYTE + 1), now=NOW).codes == ["E-PL06"]
    assert validate("x" * 10 * MEGABYTE, now=NOW).codes == ["E-ST02"]
    assert "E-PL06" in run("validate", str(path)).stdout


def test_memory_is_a_small_multiple_of_the_document() -> None:
    text = body("A sentence of an ordinary document, as long as most are.\n\n" * (2 * MEGABYTE // 58))
    tracemalloc.start()
    validate(text, now=NOW)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * len(text)


@pytest.mark.parametrize(
    ("raw", "codes"),
    [
        (sealed().encode("utf-16"), {"E-ST01"}),
        (sealed().encode("utf-16-le"), {"E-ST01", "E-ST02"}),
        (b"\xff\xfe\x00", {"E-ST01"}),
        (b"---\n\x80\n---\n", {"E-ST01", "E-ST06"}),
        (sealed().encode()[:200], {"E-ST02"}),
        (sealed().encode()[:-40], {"E-ST06"}),
        (b"---\n---\n", {"E-ST03", "E-ST06"}),
        (b"---\n", {"E-ST02"}),
        (b"\0" * 1000, {"E-ST02"}),
    ],
)  # fmt: skip
def test_half_documents_and_other_encodings(raw: bytes, codes: set[str]) -> None:
    report = validate(raw, now=NOW)
    assert not report.valid
    assert not report.rag_ingestable
    assert set(report.codes) & codes


def test_lone_surrogates_print(tmp_path: Path) -> None:
    text = with_claim().replace('"Tree 1 bears 10 kg"', '"\\ud800"').replace("claim-a0b0c001", '"\\udfff"')
    report = validate(text, now=NOW)
    json.dumps(report.to_dict(), ensure_ascii=False).encode("utf-8")
    assert "E-SC06" in report.codes
    assert "E-ST01" in validate("---\na: \ud800\n---\n", now=NOW).codes
    path = tmp_path / "a.cgd.md"
    path.write_text(text, encoding="utf-8")
    for format_ in ("text", "json", "github", "sarif"):
        result = run("validate", str(path), "--format", format_)
        assert (result.returncode, result.stderr) == (1, "")


def test_control_characters_never_reach_the_terminal() -> None:
    report = validate(sealed().replace("1-9", '"\\e[31m\\u202e9"'), now=NOW)
    assert "\\u001b[31m\\u202e9" in " ".join(fault.message for fault in report.faults)


def test_a_terminal_that_cannot_show_a_character_gets_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "a.cgd.md"
    path.write_text(sealed().replace("1-9", '"数"'), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(
        [sys.executable, "-m", "cg_review", "validate", str(path)],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\\u6570" in done.stdout


def test_commands_that_read_whole_documents_refuse_large_ones(tmp_path: Path) -> None:
    path = tmp_path / "big.cgd.md"
    with path.open("wb") as stream:
        stream.truncate(10 * MEGABYTE + 1)
    for command in ("fix", "status", "hash"):
        result = run(command, str(path))
        assert result.returncode == 2
        assert result.stderr.startswith(f"cg-review: {path}: E-PL06")
