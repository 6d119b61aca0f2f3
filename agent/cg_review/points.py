"""The nine verification points, loaded from `rules/points` (and a user's own folders laid over it).

A point is data: its question, what fails and passes with examples, and the patterns of the embedded reviewer. Unknown
keys are refused, so that a typo in a rule file is an error and not a silence.
"""

from __future__ import annotations

import hashlib
import string
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from cg_review import resources
from cg_review.errors import InputError
from cg_review.findings import Severity
from cg_review.rule_files import (
    POINTS,
    RuleModel,
    check_template,
    extends,
    more_words,
    own_files,
    read_rules,
    validated,
)

_READ = (".yaml", ".json")
_FORM = (": ", " / ", "/", "\\")
"""What parts an entry of a vocabulary that holds more than words: `attributes`, `rates`, `antonyms`, expressions."""
ALL_POINTS = tuple(range(1, 10))

PASTED = frozenset({"sentence", "body", "stop", "marker", "rewritten", "own_date"})
"""What a text to paste can name: the sentence; its parts before and behind the place of a marker; the point's marker;
the sentence with the small rewrite of markers.yaml; the document's own date."""


def names_in(template: str) -> frozenset[str]:
    """The names of `PASTED` that a template uses. Raises ValueError where its braces do not pair."""
    return PASTED & {name for _, name, _, _ in string.Formatter().parse(template) if name}


def _checked(template: str) -> str:
    """A text to paste, whose names are all of `PASTED`. Raises ValueError."""
    check_template(template, PASTED)
    return template


class Example(RuleModel):
    """A text that must or must not give a finding of its point.

    `text` is a Markdown document; `why` says what decides it. `quote` is the part that is found (default: the text).
    """

    text: str
    why: str = ""
    quote: str | None = None
    today: str = "2026-11-30"

    @field_validator("today")
    @classmethod
    def _is_a_day(cls, today: str) -> str:
        date.fromisoformat(today)
        return today


