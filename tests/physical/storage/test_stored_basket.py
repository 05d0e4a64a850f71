"""A basket whose elements wait in a store does what any basket does."""

from random import Random

import numpy as np
import pytest

from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket
from semantics import Interval, Schema
from tests.physical.storage.stored_basket import StoredBasket

SCHEMA = Schema.of(x=int, y=str)


def batch(random: Random, since: int) -> PhysicalStream:
    rows = [((random.randrange(3), random.choice(["a", None])), Interval(since, since + 1)) for _ in range(3)]
    return PhysicalStream.from_elements(SCHEMA, rows)


@pytest.mark.parametrize("seed", range(5))
def test_differential_both_hold_the_same_at_every_step(seed: int) -> None:
    random, plain, stored = Random(seed), Basket("plain", SCHEMA), StoredBasket("stored", SCHEMA)
    for step in range(60):
        kind, elements = random.randrange(5), batch(random, step)
        seen = np.array([random.random() < 0.5 for _ in range(len(plain))], np.bool_)
        for basket in (plain, stored):
            if kind < 3:
                basket.append(elements, step)
            elif kind == 3:
                basket.remove(seen)
            else:
                basket.clear()
        assert plain.look().batch.to_interval() == stored.look().batch.to_interval()
        assert (len(plain), plain.counts) == (len(stored), stored.counts)
        assert len(stored.home.store) == len(stored)
        stored.audit()
