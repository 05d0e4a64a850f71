"""Sessions and OVER: what is proved of them, and that what is nearly true is refuted by a model that replays."""

import pytest

from equivalence.prover.prove import prove
from semantics import FOREVER, Query, col, count, dense_rank, lag, lead, max_, rank, row_number, source, sum_
from semantics.builder.over_functions import first_value, last_value

A = source("A", k=int, x=int)
POSITIVE = col("k") > 1
Pair = tuple[Query, Query]

EQUAL: dict[str, Pair] = {
    "a filter of groups through sessions": (
        A.session(5, by="k").filter(POSITIVE),
        A.filter(POSITIVE).session(5, by="k"),
    ),
    "the end of a session is a gap after some row": (
        A.session(5).filter(col("session_start") + 5 <= col("session_end")),
        A.session(5),
    ),
    "a filter of groups through numbers": (
        A.over(by="k", n=row_number()).filter(POSITIVE),
        A.filter(POSITIVE).over(by="k", n=row_number()),
    ),
    "a frame of an instant as an aggregate": (
        A.over(n=count().over(range_=0)).select("n").distinct(),
        A.aggregate(n=count()),
    ),
    "the last row of a frame of rows": (
        A.over(z=last_value("x", rows=3)),
        A.select("k", "x", z=col("x")),
    ),
    "the first row does not depend on the frame's unit": (
        A.over(by="k", z=first_value("x")),
        A.over(by="k", z=first_value("x", rows=FOREVER)),
    ),
}
DIFFERENT: dict[str, Pair] = {
    "a longer gap": (A.session(2), A.session(3)),
    "a gap that touches": (A.session(2), A.session(2, touching=True)),
    "sessions of all for those of each": (A.session(2, by="k"), A.session(2)),
    "a frame of one more row": (A.over(s=sum_("x").over(rows=1)), A.over(s=sum_("x").over(rows=2))),
    "a frame of one more instant": (A.over(m=max_("x").over(range_=0)), A.over(m=max_("x").over(range_=1))),
    "rows for instants": (A.over(n=count().over(rows=1)), A.over(n=count().over(range_=1))),
    "rank for number": (A.over(n=rank()), A.over(n=row_number())),
    "dense rank for rank": (A.over(n=dense_rank(), order="x"), A.over(n=rank(), order="x")),
    "the next row for the one before": (A.over(z=lag("x")), A.over(z=lead("x"))),
    "the last peer for the row": (A.over(z=last_value("x")), A.over(z=last_value("x", rows=FOREVER))),
    "the first row of a shorter frame": (A.over(z=first_value("x", range_=0)), A.over(z=first_value("x"))),
}


@pytest.mark.parametrize("name", EQUAL)
def test_proved(name: str) -> None:
    assert prove(*EQUAL[name]).kind == "proved"


@pytest.mark.parametrize("name", DIFFERENT)
def test_refuted_by_a_model(name: str) -> None:
    verdict = prove(*DIFFERENT[name])
    assert (verdict.kind, verdict.evidence["how"]) == ("refuted", "model")
