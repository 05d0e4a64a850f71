"""What a plan means as a term is what the reference says, before the kernel's steps and after them."""

from collections.abc import Sequence
from random import Random
from typing import Final

import pytest

from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.meaning.plan import Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.terms.build import ZERO, at_most
from equivalence.prover.terms.normal_form import total
from equivalence.prover.terms.term import Fresh, SmtSort, Term, Var
from semantics import (
    FOREVER,
    Query,
    RawStream,
    Row,
    case,
    col,
    count,
    count_distinct,
    evaluate,
    max_,
    min_,
    source,
    sum_,
)
from tests.equivalence.prover.meaning import Meaning

A: Final = source("A", x=int)
B: Final = source("B", x=int)
C: Final = source("C", y=int)
HORIZON: Final = 3
POSITIVE: Final = col("x") > 0
SMALL: Final = case((col("x").is_null(), 1), default=0)

PLANS: Final[dict[str, Query]] = {
    "filter": A.filter(POSITIVE),
    "filter or": A.filter(POSITIVE | col("x").is_null()),
    "filter not in": A.filter(~col("x").is_in(1, None)),
    "map": A.select(x=SMALL),
    "map mod": A.select(x=-col("x") % 2),
    "map of map": A.select(x=SMALL).select(x=col("x") + 1),
    "union": A.union(B),
    "difference": A.difference(B),
    "intersection": A.intersection(B),
    "product": A.product(C),
    "join": A.join(C, col("x") == col("y")),
    "left join": A.left_join(C, col("x") == col("y")),
    "right join": A.right_join(C, col("x") < col("y")),
    "full join": A.full_join(C, col("x") >= col("y")),
    "semijoin": A.semijoin(C, col("x") <= col("y")),
    "antijoin": A.antijoin(C, col("x") == col("y")),
    "distinct": A.union(B).distinct(),
    "window": A.window(2),
    "window with slide": A.window(2, 2),
    "sampling window": A.window(1, 2),
    "unbounded window": A.window(FOREVER),
    "window of window": A.window(2).window(2),
    "landmark": A.landmark(1),
    "landmark with reset": A.landmark(0, 2),
    "rows": A.rows(2),
    "rows with slide": A.rows(2, 2),
    "rows with ties": A.rows(1, ties=True),
    "partitions": A.rows(1, by="x"),
    "istream": A.istream(),
    "dstream": A.dstream(),
    "rstream": A.rstream(),
    "istream of window": A.window(2).istream(),
    "count": A.aggregate(x=count()),
    "count of values": A.aggregate(x=count("x")),
    "count of none": A.aggregate(on_empty=True, x=count()),
    "count distinct": A.aggregate(x=count_distinct("x")),
    "sum": A.aggregate(x=sum_("x")),
    "minimum": A.aggregate(x=min_("x")),
    "maximum": A.union(B).aggregate(x=max_("x")),
    "groups": A.group_by("x").aggregate(n=count()),
    "groups of a window": A.window(2).group_by("x").aggregate(n=count("x")),
    "difference of windows": A.window(2).difference(A.window(1)),
    "intersection of windows": A.window(2).intersection(B.window(FOREVER)),
}


def stream(random: Random, name: str) -> RawStream:
    rows = [((random.choice((None, 0, 1, 2)),), random.randrange(HORIZON)) for _ in range(random.randrange(5))]
    return RawStream({"A": A, "B": B, "C": C}[name].schema, sorted(rows, key=lambda element: element[1]))


def counted(raw: RawStream) -> dict[tuple[Row, int], int]:
    return {element: raw.elements.count(element) for element in raw.elements}


def asked(query: Query, snapshots: Sequence[object], random: Random) -> list[tuple[Row, int]]:
    """The rows that are there, and some that are not."""
    width = len(query.schema)
    others = [
        (tuple(random.choice((None, 0, 1, 2)) for _ in range(width)), random.randrange(HORIZON)) for _ in range(3)
    ]
    return [(row, t) for t, rows in enumerate(snapshots) for row in rows.support] + others  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PLANS)
def test_a_term_means_what_its_plan_means(name: str) -> None:
    query, random, fresh = PLANS[name], Random(name), Fresh()
    known = SourceTerms({"A": A.schema, "B": B.schema, "C": C.schema}, (), fresh)
    row, time = Translation(fresh, known).row(query.schema), Var("t", SmtSort.INT)
    plain = Translation(fresh, known).times(query.plan, row, time)
    normal = total(ProofKernel(fresh, (at_most(ZERO, time),)).steps.normal(plain))
    for _ in range(4):
        streams = {source_: stream(random, source_) for source_ in "ABC"}
        meaning = Meaning({source_: counted(raw) for source_, raw in streams.items()})
        snapshots = evaluate(query, streams, HORIZON).snapshots
        for values, t in asked(query, snapshots, random):
            given = dict(zip((*row, time), (*values, t), strict=True))
            terms: list[Term] = [plain, normal]
            assert [meaning.of(term, given) for term in terms] == [snapshots[t][values]] * 2
