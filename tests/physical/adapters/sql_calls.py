"""Every function and cast that a dialect has words for, asked of the engine for many values at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from equivalence.conformance.subject.tolerance import close
from physical.adapters.sql.sql_engine import SqlEngine
from semantics import ArithmeticOverflow, Interval, IntervalStream, Row, Schema, Type
from semantics.expression import Call, Cast, Expression, Ref, evaluate
from semantics.multiset import Multiset
from semantics.plan import Map, Source
from semantics.schema import Column
from tests.semantics.functions.arguments import WAYS, call, rows

VALUES = 60


@dataclass(frozen=True)
class Difference:
    """An expression, its row, what is right, and what the engine says."""

    expression: Expression
    row: Row
    right: object
    found: object


def calls() -> Iterator[Call]:
    """A call for every function, its types and its words, once."""
    seen = set()
    for way in WAYS:
        words = max((len(p.samples) for p in way[1] if not isinstance(p, Type)), default=1)
        for made in (call(way, number) for number in range(words)):
            if made not in seen:
                yield made
            seen.add(made)


def differences(
    engine: SqlEngine, made: Expression, arguments: Sequence[Row], types: Sequence[Type]
) -> list[Difference]:
    """Where the engine says something else; rows for which the expression has no value are left out."""
    known = [(row, right) for row in arguments if (right := _value(made, row)) is not None]
    columns = [Column("n", Type.INT), *(Column(f"a{i}", type_) for i, type_ in enumerate(types))]
    source = Source("S", Schema(tuple(columns)))
    plan = Map(source, (Ref(0, Type.INT), _moved(made)), ("n", "v"))
    elements = [((n, *row), Interval(0, 1)) for n, (row, _) in enumerate(known)]
    result = engine.run(plan, {"S": IntervalStream(source.schema, elements)}, 1)
    found = {row[0]: row[1] for row, _, _ in result.to_elements()}
    pairs = ((row, right[0], found[n]) for n, (row, right) in enumerate(known))
    return [Difference(made, *pair) for pair in pairs if not close(Multiset([pair[1:2]]), Multiset([pair[2:]]), 1e-9)]


def _value(made: Expression, row: Row) -> Row | None:
    try:
        return (evaluate(made, row),)
    except ArithmeticOverflow:
        return None


def _moved(made: Expression) -> Expression:
    """Its columns stand behind the number of the row."""
    if isinstance(made, Cast):
        return Cast(_moved(made.operand), made.type, made.safe)
    if isinstance(made, Ref):
        return Ref(made.index + 1, made.type)
    assert isinstance(made, Call)
    return Call(made.function, tuple(_moved(a) if isinstance(a, Ref) else a for a in made.arguments))


def arguments_of(made: Call) -> tuple[list[Row], list[Type]]:
    return rows(made, VALUES), [argument.type for argument in made.arguments]
