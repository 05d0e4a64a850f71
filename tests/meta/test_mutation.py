"""A mutation changes the parts of its kind, subclasses included, and nothing else."""

import pytest

from equivalence.mutants.mutation import each, mutate


class Counter:
    def count(self) -> int:
        return 1


class DoubleCounter(Counter):
    def count(self) -> int:
        return 2 * super().count()


class Bell:
    def count(self) -> int:
        return 5


class CountsOneMore(Counter):
    def count(self) -> int:
        return super().count() + 1


def test_a_mutation_calls_the_right_method_of_a_subclass() -> None:
    counter = DoubleCounter()
    mutate(counter, CountsOneMore)
    assert counter.count() == 3
    assert isinstance(counter, DoubleCounter)
    assert DoubleCounter().count() == 2


@pytest.mark.parametrize(("part", "count"), [(Counter(), 1), (DoubleCounter(), 3), (Bell(), 5)])
def test_only_parts_of_the_kind_change(part: Counter | Bell, count: int) -> None:
    each(DoubleCounter, CountsOneMore)(part)
    assert part.count() == count


def test_a_mutation_must_derive_from_what_it_mutates() -> None:
    with pytest.raises(TypeError, match="each: CountsOneMore must derive from Bell or from a class above it"):
        each(Bell, CountsOneMore)
