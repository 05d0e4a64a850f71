"""What each aggregate means, as a function of a whole multiset."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from math import ceil, floor
from operator import and_, or_, xor
from typing import Any, Final, assert_never

from semantics.aggregate import of_rows as rows
from semantics.aggregate import of_values as values_
from semantics.aggregate.exact_numbers import (
    between,
    correlation,
    deviations,
    exact,
    root,
    rounded,
    sample_variance,
    total,
    variance,
)
from semantics.aggregate.of_values import AggregateFunction
from semantics.aggregate.union import Aggregate, OfDistinct, arguments_of, needed_of
from semantics.errors import FunctionError
from semantics.expression import evaluate
from semantics.multiset import Multiset
from semantics.ordering import in_order
from semantics.value import NULL, Row, Value, check_int, conform, identical, order, row_order

BIT_OPERATIONS: Final = {"and": and_, "or": or_, "xor": xor}


def aggregate(function: Aggregate, snapshot: Multiset) -> Value:
    """The value of an aggregate over all rows of a snapshot, which may be empty.

    >>> from semantics.expression import Ref
    >>> from semantics.types import Type
    >>> aggregate(values_.Avg(Ref(0, Type.INT)), Multiset({(1,): 2, (2,): 1, (None,): 5}))
    1.3333333333333333
    """
    if isinstance(function, values_.CountRows):
        return check_int(len(snapshot), "COUNT(*)")
    return identical(aggregate_values(function, taken(function, snapshot)))


def taken(function: Aggregate, snapshot: Multiset) -> list[Any]:
    """What an aggregate takes in, in the total order: values, or rows of values if it has several arguments."""
    arguments, needed = arguments_of(function), needed_of(function)
    found = [(tuple([evaluate(argument, row) for argument in arguments]), n) for row, n in snapshot.pairs()]
    kept = [
        (values if len(arguments) > 1 else values[0], n)
        for values, n in found
        if not any(v is NULL for v in values[:needed])
    ]
    key = order_of(function)
    # Copies are made last: there may be many more of them than rows.
    return [value for value, n in sorted(kept, key=lambda pair: key(pair[0])) for _ in range(n)]


def order_of(function: Aggregate) -> Callable[[Any], Any]:
    """The sort key of what an aggregate takes in."""
    return row_order if len(arguments_of(function)) > 1 else order


def aggregate_values(function: Aggregate, values: Sequence[Any]) -> Value:
    """The value of an aggregate over what it takes in, sorted."""
    match function:
        case values_.CountRows() | values_.Count():
            return len(values)
        case values_.CountDistinct():
            return len(set(values))
        case _ if not values:
            return NULL
        case OfDistinct(function=inner):
            return aggregate_values(inner, list(dict.fromkeys(values)))
        case values_.Sum():
            return rounded(total(map(exact, values)), function.type)
        case values_.Avg():
            return rounded(total(map(exact, values)) / len(values), function.type)
        case values_.Min():
            return values[0]  # type: ignore[no-any-return]
        case values_.Max():
            return values[-1]  # type: ignore[no-any-return]
        case values_.VarPop() | values_.StddevPop() | values_.VarSamp() | values_.StddevSamp():
            return _spread(function, values)
        case values_.Median():
            middle = (values[(len(values) - 1) // 2], values[len(values) // 2])
            return rounded(total(map(exact, middle)) / 2)
        case values_.Percentile():
            return _percentile(function, values)
        case values_.Mode():
            return Counter(values).most_common(1)[0][0]  # type: ignore[no-any-return]  # of equally many, the first
        case values_.Largest(rank=rank):
            return values[-rank] if rank <= len(values) else NULL
        case values_.Bitwise(symbol=symbol):
            return reduce(BIT_OPERATIONS[symbol], values)  # type: ignore[no-any-return]
        case values_.UserDefined(function=user):
            return fold(user, values)
        case rows.Paired():
            return _paired(function, values)
        case rows.ExtremeBy(greatest=greatest):
            return values[-1 if greatest else 0][1]  # type: ignore[no-any-return]
        case rows.Listed(separator=separator, order=keys):
            listed = [row[0] for row in in_order(keys, values if function.by else [(value,) for value in values])]
            return tuple(listed) if separator is None else separator.join(map(str, listed))
        case _:
            assert_never(function)


def _spread(
    function: values_.VarPop | values_.StddevPop | values_.VarSamp | values_.StddevSamp, values: Sequence[Value]
) -> Value:
    numbers = [exact(value) for value in values]
    sample = isinstance(function, values_.VarSamp | values_.StddevSamp)
    found = sample_variance(numbers) if sample else variance(numbers)
    if found is None:
        return NULL
    return root(found) if isinstance(function, values_.StddevPop | values_.StddevSamp) else rounded(found)


def _percentile(function: values_.Percentile, values: Sequence[Value]) -> Value:
    if function.discrete:
        return values[max(ceil(function.fraction * len(values)) - 1, 0)]
    position = function.fraction * (len(values) - 1)
    low, high = values[floor(position)], values[ceil(position)]
    return rounded(between(low, high, position - floor(position)))


def _paired(function: rows.Paired, pairs: Sequence[Row]) -> Value:
    xs, ys = ([exact(value) for value in column] for column in zip(*pairs, strict=True))
    together = deviations(xs, ys)
    if function.name == "corr":
        return correlation(together, deviations(xs, xs), deviations(ys, ys))
    divisor = len(pairs) - (function.name == "covar_samp")
    return rounded(together / divisor) if divisor else NULL


def fold(user: AggregateFunction, values: Sequence[Value]) -> Value:
    """Make a partial aggregate of the first value, merge in the others, evaluate it."""
    first, *others = [conform(value, user.parameter, f"{user.name}: argument") for value in values]
    try:
        partial = user.init(first)
        for value in others:
            partial = user.merge(partial, value)
        result = user.eval(partial)
    except Exception as error:
        raise FunctionError(f"{user.name}: failed for {[first, *others]!r}: {error!r}") from error
    return conform(result, user.result, f"{user.name}: result")
