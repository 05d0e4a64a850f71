"""Plans as trees of JSON: what each operator, expression and aggregate says besides its inputs."""

from typing import Any

import pytest

from equivalence.cases.functions import KNOWN_FUNCTIONS
from semantics import parse_plan
from semantics.notation.json_plans import plan_to_json

X = {"op": "column", "type": "int", "index": 0}
ONE = {"op": "constant", "type": "int", "value": 1}
S = "S(x int, s str)"
WIDE = {"rows": 3, "slide": 1, "ties": True}

PARAMETERS: list[tuple[str, dict[str, Any]]] = [
    (S, {"name": "S"}),
    (f"{S} | filter(x > 1)", {"predicate": {"op": ">", "type": "bool", "args": [X, ONE]}}),
    (f"{S} | map(now as t)", {"expressions": [{"op": "now", "type": "int"}]}),
    (f"{S} | map(x mod 1 as m)", {"expressions": [{"op": "mod", "type": "int", "args": [X, ONE]}]}),
    (f"{S} | distinct", {}),
    (f"{S} | total(count(*) as n)", {"aggregates": [{"function": "count rows", "type": "int"}], "on_empty": True}),
    (
        f"{S} | group(s; top(x, 2) as t)",
        {"keys": [1], "aggregates": [{"function": "largest", "type": "int", "rank": 2, "argument": X}]},
    ),
    (
        f"{S} | limit(3 with ties after 1 per s; x desc)",
        {
            "keys": [1],
            "order": [{"column": 0, "descending": True, "nulls_last": True}],
            "count": 3,
            "offset": 1,
            "ranking": "rank",
        },
    ),
    (f"join({S}, T(y int); x = y)", {"condition": {"op": "=", "type": "bool", "args": [X, {**X, "index": 2}]}}),
    (f"union({S}, {S})", {}),
    (f"{S} | window(range unbounded slide 2)", {"size": None, "slide": 2}),
    (f"{S} | window(rows 3 with ties)", WIDE),
    (f"{S} | window(partition by s rows 3 with ties)", {"keys": [1], **WIDE}),
    (f"{S} | window(landmark 4 reset 9)", {"start": 4, "reset": 9}),
    (f"{S} | istream", {}),
    (f"{S} | window(session 5)", {"keys": [], "gap": 5, "touching": False}),
    (
        f"{S} | window(partition by s session 9007199254740993 touching)",
        {"keys": [1], "gap": "9007199254740993", "touching": True},
    ),
    (
        f"{S} | over(count(*) range unbounded as n, first(x) rows 3 as f, last(x) range 0 as l per s; x desc)",
        {
            "keys": [1],
            "order": [{"column": 0, "descending": True, "nulls_last": True}],
            "functions": [
                {
                    "over": "aggregate",
                    "aggregate": {"function": "count rows", "type": "int"},
                    "frame": {"unit": "range", "preceding": None},
                },
                {"over": "first value", "argument": X, "frame": {"unit": "rows", "preceding": 3}},
                {"over": "last value", "argument": X, "frame": {"unit": "range", "preceding": 0}},
            ],
        },
    ),
    (
        f"{S} | over(lag(x, 2) as a, lead(x, 1) as b, row_number() as c, rank() as d, dense_rank() as e)",
        {
            "keys": [],
            "order": [],
            "functions": [
                {"over": "neighbour", "argument": X, "distance": -2},
                {"over": "neighbour", "argument": X, "distance": 1},
                {"over": "place", "ranking": "rows"},
                {"over": "place", "ranking": "rank"},
                {"over": "place", "ranking": "dense"},
            ],
        },
    ),
]


@pytest.mark.parametrize(("text", "parameters"), PARAMETERS)
def test_a_node_has_its_operator_parameters_columns_and_inputs(text: str, parameters: dict[str, Any]) -> None:
    plan = parse_plan(text)
    tree = plan_to_json(plan)
    inputs = [plan_to_json(child) for child in plan.inputs]
    columns = [[c.name, c.type.value] for c in plan.schema.columns]
    expected = {"operator": plan.operator, **parameters, "columns": columns}
    assert tree == ({**expected, "inputs": inputs} if inputs else expected)


def test_functions_are_named_and_patterns_have_their_escape() -> None:
    plan = parse_plan(f"{S} | map(halve(1.5) as h) | filter(h > 1) | group(h; spread(h) as p)", KNOWN_FUNCTIONS)
    grouping = plan_to_json(plan)
    assert isinstance(grouping["aggregates"], list)
    assert grouping["aggregates"][0]["name"] == "spread"
    like = plan_to_json(parse_plan(f"{S} | filter(s like 'a!%' escape '!')"))["predicate"]
    assert isinstance(like, dict)
    assert (like["op"], like["escape"]) == ("like", "!")


def test_numbers_that_json_would_round_are_texts() -> None:
    tree = plan_to_json(parse_plan(f"{S} | map(9007199254740993 as big)"))
    assert isinstance(tree["expressions"], list)
    assert tree["expressions"][0]["value"] == "9007199254740993"
