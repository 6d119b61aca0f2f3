"""Folders of small documents for tests."""

from __future__ import annotations

from pathlib import Path

SENTENCES = (
    "Revenue will be $9M by 2027.",
    "Our platform is the fastest on the market.",
    "Prices start at $4 per month.",
    "The service may restart once a day.",
)


def make(root: Path, files: dict[str, str] | int) -> Path:
    """Write documents below `root`: the given ones, or so many numbered ones."""
    if isinstance(files, int):
        files = {f"n{n % 7}/doc-{n:05}.md": document(n) for n in range(files)}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def document(number: int) -> str:
    """A small document with one or two findings."""
    lines = [SENTENCES[(number + offset) % len(SENTENCES)] for offset in range(2)]
    return f"# Document {number}\n\n{lines[0]}\n\n## Second part\n\n{lines[1]}\n"


def contents(root: Path) -> dict[str, bytes]:
    """All files below `root` but the state's, by name."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".cg-review" not in path.parts
    }
