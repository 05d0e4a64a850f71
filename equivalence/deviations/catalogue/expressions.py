"""Deviations of expressions, and parts of a query that are read otherwise."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, cast

from equivalence.deviations.catalogue.plan_change import on, plan_deviation, with_plan, without_null
from equivalence.deviations.deviation import Clue, Deviation, Parameter, Values
from equivalence.deviations.odd_operators import OddOperator
from equivalence.deviations.situation import Situation
from equivalence.neighbours.change import ChangeKind
from equivalence.neighbours.neighbours_of import neighbours_of
from semantics import Plan, ScalarFunction, Type
from semantics.expression import Arithmetic, Call, Coalesce, Comparison, Constant, Expression, Not, children
from semantics.plan import Filter, FullJoin, Join, LeftJoin, Map, RightJoin, Semijoin, Source, TimeWindow, Union
from semantics.rebuild import with_children, with_expressions

OTHERWISE: Final = frozenset(
    {
        ChangeKind.COMPARED_CONSTANT,
        ChangeKind.CONSTANT,
        ChangeKind.COMPARISON,
        ChangeKind.CONDITION,
        ChangeKind.BRANCH,
        ChangeKind.ARITHMETIC,
        ChangeKind.AGGREGATE,
        ChangeKind.FUNCTION,
        ChangeKind.KEY,
    }
)
"""What else a neighbour may differ in has names of its own in this catalogue."""


def _everywhere(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    return change(with_children(expression, [_everywhere(part, change) for part in children(expression)]))


def _parts(expression: Expression) -> Iterable[Expression]:
    yield expression
    for part in children(expression):
        yield from _parts(part)


def _having(test: Callable[[Expression], bool]) -> Values:
    def values(situation: Situation, clue: Clue) -> Iterable[Parameter]:
        own = [e for node in situation.plan.walk() for e in node.own_expressions]
        return (None,) if any(test(part) for e in own for part in _parts(e)) else ()

    return values


def rewriting(
    name: str,
    sentence: str,
    knob: str,
    test: Callable[[Expression], bool],
    make: Callable[[Any], Expression],
    **more: Any,
) -> Deviation:
    """A deviation of every expression that passes a test."""

    def change(expression: Expression) -> Expression:
        return make(expression) if test(expression) else expression

    def apply(situation: Situation, value: Parameter) -> Situation:
        return with_plan(situation, lambda node: _changed(node, change))

    return Deviation(name, sentence, knob, "plan", "after the window", _having(test), apply, **more)


def _changed(node: Plan, change: Callable[[Expression], Expression]) -> Plan:
    if isinstance(cast(object, node), OddOperator):
        return node
    return with_expressions(node, lambda expression: _everywhere(expression, change))


def _integer_division(e: Expression) -> bool:
    return isinstance(e, Arithmetic) and e.symbol == "/" and e.left.type is Type.INT and e.right.type is Type.INT


def _cut(a: int, b: int) -> float | None:
    return float(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) if b else None


def called(e: Any, function: Callable[..., Any]) -> Expression:
    return Call(ScalarFunction("deviating", (e.left.type, e.right.type), e.type, function), (e.left, e.right))


def _modulo(e: Expression) -> bool:
    return isinstance(e, Arithmetic) and e.symbol == "MOD"


def _texts(e: Expression) -> bool:
    return (
        isinstance(e, Comparison) and e.symbol in ("=", "<>") and e.left.type is Type.STR and e.right.type is Type.STR
    )


def _any_case(e: Comparison) -> Expression:
    equal = e.symbol == "="
    return called(e, lambda a, b: (a.lower() == b.lower()) is equal)


def _unknown_kept(node: Any) -> Plan:
    kept: Plan = with_expressions(node, lambda condition: Coalesce((condition, Constant(True, Type.BOOL))))
    return kept


def _negated(node: Filter) -> Plan:
    return replace(node, predicate=Not(Coalesce((node.predicate, Constant(False, Type.BOOL)))))


def _nullable_operators(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return sorted({node.operator for node in situation.plan.walk() if isinstance(node, _CARRYING)})


def _without_null_rows(node: Plan, operator: Parameter) -> Plan:
    return without_null(node, range(len(node.schema))) if node.operator == operator else node


def _neighbours(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return [near.text for near in neighbours_of(situation.plan) if near.change in OTHERWISE]


def _neighbour(situation: Situation, text: Parameter) -> Situation:
    found = [near.plan for near in neighbours_of(situation.plan) if near.text == text]
    return replace(situation, plan=found[0]) if found else situation


_CONDITIONED: Final = (Filter, Join, LeftJoin, RightJoin, FullJoin, Semijoin)
_CARRYING: Final = (Source, Filter, Map, TimeWindow, Union, Join, LeftJoin)
"""Operators that hand on rows as they are or as they make them."""

EXPRESSIONS: Final[tuple[Deviation, ...]] = (
    rewriting("integer division", "the quotient of integers is cut to an integer", "division", _integer_division, lambda e: called(e, _cut), synonyms=("INT / INT is INT",)),
    rewriting("MOD takes the divisor's sign", "MOD has the sign of the divisor", "modulo", _modulo, lambda e: called(e, lambda a, b: a % b if b else None)),
    rewriting("text compared without case", "texts that differ in case only are equal", "collation", _texts, _any_case),
    plan_deviation("unknown kept", "a condition that is unknown counts as true", "unknown", _CONDITIONED, on(*_CONDITIONED)(_unknown_kept), synonyms=("NULL counts as TRUE",)),
    plan_deviation("condition negated", "a filter keeps the rows for which its condition does not hold", "unknown", (Filter,), on(Filter)(_negated), synonyms=("NOT forgotten",)),
    plan_deviation("rows with NULL lost on the way", "rows with a NULL in any column get lost in the {}", "NULL rows", _CARRYING, _without_null_rows, values=_nullable_operators, parameter="operator", synonyms=("dropna",), bits=1.0),
    Deviation("query read otherwise", "{}", "query", "plan", "after the window", _neighbours, _neighbour, parameter="reading", bits=3.0),
)  # fmt: skip
