"""A counterexample as a test to paste into a suite: it fails for as long as the sides differ.

Such tests outlive many versions in suites of other people, so they import only `snapeq`, whose names stay.
"""

import json

from equivalence.lists.equivalences import Equivalence
from equivalence.report.bounded_evaluation import DENSE_INSTANTS
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.json.document import to_json
from equivalence.verdicts.verdict import Verdict
from semantics import Plan, SnapeqError, parse_plan, show
from semantics.notation.show import show_multiset
from semantics.notation.show_expression import show_name


def as_test(
    found: Counterexample | EngineFault,
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
    from snapeq import evaluate, parse, parse_plan
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
    if isinstance(found, EngineFault):
        return _as_replay(found, engine or "package.module:engine")
    body = ["streams = {", *_streams(found), "}", *_sides(found, engine), _assertion(equivalence)]
    head = [_import(found, engine), "", "", f"def test_{_word(name)}() -> None:"]
    return "\n".join([*head, *(f"    {line}" for line in body), ""])


def _as_replay(found: EngineFault, engine: str) -> str:
    """The text of a pytest module with one test that lets the engine run the case again, just as it was delivered."""
    document = json.dumps(to_json(Verdict("refuted", {}, found)), ensure_ascii=False)
    return "\n".join(
        [
            "from snapeq import read_case, read_json, replay",
            "",
            "",
            f"def test_{_word(found.fault)}() -> None:",
            f"    case = read_case(read_json({document!r}))",
            f"    assert replay(case, {engine!r}).holds",
            "",
        ]
    )


def _streams(found: Counterexample) -> list[str]:
    return [f"    {name!r}: parse({show(stream)!r})," for name, stream in sorted(found.streams.items())]


def _sides(found: Counterexample, engine: str | None) -> list[str]:
    """The lines that compute both sides: two plans; or one plan and an engine; or one plan and the recorded result."""
    horizon, at = found.instant + 1, f".at({found.instant})"
    if len(found.plans) == 2:
        sides = zip(("left", "right"), map(_plan, found.plans), strict=True)
        return [f"{side} = {_evaluate(found)}({plan}, streams, horizon={horizon}){at}" for side, plan in sides]
    run = f"run_engine(load_engine({engine!r}), plan, streams, {horizon}){at}"
    return [
        f"plan = {_plan(found.plans[0])}",
        f"left = evaluate(plan, streams, horizon={horizon}){at}",
        f"right = {run if engine is not None else f'parse({show_multiset(found.right)!r})'}",
    ]


def _evaluate(found: Counterexample) -> str:
    """What evaluates two plans: late instants are reached by changes only."""
    return "evaluate_sparse" if len(found.plans) == 2 and found.instant >= DENSE_INSTANTS else "evaluate"


def _plan(plan: Plan) -> str:
    return f"parse_plan({show(plan)!r}{', GENERATED_FUNCTIONS' if _calls(plan) else ''})"


def _calls(plan: Plan) -> bool:
    """Does the plan call functions that are not part of the notation?"""
    try:
        parse_plan(show(plan))
    except SnapeqError:
        return True
    return False


def _import(found: Counterexample, engine: str | None) -> str:
    names = [_evaluate(found), "parse", "parse_plan"]
    names += ["load_engine", "run_engine"] if engine is not None and len(found.plans) == 1 else []
    names += ["GENERATED_FUNCTIONS"] if any(map(_calls, found.plans)) else []
    return f"from snapeq import {', '.join(sorted(names))}"


def _assertion(equivalence: Equivalence) -> str:
    return "assert left.support == right.support" if equivalence == "snapshot-set" else "assert left == right"


def _word(name: str) -> str:
    """The name as part of a Python name."""
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in show_name(name).lower())
    return plain.strip("_") or "counterexample"
