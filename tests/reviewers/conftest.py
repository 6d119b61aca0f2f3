"""Fixtures of the reviewers' tests."""

from model_fixtures import protocol, serve

__all__ = ["protocol", "serve"]
