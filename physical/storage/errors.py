"""Errors of stores."""

from semantics import SnapeqError


class StoreError(SnapeqError):
    """A request that a store does not support, or parameters that contradict each other."""


class NoSuchItem(StoreError):
    """A request for an item that expired, was consumed, or never was there."""
