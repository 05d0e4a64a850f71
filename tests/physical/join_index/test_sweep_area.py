"""Every sweep area does what the abstract data type says, whatever is asked of it; a list of elements is the model."""

from collections.abc import Callable
from operator import eq, le
from random import Random

import numpy as np
import pytest

from physical.columns.column import from_values
from physical.columns.stream import PhysicalStream
from physical.engines.stored.operator_state import StateStores
from physical.join_index.hash_area import HashArea
from physical.join_index.list_area import ListArea
from physical.join_index.ordered_area import KeyBound, OrderedArea
from physical.join_index.sweep_area import Element, Order, SweepArea
from physical.storage.parameters import UpdatePattern
from semantics import Schema, Type
from semantics.expression import Ref
from semantics.value import Row

SCHEMA = Schema.of(x=int)


def stored_list(order: Order) -> SweepArea:
    area = ListArea(SCHEMA, order)
    area.home = StateStores().new_store(SCHEMA, UpdatePattern.RANDOM)
    return area


def hashed(order: Order) -> SweepArea:
    area = HashArea(SCHEMA, [0], [Ref(0, Type.INT)])
    area.order = order
    return area


def sorted_by_key(order: Order) -> SweepArea:
    area = OrderedArea(SCHEMA, 0, [KeyBound("<=", 0)])
    area.order = order
    return area


def always(*_: int) -> bool:
    return True


AREAS: dict[str, tuple[Callable[[Order], SweepArea], Callable[[int, int], bool]]] = {
    "list": (lambda order: ListArea(SCHEMA, order), always),
    "in a store": (stored_list, always),
    "hash": (hashed, eq),
    "ordered": (sorted_by_key, le),
}


def batch(random: Random, since: int) -> PhysicalStream:
    starts = sorted(random.randint(since, since + 5) for _ in range(random.randint(1, 6)))
    ends = [start + random.randint(1, 9) for start in starts]
    values = from_values([random.randint(0, 3) for _ in starts], Type.INT)
    return PhysicalStream(SCHEMA, (values,), np.array(starts), np.array(ends))


def elements(stream: PhysicalStream) -> list[Element]:
    values = stream.columns[0].to_values()
    return [((x,), int(s), int(e)) for x, s, e in zip(values, stream.start, stream.end, strict=True)]


def number(row: Row) -> int:
    (x,) = row
    assert isinstance(x, int)
    return x


def positions(random: Random, size: int) -> list[int]:
    return sorted(random.sample(range(size), random.randint(0, size)))


@pytest.mark.parametrize("order", ["start", "end"])
@pytest.mark.parametrize("kind", AREAS)
@pytest.mark.parametrize("seed", range(8))
def test_an_area_is_a_collection_with_probing_and_eviction(kind: str, order: Order, seed: int) -> None:
    make, meets = AREAS[kind]
    random, area, model, now = Random(seed), make(order), list[Element](), 0
    for _ in range(25):
        action = random.choice(["insert", "insert", "replace", "remove", "extract", "purge", "query"])
        if action == "insert":
            new = batch(random, now)
            area.insert(new)
            model += elements(new)
            now = int(new.start[-1])
        elif action == "replace":
            places = positions(random, len(model))
            old = area.elements.take(np.array(places, np.int64))
            area.replace(np.array(places, np.int64), PhysicalStream(SCHEMA, old.columns, old.start, old.end + 1))
            for place in places:
                row, start, end = model[place]
                model[place] = (row, start, end + 1)
        elif action == "remove":
            places = positions(random, len(model))
            area.remove(np.array(places, np.int64))
            model = [element for place, element in enumerate(model) if place not in places]
        elif action in ("extract", "purge"):
            now += random.randint(0, 4)
            gone = [element for element in model if element[2] <= now]
            model = [element for element in model if element[2] > now]
            if action == "purge":
                area.purge(now)
            else:
                assert elements(area.extract(now)) == in_order(gone, order)
        else:
            probe = batch(random, now)
            found = {(int(p), int(m)) for pairs in area.query(probe) for p, m in zip(*pairs, strict=True)}
            assert found == {
                (i, j)
                for i, (x, s, e) in enumerate(elements(probe))
                for j, (y, t, f) in enumerate(model)
                if s < f and t < e and meets(number(y), number(x))
            }
        assert list(area) == in_order(model, order)
        assert elements(area.elements) == model
        assert len(area) == len(model)


def in_order(found: list[Element], order: Order) -> list[Element]:
    return sorted(found, key=lambda element: element[1 if order == "start" else 2])
