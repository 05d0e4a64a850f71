"""The whole numbers of windows and frames: known, or left open in plans that are for proofs."""


class Unknown:
    """A whole number that is left open: plans with it are for proofs, and are never run."""


def is_whole(value: object) -> bool:
    """Is this an integer, known or left open?"""
    return type(value) is int or isinstance(value, Unknown)
