"""Any strategy, any firing order, any batch size, any number of queries: nothing is lost, nothing is seen twice."""

from collections.abc import Sequence
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket, Content, Counts, Mark
from physical.engines.dataflow.factory import ChainPort, Port, SharedPort
from physical.engines.dataflow.sharing import PARTIAL, SEPARATE, SHARED, PartialDeletes, SharedBasket, Strategy
from physical.engines.dataflow.transition import Copy, Unlock
from semantics import Expression
from tests.physical.engines.dataflow.machine import NetMachine

QUIET = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
WELL = settings(max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=QUIET)
UNTIL_WRONG = settings(
    WELL, max_examples=150, phases=(Phase.generate,), database=None, derandomize=True, report_multiple_bugs=False
)


@pytest.mark.parametrize("strategy", [SEPARATE, SHARED, PARTIAL], ids=lambda strategy: strategy.name)
def test_any_way_to_run_gives_what_the_reference_says(strategy: Strategy) -> None:
    class OneStrategy(NetMachine):
        strategies: ClassVar[Sequence[Strategy]] = (strategy,)

    run_state_machine_as_test(OneStrategy, settings=WELL)


class UnlocksEarly(SharedBasket):
    """The basket is emptied and opened when the first reader is done."""

    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, has_read[:1])


class RemovesTooMuch(PartialDeletes):
    """A reader removes all elements that it wants, even if others want them, too."""

    def removable(self, own: Expression | None, later: list[Expression | None]) -> Expression | None:
        return own


def keeps_what_was_read(port: Port, content: Content) -> None:
    """What was read is read again."""


def clears_a_shared_basket(port: SharedPort, content: Content) -> None:
    port.basket.clear()


def removes_all(port: ChainPort, content: Content) -> None:
    """Where a part may be removed, all is."""
    if port.has_read is port.basket.free or port.predicate is not None:
        port.basket.remove(content.batch.start >= 0)
        port.basket.urgent = port.has_read is not port.basket.free


def counts_one_too_few(basket: Basket, batch: PhysicalStream) -> PhysicalStream:
    """Every second element breaks a constraint."""
    return batch.take(batch.start % 2 == 0)


def copies_only_to_the_first(copy: Copy) -> None:
    content = copy.basket.look()
    copy.copies[0][0].append(*content)
    copy.basket.clear()


def first_of_many(basket: Basket) -> Content:
    """Of a batch one element is read, and the whole batch is removed."""
    return WHOLE(basket)._replace(batch=WHOLE(basket).batch.take(slice(1)))


WHOLE = Basket.look
UNCOUNTED = property(lambda counts: 0, lambda counts, number: None)
PATCHES: dict[str, tuple[type, str, object, Strategy]] = {
    "double consumption": (Port, "done", keeps_what_was_read, SEPARATE),
    "a reader empties a shared basket": (SharedPort, "done", clears_a_shared_basket, SHARED),
    "more is removed than was read": (ChainPort, "done", removes_all, PARTIAL),
    "a filter drops too much": (Basket, "valid", counts_one_too_few, SHARED),
    "dropped and not counted": (Counts, "dropped", UNCOUNTED, SHARED),
    "a batch counted wrongly": (Basket, "look", first_of_many, PARTIAL),
    "one copy only": (Copy, "work", copies_only_to_the_first, SEPARATE),
}


def caught(strategy: Strategy) -> bool:
    class Wrong(NetMachine):
        strategies: ClassVar[Sequence[Strategy]] = (strategy,)

    try:
        run_state_machine_as_test(Wrong, settings=UNTIL_WRONG)
    except Exception:
        return True
    return False


@pytest.mark.parametrize("wrong", [UnlocksEarly(), RemovesTooMuch()], ids=lambda wrong: type(wrong).__name__)
def test_the_machine_catches_a_wrong_strategy(wrong: Strategy) -> None:
    assert caught(wrong)


@pytest.mark.parametrize("name", PATCHES)
def test_the_machine_catches_a_wrong_part(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    owner, method, wrong, strategy = PATCHES[name]
    monkeypatch.setattr(owner, method, wrong)
    assert caught(strategy)
