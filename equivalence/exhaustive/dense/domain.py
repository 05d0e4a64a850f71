"""Few rows per source that matter to given plans.

Values come from the plans: every constant, the next smaller and the next larger one, beside 0, 1, NULL and their
like; where plans compute, quotients, differences and sums of constants, too. Columns of one type get the same values,
so that rows of different sources meet. From all rows over these values those come first that the plans' conditions tell
apart: each candidate is run alone through the plans (without their windows), and through the same plans with each
condition negated in turn; two candidates are alike if every operator makes equally many rows of them. So TRUE, FALSE
and unknown are three kinds. Kinds without NULL come first, then, from the third row on, those with NULL, then whatever
is left, simple values first.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import islice, permutations, product
from typing import Final

import numpy as np

from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.cases.typed_values import as_held, beside
from equivalence.exhaustive.dense.batch_evaluation import meanings
from equivalence.exhaustive.dense.counts import CaseBatch, Rows, narrowest, total
from equivalence.exhaustive.dense.failures import Failures
from equivalence.exhaustive.dense.sizes import largest_total
from semantics import NULL, Expression, Plan, Row, Schema, Type, Value
from semantics.expression import Arithmetic, Constant, Not, children
from semantics.graph import graph
from semantics.plan import Binary, Filter, Filtering, Joined, Unary
from semantics.temporal import Counted
from semantics.value import INT_MAX, INT_MIN, identical, order

_BASIC: Final[dict[Type, tuple[Value, ...]]] = {
    Type.INT: (0, 1, NULL, 2, -1),
    Type.FLOAT: (0.0, 1.0, NULL, 0.5, -1.0),
    Type.BOOL: (False, True, NULL),
    Type.STR: ("a", "b", NULL, "", "ab"),
}
_CANDIDATES: Final = 96
"""Rows of a source among which the domain is chosen."""
_ROWS_CONSIDERED: Final = 4096
"""Rows, about, among which the candidates are chosen."""
_CONSTANTS_COMBINED: Final = 6
"""Constants of which quotients, differences and sums are tried."""
_PARTNERS: Final = 64
"""Combinations of rows of other sources that each candidate meets at most."""

Domains = dict[str, tuple[Row, ...]]


def domains(plans: Sequence[Plan], schemas: dict[str, Schema]) -> Domains:
    """For every source its candidate rows, the most useful ones first.

    >>> from semantics import col, source
    >>> bids = source("Bid", price=int)
    >>> domains([bids.filter(col("price") > 7).plan], {"Bid": bids.schema})["Bid"][:3]
    ((0,), (8,), (None,))
    """
    values = _values(plans)
    candidates = {name: _rows(schema, values) for name, schema in schemas.items()}
    examined = list(graph(*_with_negations(_timeless(plans))))
    return {name: _sorted(name, candidates, examined) for name in schemas}


def _values(plans: Sequence[Plan]) -> dict[Type, list[Value]]:
    """The values of each type: the basic ones, then the plans' constants and their neighbours."""
    types = {type_ for node in graph(*plans) for type_ in node.schema.types if type_ not in _BASIC}
    values = {type_: list(basic) for type_, basic in _BASIC.items()}
    values |= {type_: [*COMMON_VALUES[type_][:2], NULL, *COMMON_VALUES[type_][2:]] for type_ in types}
    constants = _constants(plans)
    for constant in [*constants, *_computed(plans, constants)]:
        for type_, several in values.items():
            several += [v for v in _around(constant, type_) if v not in several]
    return values


def _constants(plans: Sequence[Plan]) -> list[Constant]:
    """All constants, NULL apart, in an order of their own."""
    found = {c for node in graph(*plans) for e in node.own_expressions for c in _walk(e) if isinstance(c, Constant)}
    return sorted((c for c in found if c.value is not NULL), key=lambda c: (c.type.name, order(c.value)))


def _computed(plans: Sequence[Plan], constants: Sequence[Constant]) -> list[Constant]:
    """Where plans compute: quotients, differences and sums of two constants, since x * 3 > 9999 turns at 3333."""
    if not any(isinstance(x, Arithmetic) for node in graph(*plans) for e in node.own_expressions for x in _walk(e)):
        return []
    numbers = [float(c.value) for c in constants if isinstance(c.value, int | float) and c.type.is_numeric]
    pairs = permutations([n for n in numbers if math.isfinite(n)][:_CONSTANTS_COMBINED], 2)
    made = [n for a, b in pairs for n in (a / b if b else 0.0, a - b, a + b)]
    return [Constant(n, Type.FLOAT) for n in dict.fromkeys(made)]


