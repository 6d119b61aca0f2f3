"""Get the published documents that weights are learned from, or that judge them: `python benchmarks/fetch.py learned DIR`.

`benchmarks/published/learned` (what train.py learns from) and `benchmarks/published/unseen` (which nobody read while rules
were written) hold labels and where each document lies, not the documents, which have authors and licences of their own.
This fetches each, at its commit of a repository or from the released package that carries it, and writes DIR in accuracy.py's
second format. A document that is not there any more, or differs from the one that was labelled, is left out, and said;
then the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

PUBLISHED = Path(__file__).resolve().parent / "published"
BASE = "https://raw.githubusercontent.com"
TIMEOUT = 30  # seconds a document


def read_index(folder: Path) -> list[dict[str, Any]]:
    """The documents of a set: file, licence, kind, sha256, and where it lies: repo, commit and path, or the url of an archive
    and the member that it is."""
    return [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]


def fetch(folder: Path, target: Path, base: str) -> Iterator[str]:
    """Write the documents of a set and their labels to `target`; what is wrong with those left out."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    (target / "docs").mkdir(parents=True, exist_ok=True)
    kept = {}
    for number, entry in enumerate(index := read_index(folder), 1):
        print(f"\r{number} of {len(index)}", end="", file=sys.stderr)
        try:
            data = _text_of(entry, base)
        except (OSError, ValueError, KeyError, tarfile.TarError) as error:
            yield f"{entry['file']}: {error}"
            continue
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            yield f"{entry['file']}: not the text that was labelled"
            continue
        (target / "docs" / entry["file"]).write_bytes(data)
        kept[entry["file"]] = labels[entry["file"]]
    print(file=sys.stderr)
    if not kept:
        return
    (target / "labels.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _text_of(entry: dict[str, Any], base: str) -> bytes:
    """A document's bytes. Raises OSError or TarError where it can't be got, KeyError where the archive hasn't got it."""
    if "url" not in entry:
        return _download(f"{base}/{entry['repo']}/{entry['commit']}/{quote(entry['path'])}")
    with tarfile.open(fileobj=io.BytesIO(_download(entry["url"]))) as archive:
        member = archive.extractfile(entry["member"])
        return member.read() if member else b""


def _download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
        data: bytes = answer.read()
    return data


def main() -> None:
    """Fetch a set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", choices=("learned", "unseen"))
    parser.add_argument("target", type=Path, metavar="DIR")
    parser.add_argument("--base", default=BASE, help="where repositories are served from")
    arguments = parser.parse_args()
    problems = list(fetch(PUBLISHED / arguments.set, arguments.target, arguments.base))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
