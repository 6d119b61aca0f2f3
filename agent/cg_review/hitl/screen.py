"""The terminal as `confirm` uses it: lines out, keys and lines in. A test gives a scripted one."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import Protocol

import click

from cg_review.hitl.answers import inert_line


class Screen(Protocol):
    """What a session needs of a terminal."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        ...

    def show(self, lines: list[str]) -> None:
        """Clear the screen and show lines, which are styled and wrapped already."""
        ...

    def key(self) -> str:
        """Wait for one key; "\\r" for Enter, "\\x1b" for Escape. Raises KeyboardInterrupt, EOFError."""
        ...

    def ask(self, prompt: str) -> str:
        """Ask for a line of text; "" where none is given."""
        ...


class Terminal:
    """The real one."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows; at most 100 columns are used, for the sake of the eyes."""
        columns, rows = shutil.get_terminal_size()
        return min(columns, 100), rows

    def show(self, lines: list[str]) -> None:
        """Clear the screen and show `lines`."""
        click.clear()
        click.echo("\n".join(lines), color=False if os.environ.get("NO_COLOR") else None)

    def key(self) -> str:
        """One key."""
        sys.stdout.flush()
        return click.getchar()

    def ask(self, prompt: str) -> str:
        """One line, edited as the terminal does."""
        import contextlib

        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (gives `input` its line editing)
        return inert_line(input(f"{prompt} "))


def wrapped(text: str, width: int, indent: str = "  ", first: str | None = None) -> list[str]:
    """Text from a document as lines: nothing in it can move the cursor."""
    lead = indent if first is None else first
    flat = inert_line(text)
    return textwrap.wrap(
        flat, max(20, width - 1), initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False
    ) or [lead.rstrip()]


def strong(text: str) -> str:
    """Text that stands out."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Text in the background."""
    return click.style(text, dim=True)


def warning(text: str) -> str:
    """Text that tells of a problem."""
    return click.style(text, fg="red")
