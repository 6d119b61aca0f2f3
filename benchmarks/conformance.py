"""Validate a folder of documents with a manifest and print where the codes differ: `conformance.py --data DIR`.

The manifest is `{"entries": [{"file", "expected_codes", "optional_codes", "profile", "now", "expected_valid",
"expected_rag_ingestable", "command"}]}`: expected codes must all appear, optional ones may, no other. docs/conformance.md
describes it.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from cg_review.validator import validate


def differences(folder: Path, entry: dict[str, Any]) -> list[str]:
    """Say how one document's report differs from its manifest entry."""
    report = validate(
        folder / entry["file"], now=datetime.fromisoformat(entry["now"]), profile=entry.get("profile", "base")
    )
    codes, expected = set(report.codes), set(entry["expected_codes"])
    said = [f"missing {code}" for code in sorted(expected - codes)]
    said += [f"unexpected {code}" for code in sorted(codes - expected - set(entry.get("optional_codes", [])))]
    if report.valid != entry["expected_valid"]:
        said.append(f"valid is {report.valid}")
    wanted = entry.get("expected_rag_ingestable")
    if wanted is not None and wanted != report.rag_ingestable and report.valid:
        said.append(f"rag_ingestable is {report.rag_ingestable}")
    return said


def command_differences(folder: Path, entry: dict[str, Any]) -> list[str]:
    """Run one command case from the command line, on a copy of its folder; say how what it tells differs."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree((folder / entry["file"]).parent, place, dirs_exist_ok=True)
        target = [Path(entry["file"]).name] if entry["command"] != "apply-hitl" else []
        person = ["--by", "A Reader"] if entry["command"] != "demote" else []
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "cg_review",
                entry["command"],
                *target,
                *entry["args"],
                "--now",
                entry["now"],
                *person,
            ],
            capture_output=True,
            text=True,
            cwd=place,
        )
        codes = set(re.findall(r"\b[EW]-[A-Z]{2}\d\d\b", done.stdout + done.stderr))
        said = (
            [] if codes == set(entry["expected_codes"]) else [f"told {sorted(codes)}: {done.stderr.strip()}"]
        )
        if "Traceback" in done.stderr or (done.returncode != 0 and not entry["expected_codes"]):
            said.append(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
        after = validate(Path(place) / Path(entry["file"]).name, now=datetime.fromisoformat(entry["now"]))
        if entry["expected_valid"] and not after.valid:
            said.append(f"leaves {after.codes}")
        return said


def main() -> int:
    """Run every document entry, and every command case as a user would."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with manifest.json")
    folder = parser.parse_args().data
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["entries"]
    documents = [entry for entry in entries if "command" not in entry]
    wrong = 0
    for entry in documents:
        said = differences(folder, entry)
        wrong += bool(said)
        if said:
            print(
                f"{entry['file']} ({entry.get('profile', 'base')}): {', '.join(said)} - {entry.get('why', '')}"
            )
    print(f"{len(documents) - wrong} of {len(documents)} documents agree")
    commands = [entry for entry in entries if "command" in entry]
    failed = 0
    for entry in commands:
        said = command_differences(folder, entry)
        failed += bool(said)
        if said:
            print(
                f"{entry['command']} {entry['file']} {entry['args']}: {', '.join(said)} - {entry.get('why', '')}"
            )
    print(f"{len(commands) - failed} of {len(commands)} command cases agree")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
