"""A counterexample as a test to paste into a suite: it fails for as long as the sides differ."""

from equivalence.counterexample import Counterexample
from equivalence.rule import Equivalence
from semantics import show
from semantics.notation import show_multiset
from semantics.render import show_name


def as_test(
    found: Counterexample,
    *,
    name: str = "counterexample",
    engine: str | None = None,
    equivalence: Equivalence = "snapshot-multiset",
) -> str:
    """The text of a pytest module with one test.

    >>> from semantics import Multiset, parse
    >>> plans = parse("S(x int)"), parse("S(x int) | distinct")
    >>> streams = {"S": parse("raw(x int): (7)@0 (7)@0")}
    >>> print(as_test(Counterexample(plans, streams, 0, Multiset({(7,): 2}), Multiset([(7,)]))))
    from semantics import evaluate, parse, parse_plan
    <BLANKLINE>
    <BLANKLINE>
    def test_counterexample() -> None:
        streams = {
            'S': parse('raw(x int): (7)@0 (7)@0'),
        }
        left = evaluate(parse_plan('S(x int)'), streams, horizon=1).at(0)
        right = evaluate(parse_plan('S(x int) | distinct'), streams, horizon=1).at(0)
        assert left == right
    <BLANKLINE>
    """
    sides = [f"left = {_evaluated(found, 0)}", f"right = {_right(found, engine)}"]
    body = ["streams = {", *_streams(found), "}", *sides, _assertion(equivalence)]
    head = [*_imports(found, engine), "", "", f"def test_{_word(name)}() -> None:"]
    return "\n".join([*head, *(f"    {line}" for line in body), ""])


def _streams(found: Counterexample) -> list[str]:
    return [f"    {name!r}: parse({show(stream)!r})," for name, stream in sorted(found.streams.items())]


def _evaluated(found: Counterexample, side: int) -> str:
    horizon = found.instant + 1
    return f"evaluate(parse_plan({show(found.plans[side])!r}), streams, horizon={horizon}).at({found.instant})"


def _right(found: Counterexample, engine: str | None) -> str:
    """Another plan; or what an engine gives; or, where it is neither, what people expect."""
    if len(found.plans) > 1:
        return _evaluated(found, 1)
    if engine is None:
        return f"parse({show_multiset(found.right)!r})"
    call = f"run_engine(load_engine({engine!r}), parse_plan({show(found.plans[0])!r}), streams, {found.instant + 1})"
    return f"{call}.at({found.instant})"


def _imports(found: Counterexample, engine: str | None) -> list[str]:
    ours = ["from equivalence.engines import load_engine, run_engine"] if _by_engine(found, engine) else []
    return [*ours, "from semantics import evaluate, parse, parse_plan"]


def _by_engine(found: Counterexample, engine: str | None) -> bool:
    return engine is not None and len(found.plans) == 1


def _assertion(equivalence: Equivalence) -> str:
    return "assert left.support == right.support" if equivalence == "snapshot-set" else "assert left == right"


def _word(name: str) -> str:
    """The name as part of a Python name."""
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in show_name(name).lower())
    return plain.strip("_") or "counterexample"
