"""Plans written as trees and read back are the same plans; a tree that is no plan is refused with the place in it."""

import json
from typing import Any, get_args

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.functions import KNOWN_FUNCTIONS
from equivalence.cases.random_plans import choose_plan
from semantics import NotationError, Plan, parse_plan
from semantics.aggregate import Aggregate, UserDefined
from semantics.expression import Expression
from semantics.notation.json_expressions import AGGREGATES, FURTHER_AGGREGATES, OPERATIONS, aggregate_to_json
from semantics.notation.json_plans import plan_to_json
from semantics.notation.read_json_aggregates import aggregate_from_json
from semantics.notation.read_json_expressions import OPERATIONS_READ
from semantics.notation.read_json_plans import DEEPEST, READERS, plan_from_json
from tests.semantics.notation.test_json_plans import PARAMETERS

S: dict[str, Any] = {"operator": "Source", "name": "S", "columns": [["x", "int"], ["s", "str"]]}
X = {"op": "column", "type": "int", "index": 0}


def over_the_wire(plan: Plan) -> Any:
    return json.loads(json.dumps(plan_to_json(plan)))


@pytest.mark.parametrize("text", [text for text, _ in PARAMETERS])
def test_every_operator_is_read_as_it_was_written(text: str) -> None:
    plan = parse_plan(text)
    assert plan_from_json(over_the_wire(plan)) == plan


