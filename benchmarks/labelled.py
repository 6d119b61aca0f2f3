"""Labelled documents, read: texts folded for comparison, and the two formats of labels (see accuracy.py)."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

Range = tuple[int, int]
_FOLDS = {"“": '"', "”": '"', "’": "'", "‘": "'", "\u00a0": " ", "\ufeff": ""}
_MARKUP = set("*_`|\\[]#>~")
_REACH = 800  # a quote of more characters than this points at nothing


class Folded:
    """A text in lower case with white space folded; places in it compare across line breaks and quotation marks."""

    def __init__(self, text: str) -> None:
        self.text, self.offsets = _fold(text)
        self.raw = text

    def place(self, start: int, end: int) -> Range:
        """Characters [start, end) of the text, as a place in the folded one."""
        return bisect_left(self.offsets, start), bisect_left(self.offsets, end)

    def find(self, quote: str) -> list[Range]:
        """Every place of `quote`, with or without its Markdown."""
        wanted = _fold(quote)[0].strip()
        return _all(self.text, wanted) or self._find_unmarked(wanted)

    @cached_property
    def _unmarked(self) -> tuple[str, list[int]]:
        kept: list[tuple[str, int]] = []
        for at, character in enumerate(self.text):
            if character not in _MARKUP and not (character == " " and kept and kept[-1][0] == " "):
                kept.append((character, at))
        return "".join(c for c, _ in kept), [at for _, at in kept]

    def _find_unmarked(self, wanted: str) -> list[Range]:
        text, back = self._unmarked
        bare = " ".join("".join(c for c in wanted if c not in _MARKUP).split())
        return [(back[start], back[end - 1] + 1) for start, end in _all(text, bare)]

    @property
    def words(self) -> int:
        """Number of words of the text."""
        return len(self.raw.split())


def _fold(text: str) -> tuple[str, list[int]]:
    characters: list[str] = []
    offsets: list[int] = []
    for at, character in enumerate(text):
        folded = " " if character.isspace() else _FOLDS.get(character, character)
        if folded == " " and characters and characters[-1] == " ":
            continue
        if folded:
            characters.append(folded.lower()[:1] or folded)
            offsets.append(at)
    return "".join(characters), offsets


def _all(text: str, wanted: str) -> list[Range]:
    found, at = [], text.find(wanted) if wanted else -1
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = text.find(wanted, at + 1)
    return found


def overlap(one: Range, other: Range) -> bool:
    """Whether two half-open ranges share a character."""
    return one[0] < other[1] and other[0] < one[1]


@dataclass(frozen=True)
class Prediction:
    """A finding of the reviewer: its point and characters [start, end) of the document."""

    point: int
    start: int
    end: int

    def points_at_something(self) -> bool:
        """Whether the place is small enough to be one."""
        return self.end - self.start <= _REACH


@dataclass(frozen=True)
class LabelledDocument:
    """A document of the first format with its labels."""

    name: str
    text: str
    labels: dict[str, Any]
    today: date


@dataclass(frozen=True)
class LabelledText:
    """A document of the third format: its text without the marks; characters [start, end) of each marked fault with its
    points, the best first; and of each sentence that shows a fault of point 7."""

    name: str
    text: str
    faults: tuple[tuple[int, int, tuple[int, ...]], ...]
    counterparts: tuple[Range, ...] = ()


_OPEN = re.compile(r"⟦(?:(?P<points>[1-9](?:,[1-9])*)|~7)\|")


def read_training(folder: Path) -> list[LabelledText]:
    """All documents below a folder in which faults are marked inline: ⟦POINT,ALSO|sentence⟧, and the sentences that show
    a fault of point 7 elsewhere: ⟦~7|sentence⟧. Raises ValueError."""
    return [_unmarked(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.md"))]


def _unmarked(name: str, marked: str) -> LabelledText:
    kept: list[str] = []
    faults, at, length = [], 0, 0
    opened: list[tuple[int, tuple[int, ...]]] = []
    while at < len(marked):
        mark = _OPEN.match(marked, at)
        if mark:
            points = mark["points"].split(",") if mark["points"] else ()
            opened.append((length, tuple(map(int, points))))
            at = mark.end()
            continue
        if marked[at] == "⟧":
            if not opened:
                raise ValueError(f"{name}: a ⟧ was not opened")
            start, points = opened.pop()
            faults.append((start, length, points))
        else:
            kept.append(marked[at])
            length += 1
        at += 1
    if opened:
        raise ValueError(f"{name}: a ⟦ is not closed")
    counterparts = (fault[:2] for fault in faults if not fault[2])
    return LabelledText(
        name,
        "".join(kept),
        tuple(sorted(fault for fault in faults if fault[2])),
        tuple(sorted(counterparts)),
    )


def read_labelled(folder: Path) -> list[LabelledDocument]:
    """All documents of a folder that has a split.json."""
    split = json.loads((folder / "split.json").read_text(encoding="utf-8"))
    documents = []
    for name in sorted(split["dev"] + split["holdout"]):
        path = folder / name
        labels = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        documents.append(
            LabelledDocument(
                path.stem,
                path.read_bytes().decode("utf-8"),
                labels,
                date.fromisoformat(labels.get("today", "2026-11-30")),
            )
        )
    return documents


def read_real(folder: Path) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """Name, text and flagged places of the real documents of a folder that has a labels.json."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return [
        (name, (folder / "docs" / name).read_bytes().decode("utf-8", errors="replace"), places)
        for name, places in labels.items()
    ]
