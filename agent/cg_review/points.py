"""The nine verification points, loaded from `rules/points` (and a user's own folder laid over it).

A point is data: its question, what fails and passes with examples, and the patterns of the embedded reviewer. Unknown
keys are refused, so that a typo in a rule file is an error and not a silence.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cg_review import resources
from cg_review.errors import InputError
from cg_review.findings import Severity
from cg_review.rules_yaml import NotPlain, read_plain_rules

_READ = (".yaml", ".json")
ALL_POINTS = tuple(range(1, 10))


class RuleModel(BaseModel):
    """Base of everything read from `rules/`: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Example(RuleModel):
    """A text that must or must not give a finding of its point.

    `text` is a Markdown document; `why` says what decides it. `quote` is the part that is found (default: the text).
    """

    text: str
    why: str = ""
    quote: str | None = None
    today: str = "2026-11-30"


class Pattern(RuleModel):
    """A pattern of the embedded reviewer, matched on the plain reading of a segment.

    `match` is a regular expression, `unless` are expressions that silence it in the same segment; both see the plain
    text in lower case (unless `case_sensitive`), and `\\L<name>` stands for the point's words of that name. `needs`,
    `excluded_by` and `despite` name traits (rules/traits.yaml): all must hold, none may hold, and those of the point's
    `silent_on` that do not silence this pattern. `reason` and `fix` may use `{match}` and the match's named groups.
    """

    id: str
    match: str
    unless: tuple[str, ...] = ()
    on: tuple[Literal["sentence", "list_item", "heading", "table_row"], ...] = (
        "sentence",
        "list_item",
        "heading",
    )
    needs: tuple[str, ...] = ()
    excluded_by: tuple[str, ...] = ()
    despite: tuple[str, ...] = ()
    reason: str
    fix: str = ""
    kind: str = ""
    confidence: float = Field(default=0.7, ge=0, le=1)
    case_sensitive: bool = False
    fires: tuple[Example, ...] = ()
    silent: tuple[Example, ...] = ()


class Wording(RuleModel):
    """What is said of a sentence whose wording alone was found telling; `{seen}` are its telling words."""

    reason: str
    fix: str

    @field_validator("reason")
    @classmethod
    def _uses_only_seen(cls, reason: str) -> str:
        try:
            reason.format(seen="")
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"{reason!r} may use {{seen}} alone: {error}") from error
        return reason


class Point(RuleModel):
    """One of the nine questions (POINTS)."""

    id: int = Field(ge=1, le=9)
    slug: str
    title: str
    group: Literal["epistemic", "data quality", "routing"]
    question: str
    severity: Severity
    fails: tuple[Example, ...]
    passes: tuple[Example, ...]
    does_not_count: tuple[str, ...]
    fix: str
    kinds: dict[str, str] = Field(default_factory=dict)  # sub-type -> where to check it
    claim: Literal["always", "when it carries a figure, a date or a name"]
    silent_on: tuple[str, ...] = ()  # traits of a sentence that silence the point there
    patterns: tuple[Pattern, ...] = ()
    wording: Wording | None = None  # the points that a sentence's wording can show
    words: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # vocabularies of its detector


def read_rules(path: Path) -> Any:
    """Read a YAML rule file. Raises InputError with file and place when it is not YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not readable as YAML: {error}") from error
    try:
        return read_plain_rules(text)
    except NotPlain:
        return _read_any_rules(path, text)


def _read_any_rules(path: Path, text: str) -> Any:
    from ruamel.yaml import YAML  # here: the shipped rules are plain
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise InputError(f"{path}: not readable as YAML: {' '.join(str(error).split())}") from error


def load_point(path: Path) -> Point:
    """Load one point. Raises InputError naming the key that is wrong."""
    try:
        return Point.model_validate(read_rules(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {place}: {first['msg']}") from error


@lru_cache(maxsize=8)
def load_points(overlays: tuple[Path, ...] = ()) -> tuple[Point, ...]:
    """All nine points in order. A file in an overlay folder's `points/` replaces the shipped one of that name."""
    files = [
        resources.find("rules", name, overlays)
        for name in resources.names("rules", "points", ".yaml", overlays)
    ]
    points = sorted((load_point(path) for path in files), key=lambda point: point.id)
    if [point.id for point in points] != list(ALL_POINTS):
        raise InputError(
            f"rules/points: expected points 1 to 9 once each, found {[point.id for point in points]}"
        )
    return tuple(points)


@lru_cache(maxsize=8)
def rules_hash(overlays: tuple[Path, ...] = ()) -> str:
    """SHA-256 over names and bytes of all rule files in force, as they were loaded: a result can be traced to them."""
    digest = hashlib.sha256()
    for folder in ("points", "."):
        for name in [n for suffix in _READ for n in resources.names("rules", folder, suffix, overlays)]:
            digest.update(
                name.encode() + b"\0" + resources.find("rules", name, overlays).read_bytes() + b"\0"
            )
    return digest.hexdigest()
