"""A number together with its noun, as messages write it."""

_ENDINGS = {"y": "ies", "leaf": "leaves", "ch": "ches"}
"""What `query`, `leaf` and `batch` end in, if there are several."""


def how_many(n: float, noun: str) -> str:
    """The noun is given as one thing; its last word becomes several.

    >>> how_many(1, "row"), how_many(0, "bad line"), how_many(1200, "query")
    ('1 row', '0 bad lines', '1,200 queries')
    """
    return f"{n:,} {noun if abs(n) == 1 else several(noun)}"


def several(noun: str) -> str:
    """The same word for more than one.

    >>> several("leaf"), several("batch"), several("day")
    ('leaves', 'batches', 'days')
    """
    for ending, plural in _ENDINGS.items():
        if noun.endswith(ending) and not noun.endswith(("ay", "ey", "oy")):
            return noun.removesuffix(ending) + plural
    return noun + "s"
