"""The marker vocabulary of `rules/markers.yaml`: what an annotation adds, and how it is recognised afterwards."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import Field, field_validator

from cg_review import resources
from cg_review.rule_files import RuleModel, check_template, read_rules, validated

DEFAULT_KIND = "external fact"


class PointMarker(RuleModel):
    """The marker of one point; `table` where a table gets other words, `kinds` where the words name a kind."""

    marker: str = Field(min_length=1)
    table: str | None = Field(default=None, min_length=1)
    kinds: tuple[str, ...] = ()


class WillRewrite(RuleModel):
    """Point 2: `will be` and `will` + verb."""

    will_be: str
    will_verb: str

    @field_validator("will_be", "will_verb")
    @classmethod
    def _names_what_there_is(cls, template: str) -> str:
        check_template(template, {"be", "verb"})
        return template


class VerbRewrite(RuleModel):
    """A verb in the third person -> its base form behind a hedge."""

    replace: str
    verbs: dict[str, str]

    @field_validator("replace")
    @classmethod
    def _names_what_there_is(cls, template: str) -> str:
        check_template(template, {"verb"})
        return template


class Rewrites(RuleModel):
    """The small rewrites, by point."""

    will: WillRewrite = Field(alias="2")
    causes: VerbRewrite = Field(alias="6")
    future: VerbRewrite = Field(alias="7")


class Markers(RuleModel):
    """All of `rules/markers.yaml`."""

    points: dict[int, PointMarker]
    rewrites: Rewrites
    added: frozenset[str]
    dropped: frozenset[str]
    plural: frozenset[str]
    singular: frozenset[str]

    def marker(self, point: int, kind: str = "", table: bool = False) -> str:
        """The marker of `point`; a `kind` that is not in the vocabulary gets the general word."""
        entry = self.points[point]
        if table and entry.table:
            return entry.table
        word = kind.lower().replace("_", " ")
        return entry.marker.replace("{kind}", word if word in entry.kinds else DEFAULT_KIND)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every marker that can stand in a document, longest first."""
        found: set[str] = set()
        for entry in self.points.values():
            found.update(entry.marker.replace("{kind}", kind) for kind in entry.kinds or ("",))
            if entry.table:
                found.add(entry.table)
        return tuple(sorted(found, key=lambda text: (-len(text), text)))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches any marker."""
        return re.compile("|".join(re.escape(text) for text in self.texts))


@lru_cache(maxsize=8)
def load_markers(overlays: tuple[Path, ...] = ()) -> Markers:
    """Load the markers in force. Raises InputError naming what is wrong."""
    path = resources.find("rules", "markers.yaml", overlays)
    data = read_rules(path)
    if isinstance(data, dict) and isinstance(data.get("rewrites"), dict):
        data["rewrites"] = {str(key): value for key, value in data["rewrites"].items()}
    return validated(Markers, data, path)
