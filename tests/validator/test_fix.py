from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.errors import DocumentRefused
from cg_review.validator import validate
from cg_review.validator.fixing import fix
from validator.documents import BODY, FRONTMATTER, document, sealed, with_claim
from validator.running import run

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def lines_changed(before: str, after: str) -> list[str]:
    old, new = before.split("\n"), after.split("\n")
    assert len(old) == len(new)
    return [b.partition(":")[0] for a, b in zip(old, new, strict=True) if a != b]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_only_computed_fields_change(newline: str, bom: str) -> None:
    front = FRONTMATTER.replace("rag-ingestable: true", 'rag-ingestable:   "yes"   # a guess').replace(
        "count: 0", "count: '3'"
    )
    before = bom + document(frontmatter=f"# kept\n{front}", status="UNCLEAR | PENDING").replace("\n", newline)
    after = fix(before, NOW).text
    assert after.count(newline) == before.count(newline)
    changed = lines_changed(before.replace(newline, "\n"), after.replace(newline, "\n"))
    assert changed == ["hitl-pending-count", "rag-ingestable", "document-sha256", "Clarity Gate"]
    assert f"rag-ingestable:   true   # a guess{newline}" in after
    assert stored_hash(after) == document_hash(after)
    assert validate(after, now=NOW).faults == ()
    assert fix(after, NOW).text == after


def test_a_missing_hash_is_computed() -> None:
    assert validate(
        fix(document(frontmatter=FRONTMATTER.replace("document-sha256: PENDING\n", "")), NOW).text, now=NOW
    ).valid


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("plain\n", "E-ST02"),
        (document(frontmatter=FRONTMATTER + "a: 'b\n"), "E-ST01"),
        (document(frontmatter=FRONTMATTER.replace("1-9", "0")), "E-ST05"),
        (document(frontmatter=FRONTMATTER.replace("PENDING", "PENDING\n  # hides here")), "E-HS01"),
        (document().replace("<!-- CLARITY_GATE_END -->\n", ""), "E-ST06"),
        (document(frontmatter=FRONTMATTER.replace("status: CLEAR", "status: CLEARISH")), "E-SC05"),
        (document(status="CLEAR | reviewed"), "E-ST07"),
    ],
)
def test_what_a_person_has_to_settle_is_refused_by_name(text: str, code: str) -> None:
    with pytest.raises(DocumentRefused, match=code):
        fix(text, NOW)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("original", [sealed(), with_claim()], ids=["no claims", "a claim"])
def test_a_changed_document_is_reopened_and_never_laundered(original: str, newline: str) -> None:
    tampered = original.replace("Row 7", "Row 8").replace("\n", newline)
    with pytest.raises(DocumentRefused, match="--accept-changes"):
        fix(tampered, NOW)
    text, reopened = fix(tampered, NOW, accept_changes=True)
    assert reopened
    report = validate(text, now=NOW)
    assert (report.faults, report.rag_ingestable) == ((), False)
    assert f"hitl-status: PENDING{newline}" in text
    assert f"hitl-pending-count: 1{newline}" in text
    assert "changed after it was reviewed" in text
    assert text.endswith(f"Clarity Gate: CLEAR | PENDING{newline}")
    assert text.count("\r\n") == (text.count("\n") if newline == "\r\n" else 0)
    if "Ines Prat" in original:
        assert (
            f"| 2 | This document was changed after it was reviewed (seen 2026-06-15) | ⏳ Pending | — | — |{newline}"
            in text
        )
        assert "confirmed-by: Ines Prat" in text
    assert fix(text, NOW) == (text, False)


def test_a_changed_document_with_exclusions_is_refused() -> None:
    block = "<!-- CG-EXCLUSION:BEGIN id=a -->\nx\n<!-- CG-EXCLUSION:END id=a -->\n\n"
    front = (
        FRONTMATTER.replace("REVIEWED", "REVIEWED_WITH_EXCEPTIONS").replace("true", "false")
        + "exceptions-reason: old\nexceptions-ids: [a]\n"
    )
    text = sealed(BODY * 3 + block, front, "CLEAR | REVIEWED_WITH_EXCEPTIONS").replace("Row 7", "Row 8")
    with pytest.raises(DocumentRefused, match="exclusion blocks"):
        fix(text, NOW, accept_changes=True)


def test_the_command_writes_shows_and_tells(tmp_path: Path) -> None:
    path = tmp_path / "a.cgd.md"
    path.write_bytes(document().encode())
    path.chmod(0o640)
    shown = run("fix", "--diff", str(path), "--now", "2026-06-15")
    assert (shown.returncode, path.read_text()) == (0, document())
    assert "-document-sha256: PENDING\n+document-sha256: " in shown.stdout
    told = run("fix", "--check", str(path), "--now", "2026-06-15")
    assert (told.returncode, told.stdout, path.read_text()) == (1, "", document())
    assert run("fix", str(path), "--now", "2026-06-15").returncode == 0
    assert path.read_text() == sealed()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.cgd.md"]
    assert run("fix", "--check", str(path), "--now", "2026-06-15").returncode == 0
    path.write_bytes(document(frontmatter=FRONTMATTER.replace("1-9", "0")).encode())
    refused = run("fix", str(path), "--now", "2026-06-15")
    assert refused.returncode == 1
    assert refused.stderr.startswith(
        f"cg-review: {path}: a person has to settle this first: E-ST05 in line 8"
    )


def test_hash_write_is_as_honest_as_fix(tmp_path: Path) -> None:
    path = tmp_path / "a.cgd.md"
    path.write_bytes(sealed().replace("Row 7", "Row 8").encode())
    assert run("hash", "--write", str(path), "--now", "2026-06-15").returncode == 1
    assert run("hash", "--write", "--accept-changes", str(path), "--now", "2026-06-15").returncode == 0
    assert "hitl-status: PENDING" in path.read_text()
    assert run("hash", "--verify", str(path)).returncode == 0
