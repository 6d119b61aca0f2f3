"""docs/cli.md, made from the parser: `python -m cg_review.cli.reference > docs/cli.md` (`make docs`)."""

from __future__ import annotations

from collections.abc import Iterator

import click

from cg_review.cli import COMMANDS, cli

_HEAD = """# The command line

Made from the parser by `make docs`; a test compares the two. `cg-review PATH…` is `cg-review review PATH…`: a path that is named
like a command is given as `./review`. Results go to stdout, everything else to stderr.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | findings or faults as grave as the command or `--fail-on` says; a document that cannot be drafted as it is |
| 2 | wrong usage or configuration, unreadable input |
| 3 | the reviewer could not finish; what was done is kept |
| 4 | the answers of a batch (`--batch-api`) are still to come |

| command | what it does |
|---|---|
"""


def render() -> str:
    """The whole page, in the order of the commands."""
    context = click.Context(cli, info_name="cg-review")
    lines = [f"| [`{name}`](#{name}) | {help_line} |\n" for name, (_, help_line) in COMMANDS.items()]
    return _HEAD + "".join(lines) + "".join(_command(context, name) for name in COMMANDS)


def _command(parent: click.Context, name: str) -> str:
    command = cli.get_command(parent, name)
    assert command is not None, name
    context = click.Context(command, info_name=name, parent=parent)
    usage = command.get_usage(context).removeprefix("Usage: ")
    text = [f"\n## {name}\n\n```\n{usage}\n```\n", *_paragraphs(command)]
    options = [option for option in command.params if isinstance(option, click.Option) and not option.hidden]
    if options:
        text += ["\n| option | |\n|---|---|\n", *(_option(option, context) for option in options)]
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            inner = command.get_command(context, sub)
            text.append(f"\n`{name} {sub}`: {inner.get_short_help_str(200) if inner else ''}\n")
    return "".join(text)


def _paragraphs(command: click.Command) -> Iterator[str]:
    for paragraph in (command.help or "").split("\n\n"):
        yield f"\n{' '.join(paragraph.replace(chr(8), '').split())}\n"


def _option(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    names, help_line = record if record else (", ".join(option.opts), "")
    cells = (" ".join(cell.split()).replace("|", "\\|") for cell in (names, help_line))
    return "| `{}` | {} |\n".format(*cells)


if __name__ == "__main__":
    click.echo(render(), nl=False)
