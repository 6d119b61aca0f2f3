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
import urllib.request
import zlib
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

PUBLISHED = Path(__file__).resolve().parent / "published"
BASE = "https://raw.githubusercontent.com"
TIMEOUT = 30  # seconds a document
LARGEST = 200_000_000  # bytes of what is fetched, or of a file in it


def read_index(folder: Path) -> list[dict[str, Any]]:
    """The documents of a set: file, licence, kind, sha256, and where it lies: repo, commit and path, or the url of an archive
    and the member that it is."""
    return [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]


def fetch(folder: Path, target: Path, base: str) -> Iterator[str]:
    """Write the documents of a set and their labels to `target`; what is wrong with those left out."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    (target / "docs").mkdir(parents=True, exist_ok=True)
    kept: set[str] = set()
    by_url: dict[str, list[dict[str, Any]]] = {}  # an archive that serves several documents is fetched once
    for entry in read_index(folder):
        by_url.setdefault(_url_of(entry, base), []).append(entry)
    for number, (url, entries) in enumerate(by_url.items(), 1):
        print(f"\r{number} of {len(by_url)}", end="", file=sys.stderr)
        try:
            data = _download(url)
        except (OSError, ValueError, HTTPException) as error:
            yield from (f"{entry['file']}: {error}" for entry in entries)
            continue
        for entry in entries:
            if problem := _written(entry, data, target / "docs"):
                yield f"{entry['file']}: {problem}"
            else:
                kept.add(entry["file"])
    print(file=sys.stderr)
    if kept:
        found = {name: places for name, places in labels.items() if name in kept}
        (target / "labels.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _url_of(entry: dict[str, Any], base: str) -> str:
    if "url" in entry:
        return str(entry["url"])
    return f"{base}/{entry['repo']}/{entry['commit']}/{quote(entry['path'])}"


def _written(entry: dict[str, Any], data: bytes, docs: Path) -> str:
    """Write a document out of what was fetched for it; what is wrong with it, "" where nothing is."""
    try:
        text = _member(data, entry["member"]) if "member" in entry else data
    except (EOFError, OSError, ValueError, KeyError, tarfile.TarError, zlib.error) as error:
        return str(error)
    if hashlib.sha256(text).hexdigest() != entry["sha256"]:
        return "not the text that was labelled"
    (docs / entry["file"]).write_bytes(text)
    return ""


def _member(data: bytes, name: str) -> bytes:
    """A file of an archive. Raises TarError or OSError where it is none, KeyError where it hasn't got it, ValueError where
    it is too large."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        member = archive.extractfile(name)
        return _limited(member, name) if member else b""


def _download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
        return _limited(answer, url)


def _limited(stream: IO[bytes], name: str) -> bytes:
    """All of a stream, which nobody has vouched for yet. Raises ValueError where it has no end in sight."""
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"{name} is larger than {LARGEST:,} bytes and is not read")
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
