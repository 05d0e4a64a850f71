"""What nodes demand of their parts when they are built; a message names the operator, the part and what is there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

from semantics.aggregate import Aggregate, arguments_of
from semantics.errors import SchemaError, TypeMismatch, WindowError
from semantics.expression import Expression, mentions_now, refs
from semantics.notation.show_expression import show_expression
from semantics.ordering import Ranking, SortKey
from semantics.over import OverFunction
from semantics.schema import Column, Schema
from semantics.scope import Scope
from semantics.value import INT_MAX, Type
from semantics.whole_numbers import is_whole


def as_tuples(node: object, *fields: str) -> None:
    """Lists are welcome, but a node is made of tuples, so that it can be compared and hashed."""
    for field in fields:
        object.__setattr__(node, field, tuple(getattr(node, field)))


def check_predicate(operator: str, part: str, predicate: Expression, scope: Scope) -> None:
    check_refs(operator, predicate, scope)
    if predicate.type is not Type.BOOL:
        text = show_expression(predicate, scope)
        raise TypeMismatch(f"{operator}: {part} must be BOOL, got {predicate.type.name} ({text}); {scope}")


def check_refs(operator: str, expression: Expression, scope: Scope) -> None:
    """Every column that the expression refers to exists, with the type that it says."""
    if not isinstance(expression, get_args(Expression)):
        raise TypeMismatch(f"{operator}: expected an expression, got {expression!r}; {scope}")
    types = scope.types
    for ref in refs(expression):
        if not 0 <= ref.index < len(types) or types[ref.index] is not ref.type:
            expected = f"a {ref.type.name} column at position {ref.index}"
            raise SchemaError(f"{operator}: expression needs {expected} ({show_expression(expression)}); {scope}")


def check_array(operator: str, array: Expression, names: Sequence[str], scope: Scope) -> None:
    """An array, and a name for its elements, perhaps with one for their numbers."""
    if array.type.element is None:
        text = show_expression(array, scope)
        raise TypeMismatch(f"{operator}: expected an ARRAY, got {array.type.name} ({text}); {scope}")
    if len(names) not in (1, 2):
        raise SchemaError(f"{operator}: expected a name, or two with the number, got {names!r}; {scope}")


def all_arguments(aggregates: Iterable[Aggregate]) -> tuple[Expression, ...]:
    """What the aggregates are of; COUNT(*) is of nothing."""
    return tuple(argument for aggregate in aggregates for argument in arguments_of(aggregate))


def check_aggregates(operator: str, aggregates: Sequence[Aggregate], scope: Scope) -> None:
    for argument in all_arguments(aggregates):
        check_refs(operator, argument, scope)


def check_keys(operator: str, keys: Sequence[int], scope: Scope) -> None:
    """At least one key, each a position of the input, none twice."""
    positions = range(len(scope.types))
    if not keys or len(set(keys)) < len(keys) or not all(type(key) is int and key in positions for key in keys):
        raise SchemaError(f"{operator}: keys must be different column positions, at least one, got {keys}; {scope}")


def check_fits(operator: str, part: str, value: int | float) -> None:
    """Engines count instants and rows in 64 bits."""
    if type(value) is int and value > INT_MAX:
        raise WindowError(f"{operator}: {part} must be below 2⁶³, got {value!r}")


def check_positive(operator: str, part: str, value: int | float) -> None:
    if not is_whole(value) or value < 1:
        raise WindowError(f"{operator}: {part} must be an integer ≥ 1, got {value!r}")
    check_fits(operator, part, value)


def check_rows(operator: str, rows: int, slide: int, ties: bool) -> None:
    check_positive(operator, "rows", rows)
    check_positive(operator, "slide", slide)
    if ties and slide != 1:
        raise WindowError(f"{operator}: a window with ties has no slide, got slide {slide}")


def check_limit(operator: str, count: int | None, offset: int, ranking: str) -> None:
    if count is not None:
        check_positive(operator, "count", count)
    if not is_whole(offset) or offset < 0:
        raise WindowError(f"{operator}: offset must be an integer ≥ 0, got {offset!r}")
    check_fits(operator, "offset", offset)
    if ranking not in get_args(Ranking):
        raise WindowError(f"{operator}: ranking must be one of {', '.join(get_args(Ranking))}, got {ranking!r}")


def check_over(operator: str, functions: Sequence[OverFunction], scope: Scope) -> None:
    """Functions over rows at their instants; what they are of must be in the rows."""
    for function in functions:
        if not isinstance(function, get_args(OverFunction)):
            raise SchemaError(f"{operator}: expected functions over rows, got {function!r}; {scope}")
        for argument in function.arguments:
            check_refs(operator, argument, scope)
            if mentions_now(argument):
                raise SchemaError(f"{operator}: a function cannot ask for now; make it a column below; {scope}")


def check_order(operator: str, order: Sequence[SortKey], scope: Scope) -> None:
    """Every column of a declared order exists, and none stands there twice."""
    if not all(isinstance(key, SortKey) for key in order):
        raise SchemaError(f"{operator}: order must be sort keys, got {order}; {scope}")
    columns = [key.column for key in order]
    if len(set(columns)) < len(columns) or not all(column in range(len(scope.types)) for column in columns):
        raise SchemaError(f"{operator}: order must be by different column positions, got {columns}; {scope}")


def named_schema(operator: str, names: Sequence[str], types: Sequence[Type]) -> Schema:
    """The schema of an operator's output; names must differ."""
    if len(names) != len(types) or not names:
        raise SchemaError(f"{operator}: one name per output column, at least one, got {len(names)} for {len(types)}")
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        every = ", ".join(names)
        raise SchemaError(f"{operator}: output names must differ, got {', '.join(twice)} more than once in: {every}")
    return Schema(tuple(Column(name, type_) for name, type_ in zip(names, types, strict=True)))
