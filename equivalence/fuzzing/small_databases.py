"""Databases with few rows, many evaluated at once, and where two plans differ on them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import directed_case
from semantics import ArithmeticOverflow, IntervalStream, LogicalStream, Multiset, Plan, Row
from semantics.constraint import ALWAYS, Constraint, elements_of, names
from semantics.evaluate import evaluate_together

AS_IT_COMES: Final = 3
ATTEMPTS: Final = 20

Tables = dict[str, list[Row]]


@dataclass(frozen=True)
class Difference:
    """A database on which two plans give different rows."""

    case: Case
    left: Multiset
    right: Multiset


def tables_of(case: Case) -> Tables:
    """The rows of a case whose streams are tables."""
    return {name: [row for row, _ in elements_of(stream)] for name, stream in case.items()}


def free_databases(schema: RelationalSchema, number: int, seed: object) -> list[Case]:
    """Databases that depend on the schema alone, and keep what it declares. Only one in eight may have empty tables."""
    return [_free_database(schema, f"{seed}/{i}", 3 + i % 4, full=i % 8 != AS_IT_COMES) for i in range(number)]


def _free_database(schema: RelationalSchema, seed: str, size: int, *, full: bool) -> Case:
    """With rows in all tables, if it shall be full: a join or a subquery shows little where nothing can meet."""
    schemas = {table.name: table.schema for table in schema.tables}
    drawn: Case = {}
    for attempt in range(ATTEMPTS):
        choices = SeededChoices(f"{seed}/{schema.ddl}/{attempt}")
        drawn = choose_case(choices, schemas, schema.constraints, max_size=size, awkward=False)
        if not full or all(len(rows) > 1 for rows in tables_of(drawn).values()):
            break
    return drawn


def directed_databases(left: Plan, right: Plan, schema: RelationalSchema, number: int) -> list[Case]:
    """Databases around the constants and columns that both plans speak of."""
    instance = Instance(left, right, known_about(left, right, schema))
    return [directed_case(SeededChoices(f"directed/{i}"), instance) for i in range(number)]


def known_about(left: Plan, right: Plan, schema: RelationalSchema) -> tuple[Constraint, ...]:
    """What is declared of the tables that the plans read."""
    used = {**left.sources(), **right.sources()}
    return tuple(constraint for constraint in schema.constraints if names(constraint) <= set(used))


def answers(plan: Plan, cases: Sequence[Case]) -> list[Multiset | None]:
    """What a plan gives on each database; None where its arithmetic leaves the range of its type."""
    try:
        (snapshots,) = evaluate_together((plan,), _side_by_side(cases, plan.sources()), len(cases))
    except ArithmeticOverflow:
        if len(cases) == 1:
            return [None]
        return [answer for case in cases for answer in answers(plan, [case])]
    return list(snapshots)


def _side_by_side(cases: Sequence[Case], used: Collection[str]) -> dict[str, LogicalStream]:
    """One instant for each database: a query over tables asks at each instant for what is there, and nothing else."""
    return {
        name: LogicalStream(
            cases[0][name].schema, tuple(Multiset(row for row, _ in elements_of(case[name])) for case in cases)
        )
        for name in used
    }


def first_difference(
    cases: Sequence[Case], left: Sequence[Multiset | None], right: Sequence[Multiset | None]
) -> Difference | None:
    """The first of these databases on which the answers differ."""
    for case, mine, other in zip(cases, left, right, strict=True):
        if mine is not None and other is not None and mine != other:
            return Difference(case, mine, other)
    return None


def as_case(tables: Tables, schema: RelationalSchema) -> Case:
    """Rows as streams that are the same at every instant."""
    return {
        table.name: IntervalStream(table.schema, [(row, ALWAYS) for row in tables.get(table.name, [])])
        for table in schema.tables
    }
