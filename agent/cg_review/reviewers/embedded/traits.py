"""What a sentence or a document is, from its words: hedged, sourced, a question, a proposal … (rules/traits.yaml)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from cg_review import resources
from cg_review.errors import InputError
from cg_review.points import RuleModel, read_rules
from cg_review.reviewers.embedded.matching import Matcher, compile_matcher
from cg_review.reviewers.embedded.prefilter import Prefilter


class SegmentTrait(RuleModel):
    """A trait of a sentence. `computed` ones have no words: the analysis finds them."""

    id: str
    scope: Literal["clause", "sentence"] = "sentence"
    about: str
    words: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    computed: bool = False


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


class TraitRules(RuleModel):
    """rules/traits.yaml."""

    segments: tuple[SegmentTrait, ...] = Field(min_length=1)
    documents: tuple[DocumentTrait, ...] = Field(min_length=1)


class Traits:
    """The compiled traits."""

    def __init__(self, rules: TraitRules, timeout: float | None) -> None:
        words = {trait.id: trait.words for trait in rules.segments}
        self.clause_scoped = frozenset(trait.id for trait in rules.segments if trait.scope == "clause")
        self.names_of_segments = frozenset(trait.id for trait in rules.segments)
        self.cues: list[tuple[str, Matcher]] = []
        expressions = [
            (trait.id, expression)
            for trait in rules.segments
            for expression in ([rf"\b\L<{trait.id}>\b"] if trait.words else []) + list(trait.match)
        ]
        for name, expression in expressions:
            matcher = compile_matcher(expression, words, timeout, f"traits.yaml: {name}")
            self.cues.append((name, matcher))
        self.prefilter = Prefilter([(i, expression, words) for i, (_, expression) in enumerate(expressions)])
        self.document = {
            trait.id: tuple(
                compile_matcher(expression, words, timeout, f"traits.yaml: {trait.id}")
                for expression in trait.match
            )
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
def load_traits(overlays: tuple[Path, ...] = (), timeout: float | None = None) -> Traits:
    """Load `traits.yaml`, shipped or overlaid. Raises InputError naming what is wrong."""
    path = resources.find("rules", "traits.yaml", overlays)
    try:
        return Traits(TraitRules.model_validate(read_rules(path)), timeout)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
