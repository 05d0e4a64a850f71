"""More keys than small tables hold, some with equal hashes, each of which comes again when all have been seen."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.dimensions.pools import KEYS, MANY_KEYS, key_value
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics import Interval, IntervalStream, Plan, Schema, Type
from semantics import plan as op
from semantics.aggregate import CountRows, Max
from semantics.expression import Comparison, Ref
from semantics.stream import IntervalElement

HORIZON: Final = 8
KINDS: Final = ("equal hashes", "equal in 32 bits", "neighbouring doubles", "texts", "integers")
OPERATORS: Final = ("distinct", "group", "difference", "join", "semijoin", "partitions", "union")
FEW: Final = 20
"""Elements of the second stream."""


def many_keys_of(engine: AnyEngine) -> Suite:
    """Operators that look up keys, over all kinds of keys."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            attempt = _an_attempt(SeededChoices(f"many keys/{seed}/{number}"), number)
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} many keys", number, partial(wrong_of, subject, attempt))

    return trials


def _an_attempt(choices: Choices, number: int) -> Attempt:
    kind = KINDS[number % len(KINDS)]
    schema = Schema.of(k=KEYS[kind], x=int)
    keys = list(range(MANY_KEYS + choices.below(1500 if choices.chance(1, 4) else 300)))
    places = [*keys, *(choices.of(keys) for _ in range(FEW)), *keys[:FEW]]
    elements = [_element(kind, key, min(at // 400, 3), choices) for at, key in enumerate(places)]
    other = sorted((_element(kind, choices.of(keys), choices.below(4), choices) for _ in range(FEW)), key=_start)
    case = {"S": IntervalStream(schema, elements), "T": IntervalStream(schema, other)}
    plan = _plan(OPERATORS[number % len(OPERATORS)], op.Source("S", schema), schema)
    return Attempt(plan, {name: case[name] for name in plan.sources()}, HORIZON)


def _element(kind: str, key: int, start: int, choices: Choices) -> IntervalElement:
    return (key_value(kind, key), choices.below(2)), Interval(start, start + choices.between(1, 3))


def _start(element: IntervalElement) -> int:
    return element[1].start


def _plan(operator: str, source: op.Source, schema: Schema) -> Plan:
    other = op.Source("T", schema)
    key, x = Ref(0, schema.types[0]), Ref(1, Type.INT)
    same = Comparison("=", key, Ref(2, schema.types[0]))
    match operator:
        case "group":
            return op.Grouping(source, (0,), (CountRows(), Max(x)), ("n", "greatest"))
        case "difference":
            return op.Difference(source, other)
        case "join":
            return op.Join(source, op.Map(other, (key, x), ("l", "y")), same)
        case "semijoin":
            return op.Semijoin(source, other, same)
        case "partitions":
            return op.PartitionedWindow(source, (0,), 1, 1, False)
        case "union":
            return op.Distinct(op.Union(op.Map(source, (key,), ("k",)), op.Map(other, (key,), ("k",))))
        case _:
            return op.Distinct(source)
