"""Plans as Calcite's RelJsonWriter writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from equivalence.command.equiv import Effort
from equivalence.command.equiv_pairs import answer, read_pairs
from equivalence.foreign_plans.errors import PlanError
from equivalence.foreign_plans.rel_json import read_rel_json
from semantics import StreamError

Node = dict[str, Any]
EFFORT = Effort(None, 200, 0, 60.0)
TABLES = """
    CREATE TABLE EMP(EMPNO INT PRIMARY KEY, SAL INT, DEPTNO INT NOT NULL);
    CREATE TABLE DEPT(DEPTNO INT PRIMARY KEY, NAME TEXT)
"""


def of(index: int) -> Node:
    return {"input": index, "name": f"${index}"}


def op(name: str, *operands: Node, kind: str | None = None, **more: object) -> Node:
    typed = {} if kind is None else {"type": {"type": kind, "nullable": True}}
    return {"op": {"name": name, "kind": name, "syntax": "SPECIAL"}, "operands": list(operands), **typed, **more}


def literal(value: object, kind: str = "INTEGER") -> Node:
    return {"literal": value, "type": {"type": kind, "nullable": value is None}}


def outer(name: str) -> Node:
    return {"field": name, "expr": {"correl": "$cor0", "type": {"fields": [], "nullable": False}}}


def scan(table: str) -> Node:
    return {"relOp": "LogicalTableScan", "table": ["SALES", table], "inputs": []}


def where(condition: Node, **more: object) -> Node:
    return {"relOp": "LogicalFilter", "condition": condition, **more}


def project(*exprs: Node) -> Node:
    return {"relOp": "LogicalProject", "fields": [f"F{i}" for i in range(len(exprs))], "exprs": list(exprs)}


def call(name: str, *operands: int, **more: object) -> Node:
    kind = {"type": {"type": "BIGINT", "nullable": True}, "distinct": False}
    return {
        "agg": {"name": name, "kind": name, "syntax": "FUNCTION"},
        "operands": list(operands),
        "name": "A",
        **kind,
    } | more


def aggregate(group: list[int], *aggs: Node, **more: object) -> Node:
    return {"relOp": "LogicalAggregate", "group": group, "aggs": list(aggs), **more}


def plan(*rels: Node) -> Node:
    return {"rels": [{"id": str(i), **rel} for i, rel in enumerate(rels)]}


def join(kind: str, condition: Node) -> Node:
    return {"relOp": "LogicalJoin", "condition": condition, "joinType": kind, "inputs": ["0", "1"]}


def values(kind: str, *rows: list[object]) -> Node:
    tuples = [[literal(value, kind) for value in row] for row in rows]
    return {
        "relOp": "LogicalValues",
        "type": [{"type": kind, "nullable": True, "name": "V"}],
        "tuples": tuples,
        "inputs": [],
    }


BOTH = (scan("EMP"), scan("DEPT"))
SAME_DEPT = op("=", of(2), of(3))
IN_DEPT = op("EXISTS", subquery=plan(scan("EMP"), where(op("=", of(2), outer("DEPTNO")))))
FIRST = {"collation": [{"field": 0, "direction": "DESCENDING", "nulls": "LAST"}], "fetch": literal(2)}
RANGES = {
    "literal": {"rangeSet": [["singleton", 1], ["closedOpen", 5, 7]], "nullAs": "UNKNOWN"},
    "type": {"type": "INTEGER"},
}
EQUAL = {
    "a filter into a join": (
        plan(*BOTH, join("inner", SAME_DEPT), where(op(">", of(1), literal(10))), project(of(0), of(4))),
        plan(
            scan("EMP"),
            scan("DEPT"),
            where(op(">", of(1), literal(10)), inputs=["0"]),
            {**join("inner", SAME_DEPT), "inputs": ["2", "1"]},
            project(of(0), of(4)),
        ),
    ),
    "a join that a key makes needless": (
        plan(*BOTH, join("left", SAME_DEPT), project(of(0))),
        plan(scan("EMP"), project(of(0))),
    ),
    "two aggregates as one": (
        plan(
            scan("EMP"),
            aggregate([0, 2], call("SUM", 1), call("COUNT")),
            aggregate([1], call("SUM", 2), call("$SUM0", 3)),
        ),
        plan(scan("EMP"), aggregate([2], call("SUM", 1), call("COUNT"))),
    ),
    "a filtered aggregate": (
        plan(
            scan("EMP"),
            project(of(2), op("IS TRUE", op(">", of(1), literal(3)))),
            aggregate([0], call("COUNT", filter=1)),
        ),
        plan(
            scan("EMP"),
            project(of(2), op("CASE", op(">", of(1), literal(3)), literal(1), literal(None), kind="INTEGER")),
            aggregate([0], call("COUNT", 1)),
        ),
    ),
    "grouping sets": (
        plan(scan("DEPT"), aggregate([0], call("COUNT"), groups=[[0], []])),
        plan(
            scan("DEPT"),
            aggregate([0], call("COUNT")),
            {**aggregate([], call("COUNT")), "inputs": ["0"]},
            project(literal(None), of(0)),
            {"relOp": "LogicalUnion", "all": True, "inputs": ["1", "3"]},
        ),
    ),
    "exists and semi join": (
        plan(scan("DEPT"), where(IN_DEPT, variablesSet=["$cor0"])),
        plan(scan("DEPT"), scan("EMP"), join("semi", op("=", of(0), of(4)))),
    ),
    "a variable that nobody declares": (
        plan(scan("DEPT"), where(IN_DEPT)),
        plan(scan("DEPT"), where(IN_DEPT, variablesSet=["$cor0"])),
    ),
    "a correlated count": (
        plan(
            scan("DEPT"),
            scan("EMP"),
            where(op("=", of(2), outer("DEPTNO")), inputs=["1"]),
            aggregate([], call("COUNT")),
            {"relOp": "LogicalCorrelate", "correlation": "$cor0", "joinType": "left", "inputs": ["0", "3"]},
            project(of(0), of(2)),
        ),
        plan(scan("DEPT"), scan("EMP"), join("left", op("=", of(0), of(4))), aggregate([0], call("COUNT", 2))),
    ),
    "ranges": (
        plan(scan("EMP"), where(op("SEARCH", of(1), RANGES))),
        plan(
            scan("EMP"),
            where(
                op("OR", op("=", of(1), literal(1)), op("AND", op(">=", of(1), literal(5)), op("<", of(1), literal(7))))
            ),
        ),
    ),
    "the first rows": (
        plan(scan("EMP"), project(of(0)), {"relOp": "LogicalSort", **FIRST}),
        plan(scan("EMP"), {"relOp": "LogicalSort", **FIRST}, project(of(0))),
    ),
    "rows of constants": (
        plan(values("INTEGER", [1], [None])),
        plan(values("INTEGER", [None], [1]), where(op("OR", op("IS NULL", of(0)), op("=", of(0), literal(1))))),
    ),
}
DIFFERENT = {
    "the last input": (
        plan(*BOTH, join("left", SAME_DEPT), project(of(4))),
        plan(*BOTH, join("inner", op("=", of(0), of(3))), project(of(4))),
    ),
    "union without all": (
        plan(scan("EMP"), project(of(2)), {"relOp": "LogicalUnion", "all": False, "inputs": ["1", "1"]}),
        plan(scan("EMP"), project(of(2)), {"relOp": "LogicalUnion", "all": True, "inputs": ["1", "1"]}),
    ),
    "whole numbers": (
        plan(scan("EMP"), aggregate([], call("AVG", 1))),
        plan(scan("EMP"), aggregate([], call("MAX", 1))),
    ),
    "rows of constants": (plan(values("INTEGER", [1], [None])), plan(values("INTEGER", [1], [0]))),
    "descending": (
        plan(scan("EMP"), project(of(0)), {"relOp": "LogicalSort", **FIRST}),
        plan(
            scan("EMP"),
            project(of(0)),
            {"relOp": "LogicalSort", "collation": [{"field": 0, "direction": "ASCENDING"}], "fetch": literal(2)},
        ),
    ),
}
UNREADABLE = {
    "a table that is not declared": plan(scan("BONUS")),
    "OVER": plan(scan("EMP"), project(op("SUM", of(1), window={}))),
    "a column of nobody": plan(scan("EMP"), where(op("=", of(2), outer("DEPTNO")))),
    "a relation that is not known": plan(scan("EMP"), {"relOp": "LogicalMatch"}),
    "an input that is not there": plan(scan("EMP"), project(of(3))),
    "no relations": {"rels": []},
}


def verdict(left: Node, right: Node, tmp_path: Path) -> str:
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps({"q1": left, "q2": right, "catalog": TABLES}))
    (read,) = read_pairs(file, None, "", EFFORT)
    return str(answer(read)["verdict"])


@pytest.mark.parametrize("name", EQUAL)
def test_equal_plans_are_proved(name: str, tmp_path: Path) -> None:
    assert verdict(*EQUAL[name], tmp_path) == "proved"


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_plans_are_refuted(name: str, tmp_path: Path) -> None:
    assert verdict(*DIFFERENT[name], tmp_path) == "refuted"


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(PlanError):
        read_rel_json(UNREADABLE[name], plan(scan("EMP")), TABLES)


def test_a_plan_and_a_query_are_no_pair(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps({"q1": plan(scan("EMP")), "q2": "SELECT * FROM EMP", "catalog": TABLES}))
    with pytest.raises(StreamError, match="q1"):
        list(read_pairs(file, None, "", EFFORT))