def _walk(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from _walk(child)


def _around(constant: Constant, type_: Type) -> list[Value]:
    """A constant and its neighbours as values of a type, if they are any."""
    value = constant.value
    match type_:
        case Type.INT if isinstance(value, int | float) and constant.type.is_numeric and math.isfinite(value):
            return [v for v in (math.floor(value) + step for step in (0, 1, -1)) if INT_MIN <= v <= INT_MAX]
        case Type.FLOAT if isinstance(value, int | float) and constant.type.is_numeric:
            return [identical(float(value) + step) for step in (0, 1, -1)]
        case Type.STR if isinstance(value, str):
            return [value, value + "a"]
        case _ if type_ not in _BASIC and isinstance(value, Counted | Decimal):
            return [held for near in beside(value) if (held := as_held(near, type_)) is not None]
        case _:
            return []


def _rows(schema: Schema, values: dict[Type, list[Value]]) -> list[Row]:
    """Rows over these values: those with few values other than the first come first."""
    per_column = max(2, int(_ROWS_CONSIDERED ** (1 / len(schema))))
    columns = [values[type_][:per_column] for type_ in schema.types]
    places = islice(product(*(range(len(column)) for column in columns)), _ROWS_CONSIDERED)
    chosen = sorted(places, key=lambda row: (sum(place > 0 for place in row), sum(row), row))[:_CANDIDATES]
    return [tuple(column[place] for column, place in zip(columns, row, strict=True)) for row in chosen]


def _timeless(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without their windows, which show a row or not for reasons of time only."""
    made: dict[Plan, Plan] = {}
    for node in graph(*plans):
        inputs = [made[child] for child in node.inputs]
        made[node] = _over(node, inputs) if node.computable else inputs[0]
    return [made[plan] for plan in plans]


def _over(node: Plan, inputs: list[Plan]) -> Plan:
    if isinstance(node, Unary):
        return replace(node, input=inputs[0])
    return replace(node, left=inputs[0], right=inputs[1]) if isinstance(node, Binary) else node


def _with_negations(plans: Sequence[Plan]) -> Iterator[Plan]:
    """The plans, and every operator that has a condition once more, with its negation."""
    yield from plans
    for node in graph(*plans):
        if isinstance(node, Filter):
            yield replace(node, predicate=Not(node.predicate))
        elif isinstance(node, Joined | Filtering):
            yield replace(node, condition=Not(node.condition))


def _sorted(name: str, candidates: dict[str, list[Row]], nodes: list[Plan]) -> tuple[Row, ...]:
    """One row of every kind first: without NULL, two at least, then with NULL; rows that overflow come last."""
    kinds, failed = _kinds(name, candidates, nodes)
    rows = candidates[name]
    sound = [row for row in rows if row not in failed]
    first = [row for i, row in enumerate(rows) if row in sound and kinds[i] not in kinds[:i]]
    full = [row for row in first if NULL not in row]
    full += [row for row in sound if NULL not in row and row not in full][: max(2 - len(full), 0)]
    return tuple(dict.fromkeys([*full, *first, *sound, *rows]))


def _kinds(name: str, candidates: dict[str, list[Row]], nodes: list[Plan]) -> tuple[list[bytes], set[Row]]:
    """How many rows each operator makes of each candidate, and the candidates that make a number overflow."""
    batch = _each_alone(name, candidates, nodes)
    failures = Failures(batch.shape[1], raising=False)
    known = meanings(nodes, batch, failures)
    totals = np.concatenate([total(known[node], batch) for node in nodes])
    rows = candidates[name]
    return [column.tobytes() for column in totals.T], {
        row for row, bad in zip(rows, failures.cases, strict=True) if bad
    }


def _each_alone(name: str, candidates: dict[str, list[Row]], nodes: list[Plan]) -> CaseBatch:
    """A case for each candidate: it alone is in its source, every other source holds some rows once."""
    some = min(12, int(_PARTNERS ** (1 / max(len(candidates) - 1, 1))))
    shape = (1, len(candidates[name]))
    width = narrowest(largest_total(nodes, dict.fromkeys(candidates, some), 1))
    once = np.ones(shape, width)
    sources: dict[str, Rows] = {other: dict.fromkeys(rows[:some], once) for other, rows in candidates.items()}
    alone = np.eye(shape[1], dtype=width)
    return CaseBatch({**sources, name: {row: alone[[i]] for i, row in enumerate(candidates[name])}}, shape, width)
