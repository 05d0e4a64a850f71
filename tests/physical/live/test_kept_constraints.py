"""Constraints of live streams: what is let in keeps them, and nothing else is set aside."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from physical.columns.stream import PhysicalStream
from physical.live.kept_constraints import KeptConstraints, without
from physical.live.settings import Settings
from physical.live.system import LiveSystem
from semantics import FOREVER, Interval, IntervalStream, Schema
from semantics.constraint import Case, Key, NotNull, Once, References, Unique, admits
from semantics.constraint import Constraint as Known
from semantics.sql import Constraint
from semantics.value import Row
from tests.physical.live.systems import bids, kill, new_system, rows_of

SCHEMA = Schema.of(k=float, x=int)
TABLE = PhysicalStream.from_elements(Schema.of(id=int), [((i,), Interval(0, FOREVER)) for i in (0, 1)])
CASES: list[tuple[Constraint, Known]] = [
    (Constraint("NOT NULL", ("k",)), NotNull("S", ("k",))),
    (Constraint("PRIMARY KEY", ("k", "x")), Key("S", ("k", "x"))),
    (Constraint("UNIQUE", ("k",)), Unique("S", ("k",))),
    (Constraint("ONCE", ("k", "x")), Once("S", ("k", "x"))),
    (Constraint("REFERENCES", ("x",), "T", ("id",)), References("S", ("x",), "T", ("id",))),
]


def drawn(random: Random, instants: bool) -> PhysicalStream:
    """Rows with NULL, both zeros and NaN in any order, a few at each instant."""
    elements = []
    for _ in range(random.randrange(1, 30)):
        row = (random.choice([None, 0.0, -0.0, 1.5, float("nan")]), random.choice([None, 0, 1, 2]))
        start = random.randrange(12)
        elements.append((row, Interval(start, start + (1 if instants else random.randrange(1, 6)))))
    elements.sort(key=lambda element: element[1].start)
    order = random.sample(range(len(elements)), len(elements))
    return PhysicalStream.from_elements(SCHEMA, elements).take(np.array(order))


@pytest.mark.parametrize(("declared", "meant"), CASES, ids=lambda c: getattr(c, "kind", ""))
@pytest.mark.parametrize("seed", range(40))
def test_oracle_a_row_is_let_in_if_the_constraint_admits_it(declared: Constraint, meant: Known, seed: int) -> None:
    random = Random(seed)
    kept = KeptConstraints(SCHEMA, [declared], {"T": TABLE})
    case: Case = {"S": IntervalStream(SCHEMA, ()), "T": TABLE.to_interval()}
    let_in: list[tuple[Row, Interval]] = []
    promised = 0
    for _ in range(3):
        batch = drawn(random, instants=declared.kind == "ONCE" or seed % 2 == 0)
        broken = kept.broken(batch, promised)
        for i, (row, start, end) in enumerate(batch.to_elements()):
            element = (row, Interval(start, end))
            right = start < promised or admits(meant, element, let_in, case)
            assert (i not in broken) == right, (element, let_in)
            if right and start >= promised:
                let_in.append(element)
        assert len(without(batch, broken)) == len(batch) - len(broken)
        promised += random.randrange(4)


CATALOGUE = """
CREATE STREAM Bid(item INT PRIMARY KEY, price FLOAT NOT NULL, ts BIGINT) ORDERED BY ts;
CREATE STREAM Sale(item INT REFERENCES Bid(item), buyer TEXT, ts BIGINT) ORDERED BY ts;
"""
BIDS = [(1, 1.0, 0), (1, 2.0, 0), (2, 1.0, 0), (2, "", 1), (1, 1.0, 1), (3, 1.0, 1), (3, 2.0, 1)]


def of_bids(system: LiveSystem, *rows: tuple[object, ...]) -> tuple[int, int]:
    receipt = system.accept(bids(*rows))
    return receipt.elements, receipt.bad


def test_a_row_that_breaks_a_constraint_is_a_bad_line(tmp_path: Path) -> None:
    system = new_system(bad=tmp_path / "bad.jsonl", catalogue=CATALOGUE, settings=Settings(batch=2))
    query = system.add("all", "SELECT item, price FROM Bid")
    assert of_bids(system, *BIDS) == (4, 3)
    system.end()
    assert [row[:2] for row in rows_of(query)] == [(1, 1.0), (2, 1.0), (1, 1.0), (3, 1.0)]
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [line["line"] for line in bad] == ["1,2.0,0", "2,,1", "3,2.0,1"]
    assert "1 at 0 breaks PRIMARY KEY (item): an earlier row has it at the same time, too" in bad[0]["reason"]
    assert bad[1]["reason"] == "column price: NULL breaks NOT NULL; expected a value"


def test_a_late_row_takes_no_key_away() -> None:
    once = CATALOGUE.replace("PRIMARY KEY", "ONCE")
    system = new_system(catalogue=once)
    assert of_bids(system, (1, 1.0, 5)) == (1, 0)
    assert of_bids(system, (2, 1.0, 0)) == (1, 0)
    assert system.core.session.entrances["Bid"].late == 1
    assert of_bids(system, (2, 1.0, 6), (1, 1.0, 7)) == (1, 1)


def test_killed_after_any_record_it_knows_the_keys(tmp_path: Path) -> None:
    once = CATALOGUE.replace("PRIMARY KEY", "ONCE")
    seen = []
    for number, row in enumerate([(1, 1.0, 0), (2, 1.0, 1), (1, 1.0, 2), (2, 1.0, 3), (3, 1.0, 4)]):
        system = new_system(tmp_path, catalogue=once)
        if number % 2:
            assert system.checkpoint()
        seen.append(of_bids(system, row))
        kill(system)
    assert seen == [(1, 0), (1, 0), (0, 1), (0, 1), (1, 0)]


def test_a_state_belongs_to_its_constraints(tmp_path: Path) -> None:
    kill(new_system(tmp_path, catalogue=CATALOGUE))
    with pytest.raises(Exception, match="its streams are declared in another way"):
        new_system(tmp_path, catalogue=CATALOGUE.replace("PRIMARY KEY", "UNIQUE"))


def test_keys_that_no_row_can_meet_are_forgotten() -> None:
    kept = KeptConstraints(SCHEMA, [Constraint("PRIMARY KEY", ("x",))])
    for t in range(1000):
        row = PhysicalStream.from_elements(
            SCHEMA, [((0.0, t), Interval(t, t + 3)), ((0.0, -t - 1), Interval(t, t + 3))]
        )
        assert kept.broken(row, t) == {}
    assert kept.bytes < 10 * 250
