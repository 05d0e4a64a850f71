"""Derived update patterns: Table 3 of the paper as it is printed, and shared stores by what consumers leave behind."""

from itertools import combinations_with_replacement, product

import pytest

from physical.storage.errors import StoreError
from physical.storage.patterns import Consume, Expire, combined, update_pattern

PRINTED = """
never expire     | no-update | fifo     | fifo/random
ordered expire   | fifo      | fifo     | fifo/random
unordered expire | random    | random   | random
replaced expire  | in-place  | in-place | in-place
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in PRINTED.strip().splitlines()]


@pytest.mark.parametrize(("row", "column"), list(product(range(4), range(3))))
def test_table_3(row: int, column: int) -> None:
    expire, consume = Expire(ROWS[row][0]), list(Consume)[column]
    found = {update_pattern(expire, [consume], roomy).value for roomy in (True, False)}
    assert found == set(ROWS[row][1 + column].split("/"))


@pytest.mark.parametrize("consumers", list(combinations_with_replacement(Consume, 3)))
def test_what_consumers_leave_behind_together(consumers: tuple[Consume, ...]) -> None:
    """Each of three consumers marks ids below 6 in its way; what all have marked tells the pattern."""
    marked: dict[Consume, list[set[int]]] = {
        Consume.NEVER: [set()],
        Consume.ORDERED: [{0, 1}, {0, 1, 2, 3}],
        Consume.EAGER: [{1, 3}, {0, 2, 3}],
    }
    together = [set.intersection(*choice) for choice in product(*(marked[consumer] for consumer in consumers))]
    prefixes = all(found == set(range(len(found))) for found in together)
    expected = Consume.EAGER if not prefixes else Consume.ORDERED if any(together) else Consume.NEVER
    assert combined(consumers) is expected
    assert combined(consumers[::-1]) is expected


def test_a_store_without_consumers_has_no_pattern() -> None:
    with pytest.raises(StoreError, match="at least one consumer"):
        update_pattern(Expire.NEVER, [])
