"""What a sentence or a document is, from its words: hedged, sourced, a question, a proposal … (rules/traits.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from cg_review import resources
from cg_review.errors import InputError
from cg_review.reviewers.embedded.matching import OWN_TIMEOUT, Matcher, compile_matcher
from cg_review.reviewers.embedded.prefilter import Prefilter
from cg_review.rule_files import RuleModel, extends, more_words, own_files, read_rules, validated

NAME = "traits.yaml"


class SegmentTrait(RuleModel):
    """A trait of a sentence. `computed` ones have no words: the analysis finds them."""

    id: str
    scope: Literal["clause", "sentence"] = "sentence"
    about: str
    words: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    computed: bool = False

    @property
    def takes(self) -> tuple[str, ...]:
        """What more can be given to it."""
        return () if self.computed else ("words", "match")


class DocumentTrait(RuleModel):
    """A trait of a document: from its head (title, stamps, first lines), its vocabulary, or computed.

    `per_thousand` is how many of its `words` a thousand words of text need for the trait to hold.
    """

    id: str
    about: str
    where: Literal["head", "vocabulary", "computed"]
    match: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    per_thousand: int = Field(default=20, ge=1, le=1000)

    @property
    def takes(self) -> tuple[str, ...]:
        """What more can be given to it."""
        return {"head": ("match",), "vocabulary": ("words",), "computed": ()}[self.where]


class TraitRules(RuleModel):
    """rules/traits.yaml."""

    segments: tuple[SegmentTrait, ...] = Field(min_length=1)
    documents: tuple[DocumentTrait, ...] = Field(min_length=1)


class TraitExtension(RuleModel):
    """What a user's own traits.yaml adds to the shipped traits, by their ids: words, and expressions (`match`)."""

    extends: Literal["traits"]
    words: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    match: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class Traits:
    """The compiled traits."""

    def __init__(self, rules: TraitRules, files: Mapping[tuple[str, str], Path | None]) -> None:
        """`files` has, by trait and expression, the user's file that an expression comes from; None where it is shipped."""
        words = {trait.id: trait.words for trait in rules.segments}
        self.clause_scoped = frozenset(trait.id for trait in rules.segments if trait.scope == "clause")
        self.names_of_segments = frozenset(trait.id for trait in rules.segments)
        self.cues: list[tuple[str, Matcher]] = []
        expressions = [
            (trait.id, expression)
            for trait in rules.segments
            for expression in ([rf"\b\L<{trait.id}>\b"] if trait.words else []) + list(trait.match)
        ]

        def matcher(name: str, expression: str) -> Matcher:
            file = files.get((name, expression))
            timeout = OWN_TIMEOUT if file else None
            return compile_matcher(expression, words, timeout, f"{file or NAME}: {name}")

        for name, expression in expressions:
            self.cues.append((name, matcher(name, expression)))
        self.prefilter = Prefilter([(i, expression, words) for i, (_, expression) in enumerate(expressions)])
        self.document = {
            trait.id: tuple(matcher(trait.id, expression) for expression in trait.match)
            for trait in rules.documents
        }
        self.vocabularies = {
            trait.id: (trait.words, trait.per_thousand) for trait in rules.documents if trait.words
        }

    def cues_for(self, keys: frozenset[str]) -> dict[str, list[Matcher]]:
        """The matchers of each trait that a sentence with these keys can have."""
        found: dict[str, list[Matcher]] = {}
        for index in self.prefilter.candidates(keys):
            name, matcher = self.cues[index]
            found.setdefault(name, []).append(matcher)
        return found

    @property
    def names(self) -> frozenset[str]:
        """Every name that a point or a pattern may use."""
        return self.names_of_segments | frozenset(self.document)


@lru_cache(maxsize=8)
def load_traits(overlays: tuple[Path, ...] = ()) -> Traits:
    """The shipped traits with the `traits.yaml` of a user's folders laid over them, one after the other.

    Raises InputError naming what is wrong.
    """
    path = resources.find("rules", NAME)
    rules = validated(TraitRules, read_rules(path), path)
    files = dict.fromkeys(_expressions(rules))
    for folder in overlays:
        if (path := folder / NAME) in own_files(folder):
            data = read_rules(path)
            rules = _extended(rules, path, data) if extends(data) else validated(TraitRules, data, path)
            files = dict.fromkeys(_expressions(rules), path) | files
    return Traits(rules, files)


def _traits(rules: TraitRules) -> tuple[SegmentTrait | DocumentTrait, ...]:
    return (*rules.segments, *rules.documents)


def _expressions(rules: TraitRules) -> list[tuple[str, str]]:
    return [(trait.id, expression) for trait in _traits(rules) for expression in trait.match]


def _extended(rules: TraitRules, path: Path, data: Any) -> TraitRules:
    extension = validated(TraitExtension, data, path)
    _check_ids(rules, extension, path)

    def more(trait: SegmentTrait | DocumentTrait) -> dict[str, Any]:
        words = more_words(path, trait.id, trait.words, extension.words.get(trait.id, ()))
        expressions = (*trait.match, *extension.match.get(trait.id, ()))
        return {"words": type(trait.words)(words), "match": expressions}

    return TraitRules(
        segments=tuple(one.model_copy(update=more(one)) for one in rules.segments),
        documents=tuple(one.model_copy(update=more(one)) for one in rules.documents),
    )


def _check_ids(rules: TraitRules, extension: TraitExtension, path: Path) -> None:
    """Raise InputError where a trait is none, or has no use for what is added."""
    traits = {trait.id: trait for trait in _traits(rules)}
    added = [("words", name) for name in extension.words] + [("match", name) for name in extension.match]
    for key, name in added:
        if name not in traits:
            raise InputError(f"{path}: {key}: {name!r}: no such trait; there are {', '.join(traits)}")
        if key not in traits[name].takes:
            raise InputError(f"{path}: {key}: {name}: the program finds this trait without {key}")
    if not added:
        raise InputError(f"{path}: changes nothing; give it words or match")
