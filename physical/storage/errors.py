"""What a store refuses."""

from semantics import SnapeqError


class StoreError(SnapeqError):
    """A request that a store was not made for, or parameters that do not fit together."""


class NoSuchItem(StoreError):
    """An item that expired, was consumed, or never was."""
