"""`cg-review completion SHELL`: the script that lets a shell complete commands, options and paths."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    bash: eval "$(cg-review completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc. fish: cg-review completion fish >
    ~/.config/fish/completions/cg-review.fish.
    """
    from cg_review.cli import cli

    chosen = get_completion_class(shell)
    assert chosen is not None, shell  # the three that click knows
    click.echo(chosen(cli, {}, "cg-review", "_CG_REVIEW_COMPLETE").source())
