"""The model reviewer: prompted passes over a document, sharing one prefix, each grounded in what the document says."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from cg_review.document import Document
from cg_review.findings import RawFinding
from cg_review.grounding import Anchored, fold, ground
from cg_review.points import Point
from cg_review.reviewers import Found, PassFailed, PassResult, Usage
from cg_review.reviewers.answers import PassAnswer, to_raw
from cg_review.reviewers.desk import WHOLE_DOCUMENT_POINTS, Asker, CallFailed, Desk, Reply
from cg_review.reviewers.parts import Part
from cg_review.reviewers.prompts import Prompt

_HALVINGS = 2  # how often a part is halved at most: a model that never stops must not multiply the cost
_NOT_DONE = "the model said that it had not looked at every segment"


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one point over one part. `failed` is the reason, where it failed."""

    point: int
    part: Part
    findings: tuple[RawFinding, ...] = ()
    usage: Usage = field(default_factory=Usage)
    failed: str | None = None
    fatal: bool = False


class ModelReviewer:
    """Asks a model the points. For each part of a document the first request warms the cache, then the others follow."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.name = desk.settings.model

    @property
    def fingerprint(self) -> str:
        """Whose answers these are."""
        return f"{self.name} {self.desk.fingerprint}"

    async def run(self, point: int, document: Document, today: date) -> PassResult:
        """Ask one point."""
        return (await self.run_all([point], document, today))[0]

    async def run_all(self, points: Sequence[int], document: Document, today: date) -> tuple[PassResult, ...]:
        """Ask the points; a pass that failed anywhere is a PassFailed with what was found elsewhere."""
        asked = [point for point in self.desk.points if point.id in points]
        async with self.desk.open() as asker:
            groups = [read_part(asker, part, asked, today) for part in self.desk.parts(document)]
            wide = [point for point in asked if point.id in WHOLE_DOCUMENT_POINTS]
            if len(groups) > 1 and wide:
                groups += [read_part(asker, part, wide, today) for part in self.desk.ledgers(document)]
            readings = await _gather(groups, self.desk.settings.at_once)
        return tuple(combine(point, [r for r in readings if r.point == point]) for point in points)


async def _gather(groups: Sequence[Coroutine[None, None, list[Reading]]], at_once: int) -> list[Reading]:
    """Part after part where requests go one at a time (a local server's cache holds one part), else together."""
    if at_once == 1:
        return [reading for group in groups for reading in await group]
    return [reading for readings in await asyncio.gather(*groups) for reading in readings]


async def read_part(asker: Asker, part: Part, points: Sequence[Point], today: date) -> list[Reading]:
    """One reading a point. Requests go one by one until one has reached the server and warmed its cache."""
    prompts = asker.desk.prompts.passes(part, points, today)
    readings: list[Reading] = []
    waiting = list(points)
    while waiting and not any(reading.usage.requests for reading in readings):
        point = waiting.pop(0)
        readings.append(await read_point(asker, part, point, prompts[point.id], today))
        if readings[-1].fatal:
            break
    if readings and readings[-1].fatal:
        return readings + [replace(readings[-1], point=point.id, usage=Usage()) for point in waiting]
    if asker.desk.settings.at_once == 1:
        return readings + [
            await read_point(asker, part, point, prompts[point.id], today) for point in waiting
        ]
    rest = [read_point(asker, part, point, prompts[point.id], today) for point in waiting]
    return readings + list(await asyncio.gather(*rest))


async def read_point(
    asker: Asker, part: Part, point: Point, prompt: Prompt, today: date, halvings: int = _HALVINGS
) -> Reading:
    """Ask one point over one part, and once more for quotes that are not there.

    An answer that was cut is no answer; a long part is then asked again in halves, whose answers are shorter.
    """
    try:
        reply = await asker.ask(prompt, PassAnswer)
    except CallFailed as failure:
        failed = Reading(point.id, part, usage=failure.usage, failed=failure.reason, fatal=failure.fatal)
        halves = asker.desk.halves(part) if failure.cut and halvings else None
        return await _read_halves(asker, halves, point, today, failed, halvings - 1) if halves else failed
    findings, usage, unasked = await _quote_again(asker, part, point, prompt, reply)
    not_done = None if reply.answer.nothing_else else _NOT_DONE
    return Reading(point.id, part, findings, usage, unasked or not_done)


async def _read_halves(
    asker: Asker, halves: tuple[Part, Part], point: Point, today: date, whole: Reading, halvings: int
) -> Reading:
    """The reading of a part from those of its halves; it failed where one of them did."""
    prompts = [asker.desk.prompts.passes(half, [point], today)[point.id] for half in halves]
    readings = [
        await read_point(asker, half, point, prompt, today, halvings)
        for half, prompt in zip(halves, prompts, strict=True)
    ]
    return replace(
        whole,
        findings=tuple(finding for reading in readings for finding in reading.findings),
        usage=sum((reading.usage for reading in readings), whole.usage),
        failed=next((reading.failed for reading in readings if reading.failed), None),
    )


async def _quote_again(
    asker: Asker, part: Part, point: Point, prompt: Prompt, reply: Reply[PassAnswer]
) -> tuple[tuple[RawFinding, ...], Usage, str | None]:
    """Have findings that cannot be anchored quoted again, once. What then still cannot stays as it is, to be listed.

    The third is why the pass is not done, where a batch has still to be asked.
    """
    findings = to_raw(reply.answer, point, part)
    loose = [finding for finding in findings if not is_anchored(part.document, finding)]
    if not loose:
        return findings, reply.usage, None
    question = f"{prompt.question}\n{asker.desk.prompts.reask(part, loose)}"
    try:
        second = await asker.ask(replace(prompt, question=question), PassAnswer)
    except CallFailed as failure:
        return findings, reply.usage + failure.usage, failure.reason if failure.unasked else None
    quoted = [raw for raw in to_raw(second.answer, point, part) if is_anchored(part.document, raw)]
    quoted = quoted[: len(loose)]  # a re-ask is for these findings, not for new ones
    kept = [finding for finding in findings if finding not in loose]
    return (*kept, *quoted, *_still_loose(loose, quoted)), reply.usage + second.usage, None


def _still_loose(loose: Sequence[RawFinding], quoted: Sequence[RawFinding]) -> Sequence[RawFinding]:
    """Those that no answer of the re-ask stands for: all were answered, or one in the same segment was."""
    if len(quoted) == len(loose):
        return []
    segments = {finding.segment for finding in quoted}
    return [finding for finding in loose if finding.segment not in segments]


def is_anchored(document: Document, finding: RawFinding) -> bool:
    """Whether the finding's quote stands in its segment, in one place."""
    return isinstance(ground(document, finding), Anchored)


def combine(point: int, readings: Sequence[Reading]) -> PassResult:
    """One result from the readings of all parts, findings in the order of the document's parts."""
    usage = sum((reading.usage for reading in readings), Usage())
    findings = tuple(_distinct(finding for reading in readings for finding in reading.findings))
    failures = [_place(reading) + reading.failed for reading in readings if reading.failed]
    if failures or not readings:
        reason = "; ".join(dict.fromkeys(failures)) or f"there is no point {point}"
        return PassFailed(point, reason, usage, findings)
    return Found(point, findings, usage)


def _place(reading: Reading) -> str:
    if reading.part.ledger:
        return "over the facts of the whole document: "
    return f"part {reading.part.number} of {reading.part.of}: " if reading.part.of > 1 else ""


def _distinct(findings: Iterable[RawFinding]) -> Iterable[RawFinding]:
    """Without what two parts, or a part and the ledger, both gave."""
    seen = set()
    for finding in findings:
        key = (finding.segment, fold(finding.quote))
        if key not in seen:
            seen.add(key)
            yield finding
