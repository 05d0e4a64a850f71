"""Pairs of plans as QED writes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from equivalence.command.equiv import Effort
from equivalence.command.equiv_pairs import answer, read_pairs
from equivalence.command.main import app
from equivalence.foreign_plans.errors import PlanError
from equivalence.foreign_plans.qed import read_qed
from tests.equivalence.foreign_plans.qed_plans import (
    NUMBERS,
    UNNAMED,
    Node,
    call,
    column,
    constant,
    filtered,
    group,
    join,
    op,
    pair,
    project,
    query,
    scan,
    values,
    written_out_group,
)

EFFORT = Effort(None, 200, 0, 60.0)
POSITIVE = op(">", column(1), constant(0))
ON_KEYS = op("=", column(0), column(3))
COUNTED = written_out_group(
    scan(), scan(), [column(1)], [op("<=>", column(0), column(2))], call("COUNT"), call("SUM", column(3))
)
"""Rows and the sum of y for each x: inside, the numbers of columns begin one later."""


def verdict(document: Node, tmp_path: Path) -> dict[str, Any]:
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(document))
    (read,) = read_pairs(file, None, "", EFFORT)
    return answer(read)


EQUAL = {
    "filter below project": pair(
        filtered(project(scan(), column(1)), op(">", column(0), constant(0))),
        project(filtered(scan(), POSITIVE), column(1)),
    ),
    "an outer join on a key adds nothing": pair(
        project(join("LEFT", scan(), scan(), op("=", column(1), column(3))), column(0)), project(scan(), column(0))
    ),
    "a join of everything": pair(
        project(join("INNER", scan(), scan(), ON_KEYS), column(0), column(4)), project(scan(), column(0), column(1))
    ),
    "exists and semi join": pair(
        filtered(scan(), query("EXISTS", filtered(scan(), op("=", column(1), column(4))))),
        join("SEMI", scan(), scan(), op("=", column(1), column(4))),
    ),
    "an anti join": pair(
        filtered(scan(), op("NOT", query("EXISTS", filtered(scan(), op("=", column(1), column(4)))))),
        join("ANTI", scan(), scan(), op("=", column(1), column(4))),
    ),
    "a group as two ways write it": pair(COUNTED, group(scan(), [column(1)], call("COUNT"), call("SUM", column(2)))),
    "no key, a row for nothing": pair(
        {"aggregate": {"function": [call("COUNT", column(1))], "source": filtered(scan(), op("FALSE"))}},
        values(["BIGINT"], [constant(0)]),
    ),
    "a scalar query": pair(
        project(
            scan(),
            query(
                "$SCALAR_QUERY",
                {"aggregate": {"function": [call("MAX", column(4))], "source": filtered(scan(), ON_KEYS)}},
                kind="INTEGER",
            ),
        ),
        project(scan(), column(1)),
    ),
    "nothing is known of the function": pair(
        project(scan(), op("FETCHVAL", column(2, "JSONB"), constant("'a'", "STRING"), kind="JSONB")),
        project(
            filtered(scan(), op("OR", op("TRUE"), op("FALSE"))),
            op("FETCHVAL", column(2, "JSONB"), constant("'a'", "STRING"), kind="JSONB"),
        ),
        UNNAMED,
    ),
    "the only function there is": pair(
        project(scan(), op("FUNCTION", column(1, "STRING"), kind="STRING")),
        project(scan(), op("FUNCTION", column(1, "STRING"), kind="STRING")),
        UNNAMED,
        shown="project └── reverse(c1:2)",
    ),
    "is null as a comparison": pair(
        filtered(scan(), op("IS NOT", column(1), constant("NULL", "ANYELEMENT"))),
        filtered(scan(), op("IS NOT NULL", column(1))),
    ),
    "what is guaranteed": pair(
        filtered(scan(), op("IS NOT FALSE", POSITIVE)), scan(), {**NUMBERS, "guaranteed": [POSITIVE]}
    ),
    "constants as keys are no places": pair(
        group(project(scan(), constant(2), column(1)), [column(0)], call("COUNT")),
        project(
            group(scan(), [op("+", constant(1), constant(1), kind="INTEGER")], call("COUNT")), constant(2), column(1)
        ),
    ),
}
DIFFERENT = {
    "the last of two groups": pair(COUNTED, group(scan(), [column(1)], call("COUNT"), call("SUM", column(0)))),
    "a group without keys has no row for nothing": pair(
        written_out_group(scan(), scan(), [], [], call("COUNT")),
        {"aggregate": {"function": [call("COUNT")], "source": scan()}},
    ),
    "duplicates": pair({"distinct": project(scan(), column(1))}, project(scan(), column(1))),
    "a condition of an outer join is no filter": pair(
        join("LEFT", scan(), filtered(scan(), POSITIVE), ON_KEYS),
        filtered(join("LEFT", scan(), scan(), ON_KEYS), op(">", column(4), constant(0))),
    ),
    "a constant that an outer join pads": pair(
        project(
            join("LEFT", scan(), project(scan(), column(1), constant(7)), op("=", column(0), column(3))), column(4)
        ),
        project(join("LEFT", scan(), scan(), op("=", column(0), column(4))), constant(7)),
    ),
    "a query that sees the wrong rows": pair(
        filtered(scan(), query("EXISTS", filtered(scan(), op("=", column(1), column(4))))),
        filtered(scan(), query("EXISTS", filtered(scan(), op("=", column(1), column(5))))),
    ),
    "whole numbers are cut": pair(
        project(scan(), op("/", column(1), constant(2), kind="INTEGER")),
        project(scan(), op("/", op("+", column(1), constant(1), kind="INTEGER"), constant(2), kind="INTEGER")),
    ),
    "COUNT DISTINCT": pair(
        group(scan(), [column(1)], call("COUNT", column(2), distinct=True)),
        group(scan(), [column(1)], call("COUNT", column(2))),
    ),
}
UNREADABLE = {
    "which function": pair(
        project(scan(), op("FUNCTION", column(1, "STRING"), kind="STRING")),
        project(scan(), op("FUNCTION", column(1, "STRING"), kind="STRING")),
        UNNAMED,
        shown="upper(c1:2) lower(c1:2)",
    ),
    "another value with each call": pair(*2 * [project(scan(), constant("random()", "FLOAT"))]),
    "DISTINCT that is only shown": pair(*2 * [group(scan(), [], call("COUNT"))], shown="EXPR$0=[COUNT(DISTINCT $1)]"),
    "a column that is not there": pair(*2 * [project(scan(), column(3))]),
    "a relation that is not known": pair({"window": {}}, scan()),
    "an expression that is none": pair(filtered(scan(), {"operator": 3}), scan()),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_plans_are_proved(name: str, tmp_path: Path) -> None:
    assert verdict(EQUAL[name], tmp_path)["verdict"] == "proved"


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_plans_are_refuted(name: str, tmp_path: Path) -> None:
    assert verdict(DIFFERENT[name], tmp_path)["verdict"] == "refuted"


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(PlanError):
        read_qed(UNREADABLE[name])


def test_a_counterexample_for_one_function_refutes_nothing(tmp_path: Path) -> None:
    differ = pair(
        project(scan(), op("F", column(0), kind="INTEGER")), project(scan(), op("F", column(1), kind="INTEGER"))
    )
    found = verdict(differ, tmp_path)
    assert found["verdict"] == "unknown"
    assert "any_f_0" in found["reason"]


def test_a_folder_is_asked_file_by_file(tmp_path: Path) -> None:
    for name in ("duplicates", "COUNT DISTINCT"):
        (tmp_path / f"{name}.json").write_text(json.dumps(DIFFERENT[name]))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "third.json").write_text(json.dumps(UNREADABLE["which function"]))
    result = CliRunner().invoke(app, ["equiv", "--pairs", str(tmp_path), "--json"])
    shown = json.loads(result.output)
    assert shown["verdicts"] == {"refuted": 2, "unreadable": 1}
    assert [found["name"] for found in shown["results"]] == ["COUNT DISTINCT", "duplicates", "more/third"]
