"""cg-review hash: a document's hash, as the seed's document_hash.py computes it."""

from __future__ import annotations

from datetime import datetime

import click

from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.vectors import run_hash_vectors
from cg_review.cli._documents import Run, clock, now_option
from cg_review.errors import CgReviewError, DocumentRefused
from cg_review.validator.files import Input, read_document


@click.command("hash")
@click.argument("paths", nargs=-1, metavar="FILE...")
@click.option("--verify", is_flag=True, help="Compare with the declared hash; exit 1 where it differs.")
@click.option("--write", is_flag=True, help="Write the hash into the file (what `fix` does).")
@click.option(
    "--accept-changes", is_flag=True, help="With --write: seal a document that changed since it was sealed."
)
@click.option("--test", is_flag=True, help="Run the test vectors.")
@now_option
def command(
    paths: tuple[str, ...], verify: bool, write: bool, accept_changes: bool, test: bool, now: datetime | None
) -> int:
    """Compute, verify or write document-sha256."""
    if test:
        return _vectors()
    if not paths or (verify and write):
        raise click.UsageError("give FILE..., and at most one of --verify and --write")
    if write:
        from cg_review.cli.fix import command as fix

        arguments = {
            "paths": paths,
            "diff": False,
            "check_": False,
            "accept_changes": accept_changes,
            "now": clock(now),
        }
        return int(click.get_current_context().invoke(fix, **arguments))
    run = Run()
    for given in run.documents(paths):
        try:
            _show(run, given, verify, several=len(paths) > 1)
        except DocumentRefused as error:
            run.tell(DocumentRefused(f"{given.name}: {error}"))
        except CgReviewError as error:
            run.tell(error)
    return run.exit_code


def _show(run: Run, given: Input, verify: bool, several: bool) -> None:
    text = read_document(given)
    digest, declared = document_hash(text), stored_hash(text)
    name = f"{given.name}: " if several else ""
    if not verify:
        click.echo(f"{name}{digest}")
    elif declared == digest:
        click.echo(f"{name}PASS: Hash verified: {digest}")
    else:
        run.fail(1)
        click.echo(f"{name}FAIL: Hash mismatch: declared {declared or 'none'}, computed {digest}")


def _vectors() -> int:
    failed = 0
    for name, passed in run_hash_vectors():
        failed += not passed
        click.echo(f"{'PASS' if passed else 'FAIL'}: {name}")
    return 1 if failed else 0
