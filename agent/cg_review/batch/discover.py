"""Which documents a run is about: files as given, and the Markdown files of folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from itertools import takewhile
from pathlib import Path

from cg_review.errors import InputError
from cg_review.files import MARKDOWN, is_cgd_name


@dataclass(frozen=True, slots=True)
class Input:
    """A document to review, and the folder it was found under (None: it was named itself)."""

    path: Path
    root: Path | None


class Patterns:
    """Lines of a .gitignore, and the (real) folder that they are relative to."""

    def __init__(self, folder: Path, lines: Sequence[str]) -> None:
        from pathspec import GitIgnoreSpec  # imported when a folder is read

        self.folder = folder
        try:
            self.spec = GitIgnoreSpec.from_lines(lines)
        except ValueError as error:
            raise InputError(f"{folder}: a pattern cannot be used: {' '.join(str(error).split())}") from error

    def says(self, path: Path, is_folder: bool) -> bool | None:
        """True: leave it out; False: take it after all; None: says nothing about it."""
        relative = path.relative_to(self.folder).as_posix()
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def find_documents(
    paths: Sequence[str], exclude: Sequence[str] = (), suffixes: frozenset[str] = frozenset(MARKDOWN)
) -> list[Input]:
    """What `paths` name, each document once: files, folders, and globs that the shell has left as they are.

    In folders, and of what a glob matches: files with `suffixes`, in the order of their paths, without what is hidden, CGDs, what a .gitignore
    leaves out, what `exclude` (patterns like those of a .gitignore, relative to the folder) leaves out, and symbolic
    links. Raises InputError for a path that does not exist, and where nothing is found under it.
    """
    found: dict[Path, Input] = {}
    for given in paths:
        for path, root in _expand(given, exclude, suffixes):
            inside = [Input(path, root)]
            if path.is_dir():
                inside = [Input(one, path) for one in walk(path, exclude, suffixes)]
                if not inside:
                    raise InputError(
                        f"{path}: no Markdown files in this folder that are not ignored or excluded"
                    )
            for one in inside:
                found.setdefault(one.path, one)
    return list(found.values())


def _expand(given: str, exclude: Sequence[str], suffixes: frozenset[str]) -> list[tuple[Path, Path | None]]:
    """What an argument names. A glob finds folders and documents, or files of the suffix that it names; with `**`, they are
    taken as found in the folder that it starts in."""
    path = Path(given)
    if path.exists():
        return [(path, None)]
    if not has_magic(given):
        raise InputError(f"{given}: no such file or folder")
    root = _start(path)
    wanted = _Wanted(root, exclude)
    matches = [Path(match) for match in sorted(glob(given, recursive=True))]
    any_suffix = bool(path.suffix)
    usable = [
        match
        for match in matches
        if match != root
        and (match.is_dir() or (not is_cgd_name(match) and (any_suffix or match.suffix.lower() in suffixes)))
        and wanted.takes(match)
    ]
    if not usable:
        raise InputError(f"{given}: nothing matches that is not ignored or excluded")
    if "**" not in given:
        return [(match, None) for match in usable]
    return [(match, root) for match in usable if not match.is_dir()] or [(match, None) for match in usable]


def _start(pattern: Path) -> Path:
    """The folder that a glob starts in: its parts before the first with a wildcard."""
    return Path(*takewhile(lambda part: not has_magic(part), pattern.parts))


class _Wanted:
    """What a walk through `root` would come by, for files that were found in another way."""

    def __init__(self, root: Path, exclude: Sequence[str]) -> None:
        self.root, self.real = root, root.resolve()
        self.above = _above(self.real)
        self.excluding = [Patterns(self.real, exclude)] if exclude else []

    def takes(self, path: Path) -> bool:
        """Whether nothing on the way from `root` to `path` is hidden, a symbolic link, ignored or excluded."""
        ignoring, here, real = self.above, self.root, self.real
        for part in path.relative_to(self.root).parts:
            ignoring = [*ignoring, *_ignore_file(real, ".gitignore")]
            here, real = here / part, real / part
            is_folder = here.is_dir()
            if part.startswith(".") or here.is_symlink():
                return False
            if any(_left_out(real, is_folder, patterns) for patterns in (ignoring, self.excluding)):
                return False
        return True


def walk(root: Path, exclude: Sequence[str], suffixes: frozenset[str]) -> Iterator[Path]:
    """The documents under `root`, in the order of their paths."""
    real = root.resolve()
    excluding = [Patterns(real, exclude)] if exclude else []
    yield from _walk(root, real, suffixes, _above(real), excluding)


def _walk(
    folder: Path, real: Path, suffixes: frozenset[str], ignoring: list[Patterns], excluding: list[Patterns]
) -> Iterator[Path]:
    ignoring = [*ignoring, *_ignore_file(real, ".gitignore")]
    try:
        entries = sorted(os.scandir(folder), key=_order)
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror or error}") from error
    for entry in entries:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        path, is_folder = folder / entry.name, entry.is_dir()
        wanted = is_folder or (path.suffix.lower() in suffixes and entry.is_file() and not is_cgd_name(path))
        if not wanted or any(_left_out(real / entry.name, is_folder, p) for p in (ignoring, excluding)):
            continue
        if is_folder:
            yield from _walk(path, real / entry.name, suffixes, ignoring, excluding)
        else:
            yield path


def _order(entry: os.DirEntry[str]) -> str:
    # As whole paths sort: "a/b.md" stands after "a.md" and "a-b.md", for "/" stands after "." and "-".
    return entry.name + "/" if entry.is_dir(follow_symlinks=False) else entry.name


def _left_out(path: Path, is_folder: bool, patterns: Sequence[Patterns]) -> bool:
    """The last file that says anything about `path` decides, as git has it."""
    answers = (one.says(path, is_folder) for one in reversed(patterns))
    return next((answer for answer in answers if answer is not None), False)


def _above(real: Path) -> list[Patterns]:
    """What holds above `real`: the .gitignore files up to the repository's top, and its .git/info/exclude."""
    chain = [real, *real.parents]
    top = next((index for index, folder in enumerate(chain) if (folder / ".git").exists()), None)
    if top is None:
        return []
    patterns = _ignore_file(chain[top], ".git/info/exclude")
    for folder in reversed(chain[1 : top + 1]):
        patterns += _ignore_file(folder, ".gitignore")
    return patterns


def _ignore_file(folder: Path, name: str) -> list[Patterns]:
    try:
        text = (folder / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [Patterns(folder, text.splitlines())]
