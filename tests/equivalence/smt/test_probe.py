"""Soundness probe over all plans of up to two operators, and that it would notice a prover that is wrong."""

from functools import cache

from equivalence.verification.probing import MORE, NEAR, STREAMS, Probe


@cache
def probe() -> Probe:
    return Probe(2)


def test_what_is_proved_never_differs() -> None:
    assert len(probe().proved) > 0.8 * len(probe().alike)
    assert not list(probe().wrongly_proved())
    assert (STREAMS + MORE) * len(probe().proved) >= 10_000


def test_what_differs_is_never_proved() -> None:
    assert not list(probe().different_but_proved())
    assert len(probe().nearest()) == NEAR


def test_the_probe_tells_plans_apart() -> None:
    assert len(probe().plans) > 300
    assert len(set(probe().prints)) > 100


def test_a_prover_that_proves_everything_is_noticed() -> None:
    assert list(Probe(1, prove=lambda _left, _right: True).different_but_proved())
