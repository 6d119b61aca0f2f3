"""`--batch-api`: the passes of a run through a provider's batch endpoint: what was sent (records), to and from the
provider (post), and a run's way from its documents to its answers (flow)."""

WAITS = 4
"""The exit code of a run whose answers are still to come."""
