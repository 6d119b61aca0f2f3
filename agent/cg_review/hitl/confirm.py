"""A session in the terminal: Round A as a quick list, Round B claim by claim; every answer is saved as it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from cg_review.errors import CgReviewError
from cg_review.findings import Round
from cg_review.hitl.answers import Answer, Choice, Response
from cg_review.hitl.case import Placed
from cg_review.hitl.desk import OPEN, Desk, View, standing
from cg_review.hitl.reasons import shown
from cg_review.hitl.screen import Screen, faint, strong, warning, wrapped

PAGE = 10
"""Never more on a screen: longer lists are nodded through (POINTS, "Threats to look for")."""

_CHOICES: dict[str, Choice] = {"x": "exclude", "r": "replace", "d": "remove"}
_ENTER = ("\r", "\n")


class Quit(Exception):
    """The person leaves; everything given is saved."""


@dataclass
class Session:
    """One person at one terminal, going through documents."""

    by: str
    screen: Screen
    clock: Callable[[], datetime]
    given: int = 0
    notes: dict[str, str] = field(default_factory=dict)
    message: str = ""

    def run(self, desks: Sequence[Desk]) -> None:
        """Go through all open claims of `desks`. Raises Quit when the person leaves."""
        for number, desk in enumerate(desks, 1):
            view = desk.settle()
            if view.open:
                title = f"{desk.name} ({number} of {len(desks)})" if len(desks) > 1 else desk.name
                self.round_a(desk, title)
                self.round_b(desk, title)

    def key(self) -> str:
        """One key. Raises Quit for q, Ctrl-C and the end of input."""
        try:
            key = self.screen.key()
        except (KeyboardInterrupt, EOFError):
            raise Quit from None
        if key in ("q", "Q", "\x03", "\x04"):
            raise Quit
        return key if key in _ENTER else key.lower()

    def ask(self, prompt: str) -> str:
        """One line of text. Raises Quit where the input ends."""
        try:
            return self.screen.ask(prompt)
        except (KeyboardInterrupt, EOFError):
            raise Quit from None

    # -- Round A -------------------------------------------------------------------------------------------------------

    def round_a(self, desk: Desk, title: str) -> None:
        """Show the claims that came from a source, page by page, to be ticked."""
        seen: set[str] = set()
        while page := self.page_of(desk.view(), seen):
            seen.update(placed.claim.id for placed in page)
            ticked: set[int] = set()
            while True:
                view = desk.view()
                self.screen.show(self.page_lines(view, title, page, ticked))
                key = self.key()
                if key in _ENTER:
                    if self.save_page(desk, view, [page[number] for number in sorted(ticked)]):
                        break
                elif key == "s":
                    break
                elif key == "o":
                    number = _number(self.key(), len(page))
                    if number is not None:
                        self.one_by_one(desk, title, [page[number].claim.id])
                    break
                elif (number := _number(key, len(page))) is not None:
                    ticked ^= {number}

    def page_of(self, view: View, seen: set[str]) -> list[Placed]:
        """The next claims of Round A, as many as the screen holds, at most ten."""
        size = max(1, min(PAGE, (self.screen.size[1] - 8) // 3))
        return [p for p in view.open if p.claim.round is Round.A and p.claim.id not in seen][:size]

    def page_lines(self, view: View, title: str, page: Sequence[Placed], ticked: set[int]) -> list[str]:
        """A page of Round A."""
        width = self.screen.size[0]
        lines = [strong(title), "Round A: was the source read right? Tick what it says.", ""]
        for number, placed in enumerate(page):
            box = f" {(number + 1) % 10} [{'x' if number in ticked else ' '}] "
            lines += wrapped(placed.claim.text, width, " " * len(box), box)
            lines += [faint(line) for line in wrapped(placed.claim.source, width, " " * len(box))]
        keys = "1-9, 0 tick · Enter save the ticked as true · o and a number: open one · s skip · q quit"
        return [*lines, "", *self.told(), faint(keys)]

    def save_page(self, desk: Desk, view: View, placed: Sequence[Placed]) -> bool:
        """Save the ticked claims as true; False where they could not be, or the person thinks again."""
        if not placed:
            return True
        answers = [self.answer(one, Response.TRUE) for one in placed]
        return self.save(desk, view, answers)

    # -- Round B -------------------------------------------------------------------------------------------------------

    def round_b(self, desk: Desk, title: str) -> None:
        """Show what is still open and needs a person's own knowledge, one claim at a time."""
        self.one_by_one(desk, title, [p.claim.id for p in desk.view().open if p.claim.round is Round.B])

    def one_by_one(self, desk: Desk, title: str, ids: Sequence[str]) -> None:
        """Go through claims, forward and back."""
        index = 0
        while index < len(ids):
            view = desk.view()
            placed = view.case.by_id.get(ids[index])
            if placed is None or not view.case.pending:
                index += 1
                continue
            self.screen.show(self.card(view, title, placed, index, len(ids)))
            index = max(0, index + self.act(desk, view, placed, self.key()))

    def act(self, desk: Desk, view: View, placed: Placed, key: str) -> int:
        """Do what a key says; how far to go on: 1, 0 or -1."""
        claim = placed.claim
        if key in ("s", *_ENTER):
            return 1
        if key == "b":
            return -1
        if key == "n":
            self.notes[claim.id] = self.ask("Note:")
            return 0
        answer: Answer | None = None
        if key == "t":
            evidence = (
                ""
                if placed.is_sign_off
                else self.ask("What did you find, and where? (Enter: your word alone)")
            )
            answer = self.answer(placed, Response.TRUE, evidence=evidence)
        elif key == "e" and not placed.is_sign_off:
            answer = self.answer(placed, Response.ESTIMATED)
        elif key == "f":
            answer = self.rejection(placed)
        if answer is None:
            return 0
        return 1 if self.save(desk, view, [answer]) else 0

    def rejection(self, placed: Placed) -> Answer | None:
        """Ask what is to become of a sentence that is not true; None where the person thinks again."""
        if placed.is_sign_off:
            return self.answer(placed, Response.FALSE)
        self.screen.show(
            [
                strong("Not true. What is to become of the sentence?"),
                "",
                " x  exclude the block that holds it: nothing is lost, the document is quarantined",
                " r  put another sentence in its place",
                " d  take the sentence out",
                " b  back",
            ]
        )
        choice = _CHOICES.get(self.key())
        if choice is None:
            return None
        replacement = self.ask("The sentence to stand there instead:") if choice == "replace" else ""
        if choice == "replace" and not replacement:
            return None
        note = self.notes.get(placed.claim.id) or self.ask("Why? (a note, Enter for none)")
        return self.answer(placed, Response.FALSE, choice=choice, replacement=replacement, notes=note)

    def answer(self, placed: Placed, response: Response, **fields: str) -> Answer:
        """An answer of this person, now."""
        noted = {"notes": self.notes.get(placed.claim.id, ""), **fields}
        return Answer.model_validate(
            {"claim": placed.claim.id, "response": response, "by": self.by, "when": self.clock(), **noted}
        )

    # -- saving --------------------------------------------------------------------------------------------------------

    def save(self, desk: Desk, view: View, answers: Sequence[Answer]) -> bool:
        """Save answers; False where that failed, which the next screen says, or the person thinks again."""
        left = {placed.claim.id for placed in view.open} - {one.claim for one in answers}
        if not left and not self.ends(desk, view):
            return False
        try:
            for one in answers:
                if view.case.by_id[one.claim].claim.confirmed_by:
                    desk.reopen(one.claim)
                    view = desk.view()
            seen = {one.claim: view.state(view.case.by_id[one.claim].claim) for one in answers}
            result = desk.give(answers, seen)
        except CgReviewError as error:
            self.message = str(error)
            return False
        self.given += len(answers)
        self.message = f"Saved. {result.pending} claim(s) to go." if result.pending else ""
        return True

    def ends(self, desk: Desk, view: View) -> bool:
        """Ask before the last answer: it ends the review in this person's name."""
        self.screen.show(
            [
                strong(f"This was the last open claim of {desk.name}."),
                "",
                f"Saving this answer ends the review, signed {self.by}. It cannot be taken back from here.",
                "",
                faint("Enter end the review · b back to the claim · q quit without this answer"),
            ]
        )
        return self.key() in _ENTER

    # -- what is shown -------------------------------------------------------------------------------------------------

    def card(self, view: View, title: str, placed: Placed, index: int, count: int) -> list[str]:
        """One claim with everything to decide by."""
        width = self.screen.size[0]
        claim, context = placed.claim, shown(view.case, placed)
        rounds = "Round A: was the source read right?" if claim.round is Round.A else "Round B: is this true?"
        place = f"line {context.line}" if context.line else "the whole document"
        lines = [strong(title), f"{rounds}   {index + 1} of {count}", ""]
        lines.append(faint(" › ".join(part for part in (context.section, place) if part)))
        lines += [faint(line) for line in wrapped(context.before, width)] if context.before else []
        lines += [strong(line) for line in wrapped(context.sentence, width, "  ", "> ")]
        lines += [faint(line) for line in wrapped(context.after, width)] if context.after else []
        lines += [
            "",
            *wrapped(f"Why: {context.why}", width, ""),
            *wrapped(f"Look at: {claim.source}", width, ""),
        ]
        if note := self.notes.get(claim.id):
            lines += wrapped(f"Note: {note}", width, "")
        if view.state(claim) != OPEN:
            lines += ["", *wrapped(f"Answered: {standing(view, claim)}", width, "")]
        keys = "t true · f false · s skip · b back · n note · q quit"
        if not placed.is_sign_off:
            keys = keys.replace("f false", "f false · e keep as an estimate")
        return [*lines, "", *self.told(), faint(keys)]

    def told(self) -> list[str]:
        """The last message, once."""
        message, self.message = self.message, ""
        if not message:
            return []
        lines = wrapped(message, self.screen.size[0], "")
        return [*(lines if message.startswith("Saved") else map(warning, lines)), ""]


def _number(key: str, count: int) -> int | None:
    """The item that a digit names: 1 to 9, and 0 for the tenth."""
    if not (len(key) == 1 and key.isascii() and key.isdigit()):
        return None
    number = (int(key) - 1) % 10
    return number if number < count else None
