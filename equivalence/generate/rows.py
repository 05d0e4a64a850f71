"""Schemas, values and rows. Values come from few, so that rows meet; the awkward ones are among them."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from semantics import Column, Row, Schema, Type, Value
from semantics.value import INT_MAX, INT_MIN, NAN

COMMON: Final[dict[Type, list[Value]]] = {
    Type.INT: [0, 1, 2, -1],
    Type.FLOAT: [0.0, 1.0, 0.5, -1.5],
    Type.BOOL: [False, True],
    Type.STR: ["", "a", "b", "a%"],
}
AWKWARD: Final[dict[Type, list[Value]]] = {
    Type.INT: [INT_MAX, INT_MIN, 2**53 + 1],
    Type.FLOAT: [-0.0, NAN, float("inf"), float("-inf"), 0.1, 1e308, 5e-324],
    Type.BOOL: [],
    Type.STR: ["ä", "A", "a\n"],
}


@cache
def types() -> SearchStrategy[Type]:
    return st.sampled_from(Type)


@cache
def values(type_: Type, *, awkward: bool = True) -> SearchStrategy[Value]:
    """A value of this type; about one in six is NULL and, if wanted, one in eight awkward."""
    common = st.sampled_from(COMMON[type_])
    choices = [common] * 5 + [st.none()]
    if awkward and AWKWARD[type_]:
        choices.append(st.sampled_from(AWKWARD[type_]))
    return st.one_of(choices)


def rows(schema: Schema, *, awkward: bool = True) -> SearchStrategy[Row]:
    return st.tuples(*(values(column.type, awkward=awkward) for column in schema.columns))


def _names() -> Iterator[str]:
    yield from "xyzuvw"
    yield from (f"x{i}" for i in count(1))


@st.composite
def schemas(draw: st.DrawFn, *, max_columns: int = 3) -> Schema:
    chosen = draw(st.lists(types(), min_size=1, max_size=max_columns))
    return Schema(tuple(Column(name, type_) for name, type_ in zip(_names(), chosen, strict=False)))
