"""A net that is driven by chance: elements come, promises are made, baskets are disabled, and anything ready fires."""

from collections.abc import Sequence
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.basket import Basket
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from physical.planning.planner import physical_plan
from semantics import RawStream, col, count, evaluate, source, sum_
from semantics.builder.query import Query
from semantics.plan import Filter
from semantics.value import Row

S = source("S", id=int, x=int)
R = source("R", id=int, x=int)
HORIZON = 30
LIMIT = 8
VALUES = (0, 1, 2, 3, 5, LIMIT, None)
POOL: tuple[Query, ...] = (
    S,
    S.filter(col("x") < 2),
    S.filter((col("x") >= 2) & (col("x") < 5)),
    S.filter(col("x") >= 5),
    S.filter(col("x") > 0).select(y=col("x") + 1),
    S.window(3).group_by("x").aggregate(n=count()),
    S.filter(col("x") >= 2).window(4).aggregate(total=sum_(col("x"))),
    S.window(2).prefix("s_").join(R.window(3).prefix("r_"), col("s_x") == col("r_x")),
    S.union(R).window(2).distinct(),
    S.filter(col("x") < 3).union(S.filter(col("x") >= 3)),
    S.rows(2),
    R.filter(col("x") < 3),
)
Elements = list[tuple[Row, int]]


def constraint() -> Filter:
    """What elements of S must satisfy: x is below the limit; NULL does not break it."""
    plan = S.filter(col("x") < LIMIT).plan
    assert isinstance(plan, Filter)
    return plan


class NetMachine(RuleBasedStateMachine):
    """Whatever happens in whatever order, every query gives what the reference says of the elements that came."""

    strategies: ClassVar[Sequence[Strategy]] = STRATEGIES
    pool: ClassVar[Sequence[Query]] = POOL

    @initialize(data=st.data())
    def build(self, data: st.DataObject) -> None:
        self.queries = data.draw(st.lists(st.sampled_from(self.pool), min_size=1, max_size=5), "queries")
        setting = Setting(
            strategy=data.draw(st.sampled_from(list(self.strategies)), "strategy"),
            split=data.draw(st.sampled_from(("query", "reader", "operator")), "split"),
            batch=data.draw(st.integers(1, 4), "batch"),
            inner_batch=data.draw(st.integers(1, 3), "inner batch"),
            constraints={"S": (constraint().predicate,)},
        )
        raw = frozenset(data.draw(st.sets(st.sampled_from("SR")), "raw"))
        self.graph = QueryNet(setting, HORIZON)
        self.results: list[list[PhysicalStream]] = [[] for _ in self.queries]
        for query, results in zip(self.queries, self.results, strict=True):
            self.graph.add(physical_plan(query.plan, raw)).subscribers.append(results.append)
        self.came: dict[str, Elements] = {name: [] for name in ("S", "R")}
        self.now = dict.fromkeys(self.graph.sources, 0)

    def source(self, name: str) -> Basket:
        return self.graph.sources[name][0].basket

    @property
    def open(self) -> list[str]:
        return [name for name in self.graph.sources if self.source(name).open]

    @property
    def baskets(self) -> list[Basket]:
        return list(self.graph.net.baskets.values())

    @precondition(lambda self: self.open)
    @rule(
        data=st.data(), values=st.lists(st.tuples(st.sampled_from(VALUES), st.integers(0, 2)), min_size=1, max_size=4)
    )
    def receive(self, data: st.DataObject, values: list[tuple[int | None, int]]) -> None:
        """Elements come, each with a number of its own, none of them running anything yet."""
        name = data.draw(st.sampled_from(self.open), "source")
        batch: Elements = []
        for x, step in values:
            self.now[name] = min(self.now[name] + step, HORIZON - 6)
            batch.append(((len(self.came[name]) + len(batch), x), self.now[name]))
        self.came[name] += batch
        self.source(name).append(PhysicalStream.of(RawStream(S.schema, batch)), self.now[name])

    @precondition(lambda self: self.open)
    @rule(data=st.data(), urgent=st.booleans())
    def promise(self, data: st.DataObject, urgent: bool) -> None:
        name = data.draw(st.sampled_from(self.open), "source")
        self.source(name).append(PhysicalStream.empty(S.schema), self.now[name], urgent)

    @precondition(lambda self: self.graph.scheduler.ready())
    @rule(data=st.data(), times=st.integers(1, 6))
    def fire(self, data: st.DataObject, times: int) -> None:
        """Any transition that is ready fires."""
        for _ in range(times):
            ready = self.graph.scheduler.ready()
            if ready:
                ready[data.draw(st.integers(0, len(ready) - 1), "transition")].fire()

    @rule(data=st.data())
    def toggle(self, data: st.DataObject) -> None:
        """Any basket is disabled, or enabled again."""
        basket = data.draw(st.sampled_from(self.baskets).map(lambda b: b.name), "basket")
        self.graph.net.baskets[basket].enable(not self.graph.net.baskets[basket].enabled)

    @invariant()
    def nothing_is_lost(self) -> None:
        if hasattr(self, "graph"):
            self.graph.net.audit()

    @invariant()
    def what_breaks_the_constraint_is_counted(self) -> None:
        if "S" in getattr(self, "now", {}):
            broken = sum(row[1] == LIMIT for row, _ in self.came["S"])
            assert self.source("S").counts.dropped == broken

    def teardown(self) -> None:
        """Nothing more comes: everything that is not delivered yet is, and no basket holds anything or is locked."""
        if not hasattr(self, "graph"):
            return
        for basket in self.baskets:
            basket.enable()
        self.run()
        for name in self.graph.sources:
            self.source(name).append(PhysicalStream.empty(S.schema), HORIZON, urgent=True)
        self.run()
        assert all(basket.open and not basket.urgent and not len(basket) for basket in self.baskets)
        self.nothing_is_lost()
        self.check_results()

    def run(self) -> None:
        """Fire until nothing is ready, which must come about soon."""
        for _ in range(200):
            if not self.graph.scheduler.step():
                return
        raise AssertionError("something is ready again and again")

    def check_results(self) -> None:
        kept = [(row, t) for row, t in self.came["S"] if row[1] != LIMIT]
        case = {"S": RawStream(S.schema, kept), "R": RawStream(R.schema, self.came["R"])}
        for query, results in zip(self.queries, self.results, strict=True):
            result = joined([PhysicalStream.empty(query.schema), *results])
            assert result.to_logical(HORIZON) == evaluate(query, case, HORIZON)
