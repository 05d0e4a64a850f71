"""Every configuration of a store in lockstep with a plain dictionary."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from equivalence.cases.choices import SeededChoices
from equivalence.stores.check_store import FLOATS, TEXTS, check_store
from equivalence.stores.configurations import Configuration, configurations
from equivalence.stores.lockstep import Lockstep
from physical.storage.patterns import Consume, Expire
from semantics.value import Row

IN_MEMORY = list(configurations((None,)))
IN_SQLITE = list(configurations(("sqlite",)))
IN_DUCKDB = list(configurations(("duckdb",)))
ROWS = st.tuples(st.integers(0, 3), st.sampled_from(TEXTS), st.sampled_from(FLOATS))
IDS = st.integers(-1, 12)


class StoreMachine(RuleBasedStateMachine):
    """Requests in any order, as producer and consumers of the configuration may make them."""

    lockstep: Lockstep

    @initialize(configuration=st.sampled_from(IN_MEMORY) | st.sampled_from(IN_SQLITE))
    def open(self, configuration: Configuration) -> None:
        self.folder = TemporaryDirectory()
        self.lockstep = Lockstep(configuration, Path(self.folder.name))

    @property
    def configuration(self) -> Configuration:
        return self.lockstep.configuration

    @rule(row=ROWS, length=st.integers(1, 3))
    def insert(self, row: Row, length: int) -> None:
        self.lockstep.insert(row if self.configuration.typed else row[:length])

    @precondition(lambda self: self.lockstep.replacing)
    @rule(row=ROWS, key=st.integers(0, 3))
    def replace(self, row: Row, key: int) -> None:
        self.lockstep.insert(row, [key])

    @precondition(lambda self: self.configuration.producer is Expire.ORDERED)
    @rule(id=IDS)
    def expire_up_to(self, id: int) -> None:
        self.lockstep.expire_up_to(id)

    @precondition(lambda self: self.configuration.producer is Expire.UNORDERED)
    @rule(ids=st.lists(IDS, max_size=4))
    def expire(self, ids: list[int]) -> None:
        self.lockstep.expire(ids)

    @rule(data=st.data(), id=IDS, ids=st.lists(IDS, max_size=4), ordered=st.booleans())
    def consume(self, data: st.DataObject, id: int, ids: list[int], ordered: bool) -> None:
        consumer = data.draw(st.sampled_from(self.configuration.consumers))
        if consumer.consume is Consume.EAGER and not ordered:
            self.lockstep.consume(consumer.name, ids)
        elif consumer.consume is not Consume.NEVER:
            self.lockstep.consume_up_to(consumer.name, id)

    @rule(data=st.data(), offered=st.lists(ROWS, max_size=2))
    def read(self, data: st.DataObject, offered: list[Row]) -> None:
        consumer = data.draw(st.sampled_from(self.configuration.consumers))
        self.lockstep.next_item(consumer.name, offered)

    @rule(data=st.data(), id=IDS)
    def get(self, data: st.DataObject, id: int) -> None:
        self.lockstep.get(data.draw(st.sampled_from(self.configuration.consumers)).name, id)

    @rule(value=st.integers(0, 4))
    def wait_for(self, value: int) -> None:
        self.lockstep.when(value)

    @rule()
    def collect(self) -> None:
        self.lockstep.collect()

    @rule()
    def commit(self) -> None:
        self.lockstep.commit()

    @rule()
    def crash(self) -> None:
        self.lockstep.crash()

    @invariant()
    def agree(self) -> None:
        if hasattr(self, "lockstep"):
            self.lockstep.check()

    def teardown(self) -> None:
        if hasattr(self, "lockstep"):
            self.lockstep.close()
            self.folder.cleanup()


StoreMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestStores = StoreMachine.TestCase


@pytest.mark.parametrize(
    ("listed", "every"), [(IN_MEMORY, 11), (IN_SQLITE, 101), (IN_DUCKDB, 997)], ids=["memory", "sqlite", "duckdb"]
)
def test_configurations_agree_with_their_model(listed: list[Configuration], every: int) -> None:
    chosen = enumerate(listed[::every])
    assert all(check_store(configuration, SeededChoices(f"model/{i}")) is None for i, configuration in chosen)


def test_every_value_of_every_parameter_is_configured() -> None:
    assert {c.producer for c in IN_MEMORY} == set(Expire)
    assert {c.consume for configuration in IN_MEMORY for c in configuration.consumers} == set(Consume)
    assert {len(c.consumers) for c in IN_MEMORY} == {1, 2, 3}
    assert len(IN_MEMORY) == len(set(IN_MEMORY)) == len(IN_SQLITE) == len(IN_DUCKDB)