TEXTS = [
    "S(x int, f float) | map(f * -1.5 as a, -x as b, x / 2 as c, case when x > 1 then f else 0.5 end as d)",
    "S(x int, s str) | filter(not (x is null or s like 'a!%' escape '!') and x in (1, 2) and s is distinct from 'q')",
    "S(f float) | group(f; sum(f) as a, avg(f) as b, min(f) as c, max(f) as d, median(f) as e, var_pop(f) as g)",
    "S(x int) | aggregate(count(distinct x) as n, count(x) as m, stddev_pop(x) as d, top(x, 3) as t)",
    "S(x int) | map(9007199254740993 as big, coalesce(x, 7) as y, x mod 3 as z, now as t)",
    "S(x int) | limit(all; x)",
    "S(x int, d decimal(10, 2), t timestamp, a array<int>) | filter(d > cast(x as decimal(5, 1)))",
    "S(s str, x int) | filter(upper(s) like 'A%') | map(substring(s, 1, x) as a, power(x, 2) as b, abs(x) as c)",
    "S(t timestamp) | map(date_trunc('month', t) as m, extract('year', t) as y)",
    "S(x int) | map(row<a int, b array<date>>[1, [date '2024-02-29', null]] as r, true as b, -inf as f)",
    "S(x int) | map(decimal '-12.50' as d, time '23:59:59.5' as t, month_interval '-1-2' as m, '' as s)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_expressions_and_aggregates(text: str) -> None:
    plan = parse_plan(text)
    assert plan_from_json(over_the_wire(plan)) == plan


def test_writing_and_reading_random_plans_are_inverse() -> None:
    read = 0
    for i in range(300):
        tree = over_the_wire(choose_plan(SeededChoices(f"trees-{i}")))
        if not any(function in str(tree) for function in (*map(repr, KNOWN_FUNCTIONS), "'user-defined")):  # in Python
            assert plan_to_json(plan_from_json(tree)) == tree
            read += 1
    assert read > 150


def test_the_reader_knows_what_the_writer_does() -> None:
    assert READERS.keys() == {kind.__name__ for kind in get_args(Plan)}
    assert set(OPERATIONS) < set(get_args(Expression))
    assert {*OPERATIONS.values()} <= set(OPERATIONS_READ)


TREE: dict[str, Any] = {"order": [], "argument": X, "other": X, "by": X, "others": [X], "rank": 2, "fraction": "0.25"}
TEXT: dict[str, Any] = {"argument": {**X, "type": "str"}, "separator": ",", "by": [], "order": []}


@pytest.mark.parametrize("name", [*AGGREGATES, *FURTHER_AGGREGATES])
def test_every_aggregate_is_read_and_written_again(name: str) -> None:
    tree = {"function": name, **(TEXT if "_agg" in name else TREE)}
    made = aggregate_from_json(tree)
    written = aggregate_to_json(made)
    assert written["function"] == name
    assert aggregate_from_json(written) == made


def test_every_aggregate_has_a_name_in_trees() -> None:
    made = {
        type(aggregate_from_json({"function": name, **TREE, **(TEXT if "_agg" in name else {})}))
        for name in (*AGGREGATES, *FURTHER_AGGREGATES)
    }
    assert {*made, UserDefined} == set(get_args(Aggregate))


def filtered(predicate: dict[str, Any]) -> dict[str, Any]:
    return {"operator": "Filter", "predicate": predicate, "inputs": [S]}


def over(function: dict[str, Any]) -> dict[str, Any]:
    columns = [*S["columns"], ["made", "int"]]
    return {"operator": "Over", "keys": [], "order": [], "functions": [function], "columns": columns, "inputs": [S]}


def constant(type_: str, value: object) -> dict[str, Any]:
    return {"op": "constant", "type": type_, "value": value}


WRONG = {
    "no object": ([], "plan: expected an object, got []"),
    "an unknown operator": ({**S, "operator": "Sauce"}, "plan.operator: expected one of Source, Filter"),
    "no operator": ({}, "plan: expected operator; it lacks operator"),
    "no input": ({"operator": "Distinct"}, "plan: Distinct has 1 inputs, got 0"),
    "a parameter that is missing": ({"operator": "TimeWindow", "size": 3, "inputs": [S]}, "it lacks slide"),
    "half a row": (
        {"operator": "CountWindow", "rows": 1.5, "slide": 1, "ties": False, "inputs": [S]},
        "plan.rows: expected a whole number, got 1.5",
    ),
    "a column that is not there": (
        {"operator": "Filter", "predicate": {"op": "is null", "args": [{**X, "index": 9}]}, "inputs": [S]}, "plan: ",
    ),
    "an unknown operation": (
        {"operator": "Filter", "predicate": {"op": "xor", "args": [X, X]}, "inputs": [S]},
        "plan.predicate.op: expected one of column, constant",
    ),
    "too many args": (
        {"operator": "Filter", "predicate": {"op": "not", "args": [X, X]}, "inputs": [S]},
        "plan.predicate: not has another number of args than 2",
    ),
    "an unknown function": (
        filtered({"op": "call", "function": "halve", "args": [X]}),
        "plan.predicate.function: expected a built-in function, got 'halve'",
    ),
    "no name of a function": (filtered({"op": "call", "function": 7}), "expected a built-in function, got 7"),
    "wrong arguments of a function": (
        filtered({"op": "call", "function": "upper", "args": [X]}), "plan.predicate: UPPER: arguments must be",
    ),
    "a row of too many values": (
        filtered(constant("row<a int>", [1, 2])), "plan.predicate.value: expected 1 value, got 2",
    ),
    "a wrong part of a value": (
        filtered(constant("array<row<a int, b bool>>", [[1, True], [2, 3]])),
        "plan.predicate.value[1][1]: expected true or false, got 3",
    ),
    "a number for a text": (filtered(constant("str", 5)), "plan.predicate.value: expected a text, got 5"),
    "a text for a number": (filtered(constant("float", "x")), "plan.predicate.value: expected a number, got 'x'"),
    "a day that does not exist": (filtered(constant("date", "2024-02-30")), "there is no day '2024-02-30'"),
    "a frame of something else": (
        over({"over": "first value", "argument": X, "frame": {"unit": "groups", "preceding": 1}}),
        "plan.functions[0].frame.unit: expected one of rows, range; got 'groups'",
    ),
    "a frame without an end": (
        over({"over": "last value", "argument": X, "frame": {"unit": "rows"}}),
        "plan.functions[0].frame: expected unit, preceding; it lacks preceding",
    ),
    "a function over rows that is unknown": (
        over({"over": "ntile"}), "plan.functions[0].over: expected one of aggregate, first value",
    ),
    "a neighbour at no distance": (
        over({"over": "neighbour", "argument": X, "distance": 0}), "LAG and LEAD go by an integer ≥ 1, got 0",
    ),
    "a frame that looks ahead": (
        over({"over": "first value", "argument": X, "frame": {"unit": "rows", "preceding": -1}}),
        "a frame is of rows or range, 0 or more preceding",
    ),
    "an aggregate of a text that adds": (
        {"operator": "Aggregation", "on_empty": False, "columns": [["n", "str"]], "inputs": [S],
         "aggregates": [{"function": "sum", "argument": {**X, "type": "str"}}]},
        "plan.aggregates[0]: SUM: argument must be INT or FLOAT, got STR",
    ),
    "a column that is no pair": ({**S, "columns": [["x"]]}, 'plan.columns[0]: expected ["name", "type"]'),
    "a name that is no text": ({**S, "name": 5}, "plan.name: expected a text, got 5"),
    "no list": ({**S, "columns": 7}, "plan.columns: expected a list, got 7"),
    "an unknown aggregate": (
        {"operator": "Grouping", "keys": [0], "aggregates": [{"function": "mean"}], "columns": [], "inputs": [S]},
        "plan.aggregates[0].function: expected one of count rows",
    ),
    "columns that the plan has not": (
        {"operator": "Distinct", "columns": [["y", "int"]], "inputs": [S]}, "plan.columns: expected",
    ),
    "a type that does not exist": ({**S, "columns": [["x", "money"]]}, "plan.columns[0]: expected a type"),
    "something below": (
        {"operator": "Union", "inputs": [S, {"operator": "Distinct", "inputs": [7]}]},
        "plan.inputs[1].inputs[0]: expected an object, got 7",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_tree_that_is_no_plan(case: str) -> None:
    tree, message = WRONG[case]
    with pytest.raises(NotationError) as error:
        plan_from_json(tree)
    assert message in str(error.value)


def test_a_tree_that_is_too_deep() -> None:
    tree: dict[str, Any] = S
    for _ in range(DEEPEST):
        tree = {"operator": "Distinct", "inputs": [tree]}
    with pytest.raises(NotationError, match=f"expected at most {DEEPEST} levels"):
        plan_from_json(tree)
