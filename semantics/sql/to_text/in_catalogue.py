"""Does a catalogue know everything that a plan uses?"""

from collections.abc import Iterator

from semantics.aggregate import AggregateFunction, UserDefined
from semantics.errors import SchemaError
from semantics.expression import Call, Expression, ScalarFunction, children
from semantics.functions.definition import BuiltIn
from semantics.plan import Plan, Source, own_aggregates
from semantics.sql.catalogue import Catalogue, find


def check_known(plan: Plan, catalogue: Catalogue) -> None:
    """Every source has its schema in the catalogue, every function is registered there."""
    for node in plan.walk():
        if isinstance(node, Source) and catalogue.sources.get(node.name) != node.schema:
            raise SchemaError(f"to_sql: the catalogue has no stream or table {node.name}({node.schema})")
        for function in _functions(node):
            if isinstance(function, BuiltIn):
                _check_not_hidden(function, catalogue)
                continue
            named = catalogue.functions if isinstance(function, ScalarFunction) else catalogue.aggregates
            if named.get(function.name) != function:
                raise SchemaError(f"to_sql: the catalogue has no function {function.name} like that of the plan")


def _check_not_hidden(function: BuiltIn, catalogue: Catalogue) -> None:
    """A user's function is found before a built-in one of the same name."""
    if find(catalogue.functions, function.name) is not None:
        raise SchemaError(f"to_sql: the plan has the built-in {function.name}, the catalogue another one of this name")


def _functions(plan: Plan) -> Iterator[ScalarFunction | AggregateFunction]:
    """The user-defined functions that one operator calls."""
    yield from (one.function for one in own_aggregates(plan) if isinstance(one, UserDefined))
    for expression in plan.own_expressions:
        yield from _calls(expression)


def _calls(expression: Expression) -> Iterator[ScalarFunction]:
    if isinstance(expression, Call):
        yield expression.function
    for child in children(expression):
        yield from _calls(child)
