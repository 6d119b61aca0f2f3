from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from batch.tree import make
from cg_review.batch.discover import find_documents
from cg_review.errors import InputError


def names(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    found = find_documents(list(paths) or [str(root)], exclude)
    return [os.path.relpath(one.path, root) for one in found]


def test_markdown_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    make(tmp_path, dict.fromkeys(("b.md", "a/z.markdown", "a-b.md", "a.md", "note.txt", "a/y.cgd.md"), "x"))
    assert names(tmp_path) == sorted(["a-b.md", "a.md", "a/z.markdown", "b.md"])


def test_hidden_files_and_folders_are_skipped(tmp_path: Path) -> None:
    make(tmp_path, dict.fromkeys((".hidden.md", ".git/a.md", ".venv/b.md", "c.md"), "x"))
    assert names(tmp_path) == ["c.md"]


@pytest.mark.parametrize("below", ["", "docs"])
def test_gitignore_is_respected_as_git_does(tmp_path: Path, below: str) -> None:
    files = [
        "docs/a.md",
        "docs/build/b.md",
        "docs/build/keep.md",
        "docs/x/tmp.md",
        "docs/x/keep.md",
        "docs/out/c.md",
    ]
    make(tmp_path, dict.fromkeys(files, "x"))
    (tmp_path / ".gitignore").write_text("tmp.md\n/docs/build/*\n!docs/build/keep.md\n")
    (tmp_path / "docs/.gitignore").write_text("out/\n")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard", "*.md"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = find_documents([str(tmp_path / below)])
    assert [os.path.relpath(one.path, tmp_path) for one in found] == sorted(listed.stdout.split())


def test_exclude_patterns_are_relative_to_the_folder(tmp_path: Path) -> None:
    make(tmp_path, dict.fromkeys(("a.md", "old/b.md", "new/old/c.md", "draft-1.md", "new/draft-2.md"), "x"))
    assert names(tmp_path, exclude=("/old/", "draft-*")) == ["a.md", "new/old/c.md"]


def test_symbolic_links_do_not_lead_out_of_the_tree_or_in_circles(tmp_path: Path) -> None:
    make(tmp_path, {"in/a.md": "x", "out/secret.md": "x"})
    (tmp_path / "in/link.md").symlink_to(tmp_path / "out/secret.md")
    (tmp_path / "in/folder").symlink_to(tmp_path / "out")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "entry").symlink_to(tmp_path / "in")
    assert names(tmp_path / "in") == ["a.md"]
    assert [one.path for one in find_documents([str(tmp_path / "entry")])] == [tmp_path / "entry/a.md"]


def test_globs_that_the_shell_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, dict.fromkeys(("a.md", "x/b.md", "x/y/c.md", "x/y/c.cgd.md", "d.txt"), "x"))
    monkeypatch.chdir(tmp_path)
    assert names(tmp_path, "**/*.md") == ["a.md", "x/b.md", "x/y/c.md"]
    assert names(tmp_path, "x/*.md") == ["x/b.md"]


def test_globs_leave_out_what_a_folder_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names_ = (
        "in/a.md",
        "in/b.png",
        "in/x/b.md",
        "in/x/ignored.md",
        "in/drafts/d.md",
        "out/secret.md",
        "in/.h/h.md",
    )
    make(tmp_path, {**dict.fromkeys(names_, "x"), "in/.gitignore": "ignored.md\n"})
    (tmp_path / ".git").mkdir()
    (tmp_path / "in/link.md").symlink_to(tmp_path / "out/secret.md")
    (tmp_path / "in/folder").symlink_to(tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    for pattern in ("in/**/*.md", "in/**/*"):
        found = find_documents([pattern], ["drafts/"])
        assert [(str(one.path), str(one.root)) for one in found] == [("in/a.md", "in"), ("in/x/b.md", "in")]
    assert [str(one.path) for one in find_documents(["in/*"], ["drafts/"])] == ["in/a.md", "in/x/b.md"]


def test_a_name_with_brackets_is_a_name(tmp_path: Path) -> None:
    make(tmp_path, {"a[1].md": "x"})
    assert names(tmp_path, str(tmp_path / "a[1].md")) == ["a[1].md"]


def test_a_document_named_twice_is_reviewed_once(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": "x", "b.md": "x"})
    assert names(tmp_path, str(tmp_path / "b.md"), str(tmp_path)) == ["b.md", "a.md"]


@pytest.mark.parametrize(
    ("path", "says"),
    [("gone", "no such file or folder"), ("empty", "no Markdown files"), ("g*.md", "nothing matches")],
)
def test_a_path_without_documents_says_so(tmp_path: Path, path: str, says: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=says):
        find_documents([str(tmp_path / path)])


def test_a_pattern_that_cannot_be_used_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": "x"})
    with pytest.raises(InputError, match="pattern"):
        find_documents([str(tmp_path)], ("!",))
