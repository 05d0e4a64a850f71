"""Constraints of declarations as plans whose results must be empty, so that any engine can check them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from equivalence.query_files.constraint_checks import all_of, dangling, unchecked
from equivalence.query_files.query_over_files import QueryOverFiles
from physical.files.errors import FileError
from semantics.aggregate import CountRows
from semantics.expression import Comparison, Constant, Expression, IsNull, Not, Ref
from semantics.plan import Filter, Grouping, Map, Plan, Source, TimeWindow
from semantics.time import FOREVER
from semantics.value import Row, Type

if TYPE_CHECKING:
    from semantics.sql import Constraint, Declaration


@dataclass(frozen=True)
class ConstraintQuery:
    """A plan for the rows that violate a constraint, and the error for such a row.

    In the texts, `{row}` and `{at}` stand for the row and its instant.
    """

    source: str
    violations: Plan
    problem: str
    expected: str
    column: str = ""
    title: str = ""
    """The constraint as it was declared."""

    def error(self, where: str, row: Row, at: int) -> FileError:
        problem = self.problem.replace("{at}", str(at)).replace("{row}", str(row))
        return FileError(where, problem, self.expected, column=self.column)


def constraint_queries(query: QueryOverFiles, given: Mapping[str, object]) -> tuple[list[ConstraintQuery], list[str]]:
    """All constraints on the streams that are given; and remarks on those that cannot be checked without others."""
    targets = query.relations_over(given)
    queries: list[ConstraintQuery] = []
    remarks: list[str] = []
    for declared in filter(None, map(query.declaration, given)):
        for constraint in declared.constraints:
            if constraint.kind == "REFERENCES" and constraint.table not in targets:
                remarks.append(unchecked(declared, constraint))
            else:
                made = _queries(declared, constraint, targets)
                queries += [replace(one, title=_title(declared, constraint)) for one in made]
    return queries, remarks


def _title(declared: "Declaration", constraint: "Constraint") -> str:
    target = f" {constraint.table}" if constraint.table else ""
    return f"{declared.name} {constraint.kind}{target} ({', '.join(constraint.columns)})"


def _queries(
    declared: "Declaration", constraint: "Constraint", targets: Mapping[str, Plan]
) -> Iterator[ConstraintQuery]:
    match constraint.kind:
        case "NOT NULL":
            yield from _not_null(declared, constraint)
        case "PRIMARY KEY":
            yield from _not_null(declared, constraint)
            yield _unique(declared, constraint)
        case "ONCE":
            yield from _not_null(declared, constraint)
            yield _once(declared, constraint)
        case "UNIQUE":
            yield _unique(declared, constraint)
        case "REFERENCES":
            yield _reference(declared, constraint, targets[constraint.table])
        case _:
            return


def _not_null(declared: "Declaration", constraint: "Constraint") -> Iterator[ConstraintQuery]:
    source, kind = Source(declared.name, declared.schema), constraint.kind
    for name in constraint.columns:
        null = IsNull(_column(declared, name))
        yield ConstraintQuery(
            declared.name, Filter(source, null), f"NULL breaks {kind}", f"a value: {name} is {kind}", name
        )


def _unique(declared: "Declaration", constraint: "Constraint") -> ConstraintQuery:
    """Groups of two rows or more; NULL is equal to nothing."""
    problem = (
        f"{{row}} at {{at}} breaks {constraint.kind} ({', '.join(constraint.columns)}):"
        " another row has it at that time, too"
    )
    violations = _repeated(declared, constraint, Source(declared.name, declared.schema))
    return ConstraintQuery(declared.name, violations, problem, "values that no other row has at the same time")


def _once(declared: "Declaration", constraint: "Constraint") -> ConstraintQuery:
    """The same among all rows so far."""
    problem = f"{{row}} at {{at}} breaks ONCE ({', '.join(constraint.columns)}): another row has it, too"
    so_far = TimeWindow(Source(declared.name, declared.schema), FOREVER)
    violations = _repeated(declared, constraint, so_far)
    return ConstraintQuery(declared.name, violations, problem, "values that no other row has")


def _repeated(declared: "Declaration", constraint: "Constraint", given: Plan) -> Plan:
    """The values that several rows of a snapshot have."""
    names = constraint.columns
    columns = [_column(declared, name) for name in names]
    known: list[Expression] = [Not(IsNull(column)) for column in columns]
    whole = Filter(given, all_of(known))
    groups = Grouping(whole, tuple(column.index for column in columns), (CountRows(),), ("".join(names) + "_",))
    several = Filter(groups, Comparison(">", Ref(len(columns), Type.INT), Constant(1, Type.INT)))
    return Map(several, tuple(Ref(i, column.type) for i, column in enumerate(columns)), names)


def _reference(declared: "Declaration", constraint: "Constraint", target: Plan) -> ConstraintQuery:
    there = f"{constraint.table}({', '.join(constraint.target)})"
    problem, columns = f"{{row}} refers to nothing in {there} at {{at}}", ", ".join(constraint.columns)
    return ConstraintQuery(
        declared.name, dangling(declared, constraint, target), problem, f"values of {there}", columns
    )


def _column(declared: "Declaration", name: str) -> Ref:
    position = declared.schema.names.index(name)
    return Ref(position, declared.schema.types[position])
