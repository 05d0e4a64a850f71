"""Plans about arrays, rows and JSON: they are made, looked into, taken apart, compared and grouped by."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.function_calls import FunctionCalls, Signature, choose_argument
from equivalence.cases.random_expressions import COMPARISONS
from equivalence.cases.random_plans import KINDS, Catalogue, PlanGenerator
from equivalence.cases.random_rows import TYPES
from semantics import Expression, Plan, Schema, Scope, Type, Value, array_of, row_of
from semantics.aggregate import Aggregate, Listed
from semantics.expression import Case, Coalesce, Comparison, Constant, IsDistinct, IsNull, Ref
from semantics.functions.definition import Derived, Function, Overload, Parameter, Word
from semantics.functions.json_texts import JSON
from semantics.functions.nested import NESTED
from semantics.functions.table import call_of
from semantics.plan import Map, TimeWindow, Unnest

PAIR: Final = row_of(("k", Type.INT), ("v", Type.STR))
NUMBERS: Final = array_of(Type.INT)
TEXTS: Final = array_of(Type.STR)
PAIRS: Final = array_of(PAIR)
NESTED_TYPES: Final = (NUMBERS, TEXTS, PAIR, PAIRS)
FIELDS: Final = ("k", "v")
CATALOGUE: Final[Catalogue] = {
    "A": Schema.of(xs=NUMBERS, r=PAIR, x=int),
    "B": Schema.of(ps=PAIRS, s=str, x=int),
}
TELLING: Final[dict[Type, tuple[Value, ...]]] = {
    NUMBERS: ((1, 2, 1), (), (2,), (None,), (3, None, 1), (1, 2), (2, 1, 2, 3, 3)),
    TEXTS: (("a", "b"), (), ("b", None), (",",), ("ab", "a", "a")),
    PAIR: ((1, "a"), (1, None), (None, None), (2, "a"), (None, "b")),
    PAIRS: (((1, "a"), (2, "b")), (), ((1, "a"), (1, "a")), (None,), ((2, None), None, (1, "b"))),
    Type.STR: ("a,b", '{"a": [1, {"b": "x"}], "b": {"c": 2.50}}', "a", '{"a": null, "b": "ab"}', "[true]", ""),
}
"""Arrays of several lengths, with NULL and copies in them; rows of NULLs are not NULL."""
RANGES: Final = (2, 3, 5)
MOST_COLUMNS: Final = 32


def choose_nested(choices: Choices, type_: Type) -> Value:
    """A value that tells operations on parts from each other; one in eight is NULL."""
    if type_ not in TELLING:
        return choose_argument(choices, type_)
    return None if choices.below(8) == 7 else choices.of(TELLING[type_])


@cache
def nested_signatures(result: Type) -> tuple[tuple[Signature, ...], ...]:
    """For each function of arrays, rows and JSON that gives values of this type: the ways to call it."""
    functions = [function for function in (*NESTED, *JSON) if function.names[0] != "named_row"]
    found = [tuple(dict.fromkeys(_ways(function, result))) for function in functions]
    return tuple(ways for ways in found if ways)


def _ways(function: Function, result: Type) -> Iterator[Signature]:
    for overload in function.overloads:
        most = len(overload.parameters)
        for number in range(most - overload.optional, most + 2 * overload.repeats + 1):
            for parameters in _typed(overload, number, result):
                yield function.names[0], parameters


def _typed(overload: Overload, number: int, result: Type) -> Iterator[tuple[Type | Word, ...]]:
    parameters = overload.expanded(number) or ()
    words = [parameter for parameter in parameters if isinstance(parameter, Word)]
    for first in (*NESTED_TYPES, *TYPES):
        for chosen in product(FIELDS, repeat=len(words)) if overload.needs_words else [()]:
            types = [_given(parameter, first) for parameter in parameters]
            bound = overload.bound(types, chosen)
            if bound is not None and bound[1] is result:
                named = iter(chosen)
                yield tuple(_drawn(p, type_, named) for p, type_ in zip(parameters, bound[0], strict=True))


def _given(parameter: Parameter, first: Type) -> Type | None:
    if isinstance(parameter, Derived):
        return parameter.of([first], ())
    return parameter if isinstance(parameter, Type) else Type.STR if isinstance(parameter, Word) else first


def _drawn(parameter: Parameter, type_: Type, chosen: Iterator[str]) -> Type | Word:
    if not isinstance(parameter, Word):
        return type_
    word = next(chosen, None)
    return parameter if word is None else Word(parameter.what, (word,), parameter.accepts)


class NestedCalls(FunctionCalls):
    """Most expressions call a function of arrays, rows or JSON."""

    def of(self, type_: Type, depth: int) -> Expression:
        if depth and self.choices.below(4):
            return self.call(type_, depth - 1)
        return self.leaf(type_) if type_ in NESTED_TYPES else super().of(type_, 0)

    def call(self, type_: Type, depth: int) -> Expression:
        if not nested_signatures(type_):
            return self.leaf(type_)
        name, parameters = self.choices.of(self.choices.of(nested_signatures(type_)))
        made = call_of(name, [self._argument(i, parameter, depth) for i, parameter in enumerate(parameters)])
        assert made is not None
        return made

    def leaf(self, type_: Type) -> Expression:
        columns = [Ref(i, t) for i, t in enumerate(self.scope.types) if t is type_]
        if columns and self.choices.below(4) < 3:
            return self.choices.of(columns)
        if type_ is PAIR and self.choices.chance(1, 2):
            parts = [Constant("k", Type.STR), self.leaf(Type.INT), Constant("v", Type.STR), self.leaf(Type.STR)]
            made = call_of("named_row", parts)
            assert made is not None
            return made
        return Constant(choose_nested(self.choices, type_), type_)

    def truth(self) -> Expression:
        """A condition on values with parts."""
        type_ = self.choices.of((*NESTED_TYPES, Type.INT, Type.STR))
        kind = self.choices.below(5)
        if kind == 0:
            return self.call(Type.BOOL, 1)
        if kind == 1:
            return IsNull(self.of(type_, 1))
        if kind == 2:
            return IsDistinct(self.of(type_, 1), self.leaf(type_))
        return Comparison(self.choices.of(COMPARISONS), self.of(type_, 1), self.leaf(type_))

    def chosen(self, type_: Type) -> Expression:
        """A call, or one of two values."""
        kind = self.choices.below(6)
        if kind == 0:
            return Coalesce((self.of(type_, 1), self.leaf(type_)))
        return Case(((self.truth(), self.of(type_, 1)),), self.leaf(type_)) if kind == 1 else self.of(type_, 2)


def choose_plan_over_elements(choices: Choices) -> Plan:
    """An operator above the elements of arrays."""
    return TakenApart(choices, CATALOGUE, awkward=False).rooted(choices.of(KINDS), 1)


class TakenApart(PlanGenerator):
    """Rows that last, mostly with an array of them taken apart, under any operator."""

    def plan(self, depth: int) -> Plan:
        windowed = TimeWindow(self.source(), self.choices.of(RANGES))
        made = self.taken_apart(windowed) if self.choices.below(4) else windowed
        return self.taken_apart(made) if depth > 0 and self.choices.below(4) == 3 else made

    def taken_apart(self, below: Plan) -> Plan:
        array = self.calls(Scope(below.schema)).of(self.choices.of((NUMBERS, NUMBERS, TEXTS, PAIRS)), 1)
        free = [name for name in ("e", "f", "g", "h", "i", "j") if name not in below.schema.names]
        return Unnest(below, array, tuple(free[: self.choices.between(1, 2)]), self.choices.chance(1, 3))

    def calls(self, scope: Scope) -> NestedCalls:
        return NestedCalls(self.choices, scope, self.awkward)

    def map(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        calls = self.calls(Scope(child.schema))
        types = [self.choices.of((*NESTED_TYPES, *TYPES)) for _ in range(self.choices.between(1, MOST_COLUMNS))]
        return Map(child, tuple(calls.chosen(type_) for type_ in types), tuple(f"c{i}" for i in range(len(types))))

    def predicate(self, scope: Scope) -> Expression:
        return self.calls(scope).truth()

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Aggregate, ...], tuple[str, ...]]:
        """Half of the time only arrays of all values of a column, else any aggregates."""
        if self.choices.chance(1, 2):
            return super().aggregates(child, at_least)
        chosen = [self.choices.below(len(child.schema)) for _ in range(self.choices.between(1, 2))]
        arrays = [Listed(Ref(i, child.schema.types[i]), None) for i in chosen]
        return tuple(arrays), tuple(self._free(child, len(arrays)))
