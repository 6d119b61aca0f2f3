"""One document on disk and the people who answer it: lock, read, answer, log, write. Every way in works through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cg_review.cgd.hashing import stored_hash
from cg_review.errors import CgReviewError, InputError
from cg_review.files import CGD_SUFFIX, cgd_name, is_cgd_name, read_bytes, write_text
from cg_review.findings import Claim
from cg_review.hitl import audit
from cg_review.hitl.answering import Answered, Was, answer
from cg_review.hitl.answers import Answer
from cg_review.hitl.case import Case, Placed, read_case
from cg_review.hitl.lock import locked
from cg_review.hitl.reopening import take_back
from cg_review.project import DRAFTS, document_name, draft_path, state_folder

OPEN = "open"


class AnswerConflict(CgReviewError):
    """Somebody else answered in the meantime; nothing was overwritten."""

    exit_code = 1


@dataclass(frozen=True)
class View:
    """A document as it is now: its claims, and the `false` answers that wait for the last one."""

    case: Case
    held: dict[str, Answer]
    hash: str
    is_draft: bool

    @property
    def open(self) -> tuple[Placed, ...]:
        """The claims that nobody has answered."""
        return tuple(placed for placed in self.case.pending if placed.claim.id not in self.held)

    @property
    def is_due(self) -> bool:
        """Whether every claim is answered and the document isn't written: a kill came between log and document."""
        return (
            bool(self.case.pending)
            and not self.open
            and not any(one.is_sign_off for one in self.case.pending)
        )

    def state(self, claim: Claim) -> str:
        """Names how a claim stands, so that a page can tell whether it still shows the truth."""
        if claim.confirmed_by:
            return f"{claim.confirmed_by}|{claim.confirmed_date}|{claim.source}"
        return self.held[claim.id].digest if claim.id in self.held else OPEN


