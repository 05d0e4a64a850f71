"""Elements of few keys that end one after the other, pushed one by one: who is gone, and who is still there?"""

from random import Random

import pytest

from physical import PhysicalStream, Session
from physical.columns.stream import joined
from semantics import Interval, IntervalStream, Schema, evaluate, parse_plan

SCHEMAS = {"A": Schema.of(x=int, u=int), "B": Schema.of(y=int, v=int)}
A, B = "A(x int, u int)", "B(y int, v int)"
PLANS = [
    f"join({A}, {B}; x = y)",
    f"{A} | group(x; count(*) as n, max(u) as top)",
    f"leftjoin({A}, {B}; x = y)",
    f"{A} | distinct",
]
INSTANTS = 30


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("text", PLANS)
def test_oracle_elements_that_end_one_after_the_other(text: str, seed: int) -> None:
    plan, random = parse_plan(text), Random(f"{text}/{seed}")
    session = Session({name: SCHEMAS[name] for name in plan.sources()})
    results = [PhysicalStream.empty(plan.schema)]
    session.add("q", plan)
    session.subscribe("q", results.append)
    pushed: dict[str, list[tuple[tuple[int, ...], Interval]]] = {name: [] for name in plan.sources()}
    for t in range(INSTANTS):
        for name in random.sample(sorted(pushed), len(pushed)):
            for _ in range(random.randrange(3)):
                element = ((random.randrange(2), random.randrange(2)), Interval(t, t + random.randint(1, 4)))
                session.push(name, IntervalStream(SCHEMAS[name], [element]))
                pushed[name].append(element)
        session.heartbeat(t)
    session.close()
    streams = {name: IntervalStream(SCHEMAS[name], elements) for name, elements in pushed.items()}
    assert joined(results).to_logical(INSTANTS + 5) == evaluate(plan, streams, INSTANTS + 5)
