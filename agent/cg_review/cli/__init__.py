"""The command line: one module a command, no logic; a command's module is imported when it is used."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import click

from cg_review import __version__
from cg_review.config import load_config
from cg_review.errors import CgReviewError

# name: (module, one line of help). Help stands here so that `--help` imports no command.
COMMANDS: dict[str, tuple[str, str]] = {
    "review": (
        "cg_review.cli.review",
        "Review documents and write Clarity-Gated Documents (the default command).",
    ),
    "validate": ("cg_review.cli.validate", "Check documents against the format, every fault at once."),
    "check": ("cg_review.cli.check", "The ingestion gate: may these documents be ingested?"),
    "status": ("cg_review.cli.status", "Show the state of documents in a table."),
    "fix": ("cg_review.cli.fix", "Write the computed fields, and nothing else."),
    "hash": ("cg_review.cli.hash", "Compute, verify or write a document's hash."),
    "confirm": ("cg_review.cli.confirm", "Answer the claims of documents, in the terminal."),
    "queue": ("cg_review.cli.queue", "Write the claims that await answers into a file to fill in."),
    "apply": ("cg_review.cli.apply", "Write the answers of a filled-in queue into their documents."),
    "serve": ("cg_review.cli.serve", "Answer the claims of documents, on a local web page."),
    "audit": ("cg_review.cli.audit", "Show who answered what, and check it against the document."),
    "exclude": ("cg_review.cli.exclude", "Put an exclusion block around lines of a document."),
    "unexclude": ("cg_review.cli.unexclude", "Take an exclusion block away, and its review up again."),
    "promote": ("cg_review.cli.promote", "Make a reviewed document a Source of Truth."),
    "demote": ("cg_review.cli.demote", "Make a Source of Truth a plain document again."),
    "export": ("cg_review.cli.export", "Write a redacted or a plain copy of a document."),
    "claim-id": ("cg_review.cli.claim_id", "Compute a claim's id."),
    "diff": ("cg_review.cli.diff", "Compare the findings of two versions."),
    "explain": ("cg_review.cli.explain", "Explain a verification point or a validation code."),
    "mcp": ("cg_review.cli.mcp", "Serve reviews to an agent over stdio (Model Context Protocol)."),
    "prompts": ("cg_review.cli.prompts", "Show what a model would be asked, or write it for a chat window."),
    "completion": ("cg_review.cli.completion", "Print the script that completes commands in a shell."),
    "batch": ("cg_review.cli.batch", "Look at the batches of `--batch-api`, or get their answers."),
    "cache": ("cg_review.cli.cache", "Look at or empty the cache of models' answers."),
}
ALIASES: dict[str, str] = {"apply-hitl": "apply"}

# Settings of a configuration that other commands than `review` take as well.
_SHARED = {"by", "profile", "strict", "rules", "prompts"}


class Commands(click.Group):
    """A group whose commands are imported on use and whose default command is `review`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if entry is None:
            return None
        command: click.Command = importlib.import_module(entry[0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {"--help", "--version", *COMMANDS, *ALIASES}:
            args = ["review", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cg-review")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find the claims that a language model would mistake for facts, and write a Clarity-Gated Document.

    `cg-review doc.md` reviews a document. A path named like a command is given as ./review.
    """
    config = load_config(Path.cwd())
    context.obj = config
    shared = {key: value for key, value in config.options.items() if key in _SHARED}
    context.default_map = {**dict.fromkeys(COMMANDS, shared), "review": config.options}


def main(argv: list[str] | None = None) -> Any:
    """Run the command line; an error of ours is one line on stderr and its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        result = cli.main(args=arguments, prog_name="cg-review", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        sys.exit(exit_.exit_code)
    except click.Abort:
        click.echo("cg-review: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except CgReviewError as error:
        click.echo(f"cg-review: {error}", err=True)
        sys.exit(error.exit_code)
    sys.exit(result if isinstance(result, int) else 0)
