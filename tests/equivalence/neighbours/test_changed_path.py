"""A neighbour that is the same where it differs from its plan is the same as a whole, and is not evaluated further."""

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from equivalence.cases.random_plans import choose_nested_plan
from equivalence.neighbours.changed_path import changed_path, same_somewhere
from equivalence.neighbours.neighbours_of import neighbours_of
from semantics import ArithmeticOverflow, FunctionError, TooManyChanges, parse, parse_plan
from semantics.fold import fold_plan
from semantics.sparse import SparseEvaluation, first_difference


def test_what_is_the_same_on_the_path_is_the_same_as_a_whole() -> None:
    seen = {True: 0, False: 0}
    for number in range(60):
        choices = SeededChoices(f"path/{number}")
        plan = fold_plan(choose_nested_plan(choices))
        evaluation = SparseEvaluation(choose_case(choices, plan.sources()), CASE_HORIZON, limit=5000)
        for neighbour in neighbours_of(plan):
            try:
                shortcut = same_somewhere(changed_path(plan, neighbour.plan), evaluation)
                differs = first_difference(evaluation.of(plan), evaluation.of(neighbour.plan)) is not None
            except (ArithmeticOverflow, FunctionError, TooManyChanges):
                continue
            seen[shortcut] += 1
            assert not (shortcut and differs)
            assert shortcut or differs or evaluation.of(plan) == evaluation.of(neighbour.plan)
    assert min(seen.values()) > 50


def test_nothing_above_is_evaluated_once_both_are_the_same() -> None:
    plans = [parse_plan(f"A(x int) | window(range {n}) | map(x * x as y)") for n in (3, 4)]
    evaluation = SparseEvaluation({"A": parse(f"raw(x int): ({2**62})@5")}, 7)
    path = changed_path(*plans)
    assert [one.operator for one, _ in path] == ["TimeWindow", "Map"]
    assert same_somewhere(path, evaluation)  # and x * x, which overflows, is not computed


def test_a_path_ends_where_more_than_one_input_differs() -> None:
    plans = [parse_plan(f"union(A(x int) | window(range {n}), A(x int) | window(range {n}))") for n in (3, 4)]
    assert [one.operator for one, _ in changed_path(*plans)] == ["Union"]
    other = parse_plan("difference(A(x int) | window(range 3), A(x int) | window(range 3))")
    assert [one.operator for one, _ in changed_path(plans[0], other)] == ["Union"]
