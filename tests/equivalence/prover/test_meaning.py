"""What terms mean at many points at once, against what they mean at each, written down naively."""

from random import Random

import numpy as np
import pytest

from equivalence.prover.meaning.plan import Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.terms.term import Fresh, SmtSort, Term, Var
from equivalence.verification.prover_probe import term_meaning
from equivalence.verification.prover_probe.normal_forms import KNOWN_VALUES
from semantics import RawStream, evaluate
from semantics.builder.query import Query
from tests.equivalence.prover.meaning import Meaning
from tests.equivalence.prover.test_translation import HORIZON, PLANS, A, B, C, asked, counted, stream

Stated = tuple[Term, tuple[Var, ...]]


def stated(query: Query) -> Stated:
    """How often a row is there at a time, and the variables for these."""
    fresh = Fresh()
    translation = Translation(fresh, SourceTerms({"A": A.schema, "B": B.schema, "C": C.schema}, (), fresh))
    row, time = translation.row(query.schema), Var("t", SmtSort.INT)
    return translation.times(query.plan, row, time), (*row, time)


def as_array(raw: RawStream, points: int) -> term_meaning.Array:
    """Multiplicities by point, value and instant; the stream is the same at all points."""
    times = counted(raw)
    one = np.array([[times.get(((value,), t), 0) for t in range(HORIZON)] for value in KNOWN_VALUES])
    return np.broadcast_to(one, (points, *one.shape))


def both(query: Query, random: Random) -> tuple[list[int], list[int]]:
    """How often some rows are there, one by one and all at once."""
    term, variables = stated(query)
    streams = {name: stream(random, name) for name in "ABC"}
    points = [(*row, t) for row, t in asked(query, evaluate(query, streams, HORIZON).snapshots, random)]
    slow = Meaning({name: counted(raw) for name, raw in streams.items()})
    columns = [
        np.array([term_meaning.NULL if v is None else v for v in column]) for column in zip(*points, strict=True)
    ]
    quick = term_meaning.Meaning(
        {name: as_array(raw, len(points)) for name, raw in streams.items()}, dict(zip(variables, columns, strict=True))
    )
    naive = [slow.of(term, dict(zip(variables, point, strict=True))) for point in points]
    return naive, np.broadcast_to(quick.of(term), len(points)).tolist()


@pytest.mark.parametrize("name", PLANS)
def test_differential_terms_mean_the_same_at_once(name: str) -> None:
    random = Random(name)
    for _ in range(3):
        naive, at_once = both(PLANS[name], random)
        assert naive == at_once


def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """NULL counts as 0 where it is in a stream."""
    monkeypatch.setattr(term_meaning, "NULL", 0)
    differ = [name for name in PLANS if not np.array_equal(*both(PLANS[name], Random(name)))]
    assert len(differ) > 10