class Pattern(RuleModel):
    """A pattern of the embedded reviewer, matched on the plain reading of a segment.

    `match` is a regular expression, `unless` are expressions that silence it in the same segment; both see the plain
    text in lower case (unless `case_sensitive`), and `\\L<name>` stands for the point's words of that name. `needs`,
    `excluded_by` and `despite` name traits (rules/traits.yaml): all must hold, none may hold, and those of the point's
    `silent_on` that do not silence this pattern. `reason` and `fix` may use `{match}` and the match's named groups. A
    `fix` with a name of `PASTED` is a text to paste, tried before the point's; one without is advice.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9][\w-]*$")
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
    fix: str = ""  # as a pattern's

    @field_validator("reason")
    @classmethod
    def _uses_only_seen(cls, reason: str) -> str:
        check_template(reason, {"seen"})
        return reason

    @field_validator("fix")
    @classmethod
    def _names_what_there_is(cls, fix: str) -> str:
        return _checked(fix)


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
    fix: str  # advice: what settles it at best
    paste: tuple[str, ...] = ()  # texts for the place of a finding, best first, in the names of `PASTED`
    caption: str = ""  # the line to put above a table
    kinds: dict[str, str] = Field(default_factory=dict)  # sub-type -> where to check it
    claim: Literal["always", "when it carries a figure, a date or a name"]
    silent_on: tuple[str, ...] = ()  # traits of a sentence that silence the point there
    patterns: tuple[Pattern, ...] = ()
    wording: Wording | None = None  # the points that a sentence's wording can show
    words: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # vocabularies of its detector

    @field_validator("patterns")
    @classmethod
    def _have_ids_of_their_own(cls, patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        if twice := _first_twice(pattern.id for pattern in patterns):
            raise ValueError(f"{twice}: two patterns have this id; give one another")
        return patterns

    @field_validator("paste")
    @classmethod
    def _names_what_there_is(cls, paste: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_checked, paste))


class Extension(RuleModel):
    """What a file of a user's own changes in a point; all else stays as it is shipped.

    `patterns` are new ones, `replace` are taken for those of the same id, `remove` switches off by id. `words` are added
    to the point's vocabularies (or make one, for the file's own patterns), `fails` and `passes` to its examples.
    """

    extends: int = Field(ge=1, le=9)
    patterns: tuple[Pattern, ...] = ()
    replace: tuple[Pattern, ...] = ()
    remove: tuple[str, ...] = ()
    words: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    fails: tuple[Example, ...] = ()
    passes: tuple[Example, ...] = ()


@dataclass(frozen=True)
class RulesInForce:
    """The nine points in order, and what of them is a user's own.

    `own` are the patterns that are not the shipped ones, by point and id, with the file of each; those of them that find
    something else, or are sure of it otherwise, are `unweighed`: no weight knows what they are worth. `off` are the
    shipped points with only those of their patterns that are in force no more: removed, or replaced by such.
    """

    points: tuple[Point, ...]
    own: Mapping[tuple[int, str], Path]
    unweighed: frozenset[tuple[int, str]]
    off: tuple[Point, ...]


# -- loading -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def rules_in_force(overlays: tuple[Path, ...] = ()) -> RulesInForce:
    """The shipped points with a user's folders laid over them, one after the other.

    In a folder's `points/`, a file that `extends` a point changes that one, any other replaces the shipped file of its
    name. Raises InputError, with file and rule, where something is wrong.
    """
    shipped = {point.id: point for point in _shipped()}
    points, files = dict(shipped), dict[tuple[int, str], Path]()
    for folder in overlays:
        read = [(path, read_rules(path)) for path in own_files(folder) if path.parent.name == POINTS]
        for path, data in sorted(read, key=lambda one: extends(one[1])):  # whole files first
            point = _extended(points, path, data) if extends(data) else _whole(shipped, path, data)
            _check_forms(shipped[point.id], point, path)
            before = points[point.id].patterns
            files |= {(point.id, one.id): path for one in point.patterns if one not in before}
            points[point.id] = point
    return _compared(shipped, points, files)


def _compared(
    shipped: Mapping[int, Point], points: Mapping[int, Point], files: Mapping[tuple[int, str], Path]
) -> RulesInForce:
    """What of the points is not as it is shipped."""
    before = {(number, one.id): one for number in shipped for one in shipped[number].patterns}
    after = {(number, one.id): one for number in points for one in points[number].patterns}
    own = {key: files[key] for key, one in after.items() if one != before.get(key)}
    unweighed = frozenset(
        key for key in own if key not in before or not _finds_alike(after[key], before[key])
    )
    still = after.keys() - unweighed
    off = [
        point.model_copy(
            update={"patterns": tuple(one for one in point.patterns if (point.id, one.id) not in still)}
        )
        for point in shipped.values()
    ]
    return RulesInForce(
        tuple(points.values()), own, unweighed, tuple(point for point in off if point.patterns)
    )


def load_points(overlays: tuple[Path, ...] = ()) -> tuple[Point, ...]:
    """All nine points in order, as `rules_in_force` has them. Raises InputError as it does."""
    return rules_in_force(overlays).points


def _shipped() -> list[Point]:
    files = [resources.find("rules", name) for name in resources.names("rules", POINTS, ".yaml")]
    points = sorted((validated(Point, read_rules(path), path) for path in files), key=lambda point: point.id)
    if [point.id for point in points] != list(ALL_POINTS):
        raise InputError(
            f"rules/points: expected points 1 to 9 once each, found {[point.id for point in points]}"
        )
    return points


def _finds_alike(one: Pattern, other: Pattern) -> bool:
    """Whether two patterns find the same and are as sure of it, whatever they say of it."""
    said: dict[str, Any] = {"reason": "", "fix": "", "fires": (), "silent": ()}
    return one.model_copy(update=said) == other.model_copy(update=said)


# -- a user's own files ------------------------------------------------------------------------------------------------


def _whole(shipped: Mapping[int, Point], path: Path, data: Any) -> Point:
    names = {f"{point.id}-{point.slug}.yaml": point.id for point in shipped.values()}
    if path.name not in names:
        raise InputError(
            f"{path}: say which point it changes (`extends: 1` to 9), or give it the name of the shipped file that it replaces"
        )
    point = validated(Point, data, path)
    if point.id != names[path.name]:
        raise InputError(f"{path}: id: {point.id}: the file of this name is that of point {names[path.name]}")
    # a file made for an earlier version may lack a vocabulary that the program has come to read
    return point.model_copy(update={"words": shipped[point.id].words | point.words})


def _extended(points: Mapping[int, Point], path: Path, data: Any) -> Point:
    extension = validated(Extension, data, path)
    point = points[extension.extends]
    known = {pattern.id for pattern in point.patterns}
    replaced = {pattern.id: pattern for pattern in extension.replace}
    _check_ids(extension, known, path)
    patterns = [replaced.get(one.id, one) for one in point.patterns if one.id not in extension.remove]
    return point.model_copy(
        update={
            "patterns": (*patterns, *extension.patterns),
            "words": _more_words(point, extension, path),
            "fails": (*point.fails, *extension.fails),
            "passes": (*point.passes, *extension.passes),
        }
    )


def _check_ids(extension: Extension, known: set[str], path: Path) -> None:
    """Raise InputError where an id is new that should be known, known that should be new, or said twice."""
    new, replaced = ([one.id for one in patterns] for patterns in (extension.patterns, extension.replace))
    if twice := _first_twice([*new, *replaced, *extension.remove]):
        raise InputError(f"{path}: {twice}: stands in the file twice; say one thing of it")
    number = extension.extends
    for key, ids in (("replace", replaced), ("remove", extension.remove)):
        for unknown in (one for one in ids if one not in known):
            raise InputError(
                f"{path}: {key}: {unknown!r}: point {number} has no such pattern; `cg-review explain {number}` lists them"
            )
    for taken in (one for one in new if one in known):
        raise InputError(
            f"{path}: patterns: {taken}: point {number} has a pattern of this id; put yours under `replace` to replace it, "
            "or give it another"
        )
    if not extension.model_fields_set - {"extends"}:
        raise InputError(
            f"{path}: changes nothing; give it patterns, replace, remove, words, fails or passes"
        )


def _more_words(point: Point, extension: Extension, path: Path) -> dict[str, tuple[str, ...]]:
    words = dict(point.words)
    expressions = [e for one in (*extension.patterns, *extension.replace) for e in (one.match, *one.unless)]
    for name, added in extension.words.items():
        if name not in words and not any(f"\\L<{name}>" in expression for expression in expressions):
            raise InputError(
                f"{path}: words: {name}: point {point.id} has no such vocabulary, and no pattern here uses it; "
                f"there are {', '.join(point.words) or 'none'}"
            )
        known = words.get(name, ())
        plain = bool(known) and not any("\\" in entry for entry in known)  # not expressions
        words[name] = more_words(path, name, known, added, lower=plain)
    return words


def _check_forms(shipped: Point, point: Point, path: Path) -> None:
    """Raise InputError where an entry has not the form that the code takes its vocabulary's entries apart by."""
    for name, entries in shipped.words.items():
        forms = {_form_of(entry) for entry in entries}
        if len(forms) > 1 or not any(next(iter(forms), ())):
            continue
        for entry in point.words[name]:
            if _form_of(entry) not in forms:
                raise InputError(
                    f"{path}: words: {name}: {entry!r}: has not the form of the others, such as {entries[0]!r}"
                )


def _form_of(entry: str) -> tuple[int, ...]:
    return tuple(min(entry.count(sign), 1) if sign == "\\" else entry.count(sign) for sign in _FORM)


def _first_twice(ids: Iterable[str]) -> str | None:
    return next((one for one, times in Counter(ids).items() if times > 1), None)


# -- identity ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def rules_hash(overlays: tuple[Path, ...] = ()) -> str:
    """SHA-256 over names and bytes of all rule files, shipped and laid over them, in order: a result can be traced to them."""
    names = [
        n for folder in (POINTS, ".") for suffix in _READ for n in resources.names("rules", folder, suffix)
    ]
    read = [(name, resources.find("rules", name)) for name in names]
    for number, folder in enumerate(overlays, 1):
        read += [(f"{number}:{path.relative_to(folder)}", path) for path in own_files(folder)]
    digest = hashlib.sha256()
    for name, path in read:
        digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
