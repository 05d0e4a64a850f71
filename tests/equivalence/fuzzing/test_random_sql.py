"""The generator of SQL: what it writes is valid, and the reference, SQLite and DuckDB agree on what it means."""

import pytest
from sqlglot import exp, parse_one

from equivalence.cases.choices import ReplayedChoices, SeededChoices
from equivalence.fuzzing.fuzz_finding import features
from equivalence.fuzzing.random_sql import choose_query
from equivalence.fuzzing.relational_reading import read_relational
from equivalence.fuzzing.relational_schema import RelationalSchema, choose_schema
from equivalence.fuzzing.small_databases import answers, free_databases, tables_of
from equivalence.fuzzing.sql_executors import Executor, Refused, executors, same_rows
from semantics.constraint import broken

QUERIES = 60


def drawn(number: int) -> tuple[RelationalSchema, str]:
    choices = SeededChoices(f"test/{number}")
    schema = choose_schema(choices)
    return schema, choose_query(choices, schema)


@pytest.mark.parametrize("system", executors(), ids=lambda system: system.name)
def test_the_reference_agrees_with_other_systems(system: Executor) -> None:
    compared = 0
    queries = [drawn(number) for number in range(QUERIES)]
    readable = [(schema, sql) for schema, sql in queries if " OVER (" not in sql]  # it has windows over time alone
    assert len(readable) > QUERIES * 0.8
    for number, (schema, sql) in enumerate(readable):
        (case,) = free_databases(schema, 1, number)
        (rows,) = answers(read_relational(sql, schema), [case])
        try:
            got = system.run(schema.ddl, tables_of(case), sql)
        except Refused:
            continue  # SQLite knows no HAVING without an aggregate beside it
        assert rows is None or same_rows(got, list(rows)), sql
        compared += 1
    assert compared > len(readable) * 0.9


def test_every_clause_is_drawn() -> None:
    found = frozenset[str]().union(*(features(drawn(number)[1]) for number in range(300)))
    wanted = {"LEFT JOIN", "FULL JOIN", "RIGHT JOIN", "With", "Union", "Except", "Intersect", "Exists", "In", "Having"}
    wanted |= {"Limit", "Distinct", "Group", "Coalesce", "Case", "Nullif", "Between", "NullSafeNEQ", "Cast", "Subquery"}
    wanted |= {"Window", "Offset", "Avg", "Mod", "Substring", "Trim", "Length", "Like", "Upper", "Lower", "Replace"}
    assert wanted <= found


def test_each_clause_is_drawn_right_above_others() -> None:
    """What a query over nothing but a derived table has above it, and what that has."""

    def clauses(select: exp.Expr) -> set[str]:
        return {name for name in ("where", "distinct", "group", "limit", "joins") if select.args.get(name)}

    trees = [parse_one(drawn(number)[1]) for number in range(600)]
    stacked = [
        (above, below)
        for tree in trees
        for select in tree.find_all(exp.Select)
        if isinstance(source := select.args["from_"].this, exp.Subquery) and isinstance(source.this, exp.Select)
        for above in clauses(select)
        for below in clauses(source.this)
    ]
    assert {("where", "limit"), ("limit", "limit"), ("where", "group"), ("group", "distinct")} <= set(stacked)
    assert len(set(stacked)) > 20


def test_each_shape_is_drawn_below_each_condition() -> None:
    found = {
        (type(node).__name__, clause)
        for tree in (parse_one(drawn(number)[1]) for number in range(600))
        for node in tree.find_all(exp.Exists, exp.In)
        for select in [node.args.get("query") or node.this]
        if isinstance(select.unnest(), exp.Select)
        for clause in ("where", "distinct", "group", "having", "limit", "joins")
        if select.unnest().args.get(clause)
    }
    assert len(found) == 12


def test_long_chains_of_outer_joins_and_first_rows_of_groups_are_drawn() -> None:
    trees = [parse_one(drawn(number)[1]) for number in range(600)]
    sides = [
        [join.side for join in select.args.get("joins") or []] for tree in trees for select in tree.find_all(exp.Select)
    ]
    assert any(len(chain) > 3 for chain in sides)
    assert any(chain.count("FULL") > 1 for chain in sides)
    assert any(tree.find(exp.RowNumber) for tree in trees)


def test_the_same_choices_make_the_same_query() -> None:
    choices = SeededChoices("again")
    schema = choose_schema(choices)
    sql = choose_query(choices, schema)
    again = ReplayedChoices(choices.made)
    assert choose_query(again, choose_schema(again)) == sql


def test_the_simplest_query_is_simple() -> None:
    schema = choose_schema(ReplayedChoices([]))
    assert choose_query(ReplayedChoices([]), schema) == "SELECT q1.a AS x0 FROM t AS q1"


def test_most_databases_have_rows_in_all_tables() -> None:
    schema = choose_schema(SeededChoices("rows"))
    databases = [tables_of(case) for case in free_databases(schema, 16, "rows")]
    assert sum(all(len(rows) > 1 for rows in tables.values()) for tables in databases) >= 14
    assert len({str(tables) for tables in databases}) == 16


def test_databases_keep_what_is_declared() -> None:
    schemas = [choose_schema(SeededChoices(i)) for i in range(8)]
    assert any(table.key for schema in schemas for table in schema.tables)
    for schema in schemas:
        for case in free_databases(schema, 5, "kept"):
            assert all(broken(constraint, case) is None for constraint in schema.constraints)