class Desk:
    """The desk for one document. `path` is its CGD, or the source of one that cannot be written yet (FORMAT 12.9)."""

    def __init__(self, path: Path, via: str) -> None:
        self.path = path if is_cgd_name(path) else path.with_name(cgd_name(path.name))
        self.via = via
        self.state = state_folder(self.path)
        self.log = self.state / audit.LOG
        self.document = document_name(self.path)

    @property
    def name(self) -> str:
        """The document's file name."""
        return self.path.name

    @property
    def draft(self) -> Path:
        """Where the draft of a document is kept whose CGD cannot be written yet."""
        return draft_path(self.path)

    def view(self) -> View:
        """Read the document and its held answers. Raises InputError, DocumentRefused."""
        is_draft = not self.path.exists() and self.draft.exists()
        source = self.draft if is_draft else self.path
        try:
            text = read_bytes(source).decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{source}: not UTF-8 (byte {error.start})") from error
        case = read_case(text, self.name)
        records = audit.of_document(audit.read_log(self.log), self.document)
        held = audit.held_answers(records, [placed.claim for placed in case.pending])
        return View(case, held, stored_hash(text) or "", is_draft)

    def give(self, answers: Sequence[Answer], seen: Mapping[str, str] | None = None) -> Answered:
        """Apply answers to the document and write it; nothing is written where one of them fails.

        `seen` tells for claims how they stood when the person looked; another state is an AnswerConflict.
        """
        with locked(self.state):
            view = self.view()
            self._refuse_conflict(view, seen or {})
            result = self._answered(view, answers)
            self._write(view, result, answers)
        return result

    def settle(self) -> View:
        """The document as it is now, after writing what the log promised and a kill prevented."""
        with locked(self.state):
            view = self.view()
            if not view.is_due:
                return view
            self.give(list(view.held.values()))
            return self.view()

    def dry_run(self, answers: Sequence[Answer]) -> Answered:
        """What `give` would do. Raises what it would raise."""
        return self._answered(self.view(), answers)

    def reopen(self, claim: str) -> None:
        """Take a confirmation back that this log knows of. Raises InputError where it doesn't, or the review has ended."""
        with locked(self.state):
            view = self.view()
            records = audit.of_document(audit.read_log(self.log), self.document)
            known = [r for r in records if r.get("claim") == claim and r.get("was")]
            if not known:
                raise InputError(
                    f"{self.name}: {claim} was not confirmed here; edit the document and review it again"
                )
            given = audit.read_answer(known[-1])
            text = take_back(view.case, claim, Was(**known[-1]["was"]))
            undone = given.model_copy(update={"response": None})
            record = audit.answer_record(
                self.document,
                undone,
                view.case.by_id[claim].claim,
                view.hash,
                stored_hash(text) or "",
                self.via,
            )
            audit.append(self.log, [record])
            write_text(self.draft if view.is_draft else self.path, text)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _answered(self, view: View, answers: Sequence[Answer]) -> Answered:
        given = {one.claim: one for one in answers}
        earlier = [one for id_, one in view.held.items() if id_ not in given]
        today = max(one.when for one in answers).date()
        return answer(
            view.case.text, [*earlier, *answers], name=self.name, today=today, valid=not view.is_draft
        )

    def _write(self, view: View, result: Answered, answers: Sequence[Answer]) -> None:
        """The log first, the document then: a kill between the two leaves a record that the next run finds again."""
        after = stored_hash(result.text) or ""
        known = {record.get("id") for record in audit.read_log(self.log)}
        records = [
            audit.answer_record(
                self.document,
                one,
                view.case.by_id[one.claim].claim,
                view.hash,
                after,
                self.via,
                result.was[one.claim].model_dump() if one.claim in result.was else None,
            )
            for one in answers
            if view.held.get(one.claim) != one
        ]
        audit.append(self.log, [record for record in records if record["id"] not in known])
        if view.is_draft and result.is_finished:
            write_text(self.path, result.text)
            self.draft.unlink(missing_ok=True)
        elif result.text != view.case.text:
            write_text(self.draft if view.is_draft else self.path, result.text)

    def _refuse_conflict(self, view: View, seen: Mapping[str, str]) -> None:
        for id_, state in seen.items():
            placed = view.case.by_id.get(id_)
            if placed is None:
                raise AnswerConflict(f"not saved: {id_} is not in {self.name} any more")
            if view.state(placed.claim) != state:
                now = standing(view, placed.claim)
                raise AnswerConflict(
                    f"not saved, for it was answered in the meantime: “{placed.claim.text}” is {now}"
                )


def standing(view: View, claim: Claim) -> str:
    """How a claim stands, in words."""
    if claim.confirmed_by:
        return f"confirmed by {claim.confirmed_by} on {claim.confirmed_date} ({claim.source})"
    if claim.id in view.held:
        held = view.held[claim.id]
        return f"answered as not true by {held.by} on {held.day}; written with the last answer"
    return "not answered"


def find_desks(paths: Sequence[Path], via: str) -> list[Desk]:
    """The desks that `paths` name: CGDs, sources with a CGD or a draft, and the CGDs and drafts of folders.

    Raises InputError for a path that does not exist, and for one without a CGD.
    """
    found: dict[Path, Desk] = {}
    for path in paths:
        if not path.exists() and not draft_path(path).exists():
            raise InputError(f"{path}: no such file or folder")
        inside = _inside(path) if path.is_dir() else [path]
        if not inside:
            raise InputError(f"{path}: no {CGD_SUFFIX} documents in this folder")
        for one in inside:
            desk = Desk(one, via)
            if not desk.path.exists() and not desk.draft.exists():
                raise InputError(f"{one}: has no Clarity-Gated Document yet; run `cg-review {one}` first")
            found[desk.path] = desk
    return list(found.values())


def _inside(folder: Path) -> list[Path]:
    documents = [
        path
        for path in sorted(folder.rglob("*" + CGD_SUFFIX))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    drafts = state_folder(folder) / DRAFTS
    root = state_folder(folder).parent
    kept = [root / path.relative_to(drafts) for path in sorted(drafts.rglob("*" + CGD_SUFFIX))]
    return sorted({*documents, *(path for path in kept if path.is_relative_to(folder.resolve()))})
