"""`python -m cg_review` is the command `cg-review`."""

from cg_review.cli import main

main()
