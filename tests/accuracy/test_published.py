"""Labels of published documents: complete, permissively licensed, apart; and how the documents are fetched."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from accuracy import score_real  # noqa: E402
from fetch import PUBLISHED, fetch, read_index  # noqa: E402
from labelled import Prediction, read_real  # noqa: E402

PERMISSIVE = re.compile(
    r"(?:MIT|MIT-0|ISC|Apache-2\.0(?: WITH LLVM-exception)?|BSD(?:-[23]-Clause(?:-Attribution)?)?|0BSD|CC0-1\.0|CC-BY-4\.0|Unlicense"
    r"|public domain|US government public domain)"
)
COMMIT = "a" * 40


@pytest.mark.parametrize("name", ["learned", "unseen"])
def test_every_document_has_a_place_a_licence_and_labels(name: str) -> None:
    index = read_index(PUBLISHED / name)
    labels = json.loads((PUBLISHED / name / "labels.json").read_text(encoding="utf-8"))
    assert [entry["file"] for entry in index] == list(labels)
    for entry in index:
        if "url" in entry:
            assert entry["url"].startswith("https://"), entry
            assert entry["member"], entry
        else:
            assert all(entry[name] for name in ("repo", "path")), entry
            assert re.fullmatch(r"[0-9a-f]{40}", entry["commit"]), entry
        assert re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]), entry
        assert all(PERMISSIVE.fullmatch(one) for one in re.split(r" OR | / ", entry["licence"])), entry
    for places in labels.values():
        for place in places:
            assert 0 <= place["start"] < place["end"]
            assert place["point"] in place["points"]


def test_no_repository_is_learned_from_that_judges() -> None:
    learned, unseen = (
        {e["repo"] for e in read_index(PUBLISHED / name) if "repo" in e} for name in ("learned", "unseen")
    )
    assert not learned & unseen


ASKED: list[str] = []


class _Recorder(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        ASKED.append(self.path)
        super().do_GET()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """A server of the folder `tmp_path/served`, as GitHub serves files of a commit; what is asked for goes to `ASKED`."""
    folder = tmp_path / "served" / "org" / "tool" / COMMIT / "my docs"
    folder.mkdir(parents=True)
    (folder / "same.md").write_bytes("It is the fastest – by far.\n".encode())
    (folder / "changed.md").write_text("Something else.\n", encoding="utf-8")
    ASKED.clear()
    handler = partial(_Recorder, directory=str(tmp_path / "served"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_what_is_as_it_was_labelled_is_fetched_and_the_rest_is_told(tmp_path: Path, served: str) -> None:
    text = "It is the fastest – by far.\n"
    place = {"start": 0, "end": 27, "readers": 2, "point": 1, "points": [1]}
    names = ("same.md", "changed.md", "gone.md")
    index = [
        {
            "file": f"tool__{name}",
            "repo": "org/tool",
            "path": f"my docs/{name}",
            "commit": COMMIT,
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }
        for name in names
    ]
    (tmp_path / "index.jsonl").write_text(
        "".join(json.dumps(entry) + "\n" for entry in index), encoding="utf-8"
    )
    (tmp_path / "labels.json").write_text(
        json.dumps({f"tool__{n}": [place] for n in names}), encoding="utf-8"
    )
    problems = list(fetch(tmp_path, tmp_path / "got", served))
    assert [problem.split(":")[0] for problem in problems] == ["tool__changed.md", "tool__gone.md"]
    assert read_real(tmp_path / "got") == [("tool__same.md", text, [place])]


def test_a_document_of_a_package_is_taken_from_its_archive(tmp_path: Path, served: str) -> None:
    text = b"It is the fastest.\r\n"
    with tarfile.open(tmp_path / "served" / "tool-1.0.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("package/README.md")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    place = {"start": 0, "end": 18, "readers": 2, "point": 1, "points": [1]}
    names = {"good": "package/README.md", "gone": "package/NEWS.md"}
    index = [
        {
            "file": name,
            "url": f"{served}/tool-1.0.tgz",
            "member": inside,
            "sha256": hashlib.sha256(text).hexdigest(),
        }
        for name, inside in names.items()
    ]
    index.append(
        {**index[0], "file": "not an archive", "url": f"{served}/org/tool/{COMMIT}/my%20docs/same.md"}
    )
    (tmp_path / "index.jsonl").write_text(
        "".join(json.dumps(entry) + "\n" for entry in index), encoding="utf-8"
    )
    (tmp_path / "labels.json").write_text(json.dumps({e["file"]: [place] for e in index}), encoding="utf-8")
    problems = list(fetch(tmp_path, tmp_path / "got", served))
    assert [problem.split(":")[0] for problem in problems] == ["gone", "not an archive"]
    assert read_real(tmp_path / "got") == [("good", text.decode(), [place])]
    assert ASKED.count("/tool-1.0.tgz") == 1  # for the two documents that it carries


@pytest.mark.parametrize("archived", [False, True])
def test_what_has_no_end_is_not_read(
    tmp_path: Path, served: str, monkeypatch: pytest.MonkeyPatch, archived: bool
) -> None:
    monkeypatch.setattr("fetch.LARGEST", 1000)
    text, url = b"x" * 5000, f"{served}/tool-1.0.tgz"
    with tarfile.open(tmp_path / "served" / "tool-1.0.tgz", "w:gz" if archived else "w") as archive:
        member = tarfile.TarInfo("a.md")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    entry = {"file": "a", "url": url, "member": "a.md", "sha256": hashlib.sha256(text).hexdigest()}
    (tmp_path / "index.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"a": []}', encoding="utf-8")
    (problem,) = fetch(tmp_path, tmp_path / "got", served)
    assert problem == f"a: {'a.md' if archived else url} is larger than 1,000 bytes and is not read"


def labelled(folder: Path, text: bytes, *places: tuple[int, int, int]) -> Path:
    """A folder of one document; of each place where it starts and ends, and how many readers flagged it."""
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_bytes(text)
    flagged = [{"start": s, "end": e, "readers": n, "point": 1, "points": [1]} for s, e, n in places]
    (folder / "labels.json").write_text(json.dumps({"a.md": flagged}), encoding="utf-8")
    return folder


def test_readers_who_agree_and_any_reader_are_told_apart(tmp_path: Path) -> None:
    folder = labelled(tmp_path, b"One. Two. Six. Ten. End.", (0, 4, 1), (5, 9, 2), (10, 14, 3))
    found = [Prediction(1, start, start + 4) for start in (0, 5, 15, 20)]
    numbers, _ = score_real(folder, lambda *_: found)
    assert (numbers["precision_any_reader"], numbers["precision_agreed"]) == (0.5, 0.25)
    assert (numbers["agreed_places"], numbers["recall_agreed"]) == (2, 0.5)
    assert "f1" not in numbers


@pytest.mark.parametrize(("text", "kept"), [(b"It is open.\n", 1), (b"It is \0 open.\n", 0)])
def test_documents_that_nothing_is_learned_from_are_told(tmp_path: Path, text: bytes, kept: int) -> None:
    pytest.importorskip("sklearn")
    from learning import read_published

    texts, left_out = read_published(labelled(tmp_path, text))
    assert (len(texts), len(left_out)) == (kept, 1 - kept)
    assert all(line.startswith("a.md: ") for line in left_out)
