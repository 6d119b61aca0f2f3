"""The command line, called as people call it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cg_review.batch_api.records import Record, Records
from cg_review.cli import main
from scripted_batches import ScriptedBatches
from scripted_server import ScriptedServer

DOCUMENTS = {
    "a.md": "# Plan\n\nRevenue will be $9M by 2027.\n",
    "b/c.md": "# Service\n\nPrices start at $4 per month.\n",
}


def call(*arguments: str) -> int:
    """Run a command; its exit code."""
    try:
        main(list(arguments))
    except SystemExit as ended:
        return int(ended.code or 0)
    raise AssertionError("main always exits")


def records(folder: Path) -> list[Record]:
    """What the project knows of its batches."""
    return Records(folder / ".cg-review").all()


@dataclass
class Vendor:
    """A vendor on this machine."""

    server: ScriptedServer
    batches: ScriptedBatches

    @property
    def reading(self) -> list[str]:
        """The options that have it read."""
        server = self.server
        return [
            *("--model", f"{server.protocol}:scripted", "--base-url", server.base_url),
            *("--api-key-env", "TEST_KEY", "--window", "32000"),
        ]

    def review(self, *more: str, output: str = "out", day: str = "2026-11-30") -> int:
        """Review the folder `docs` into `output`."""
        return call("docs", "-o", output, *self.reading, "--today", day, *more)
