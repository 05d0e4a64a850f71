"""INSERT INTO … query: a stream that queries fill, as the factories of DataCell fill baskets."""

from sqlglot import exp

from semantics.expression import Ref
from semantics.plan import Map, Plan, Union
from semantics.schema import Schema
from semantics.sql.catalogue import Catalogue, Derived
from semantics.sql.errors import one_of, wrong, wrong_names
from semantics.sql.grammar.nodes import Insert
from semantics.sql.to_plan.part import renamed
from semantics.sql.to_plan.queries import query_plan
from semantics.sql.type_names import sql_type


def insert(node: Insert, catalogue: Catalogue) -> None:
    """Let a stream hold what a query gives; several queries fill it together, and nothing else comes from outside."""
    name, query = node.this, node.args["query"]
    for table in query.find_all(exp.Table):
        if table.name.lower() == name.name.lower():
            raise wrong(table, f"{table.name} is filled by this query, which cannot read it", "another stream")
    plan = query_plan(query, catalogue)
    known = catalogue.find(name.name, exactly=name.quoted)
    if known is None:
        columns = [column.name for column in node.args.get("columns") or ()]
        catalogue.add(Derived(name.name, _named(plan, columns, node), filled=True))
        return
    fitting = _fitting(plan, known.schema, node)
    if isinstance(known, Derived):
        _check_filled(known, name)
        fitting = Union(known.plan, fitting)
    elif known.is_table:
        raise wrong(name, f"{known.name} is a table, which is the same at all times", "a stream, or a new name")
    catalogue.relations[known.name] = Derived(known.name, fitting, filled=True)


def _check_filled(known: Derived, name: exp.Identifier) -> None:
    if not known.filled:
        raise wrong(name, f"{known.name} is what its own query gives", "a declared stream, or a new name")


def _named(plan: Plan, columns: list[str], node: Insert) -> Plan:
    if columns and len(columns) != len(plan.schema):
        raise wrong_names(node, len(columns), len(plan.schema))
    return renamed(plan, columns) if columns else plan


def _fitting(plan: Plan, schema: Schema, node: Insert) -> Plan:
    """The query's columns in the order of the stream's, under its names."""
    columns = node.args.get("columns")
    names = [column.name.lower() for column in columns] if columns else [name.lower() for name in schema.names]
    if sorted(names) != sorted(name.lower() for name in schema.names):
        raise wrong(node, "INSERT must give each column of the stream once", one_of(schema.names))
    _check_types(plan, schema, names, node)
    order = [names.index(name.lower()) for name in schema.names]
    return Map(plan, tuple(Ref(i, plan.schema.types[i]) for i in order), schema.names)


def _check_types(plan: Plan, schema: Schema, names: list[str], node: Insert) -> None:
    by_name = {column.name.lower(): column.type for column in schema.columns}
    wanted = tuple(by_name[name] for name in names)
    if plan.schema.types != wanted:
        here, there = (", ".join(map(sql_type, types)) for types in (plan.schema.types, wanted))
        raise wrong(node.args["query"], f"the query's columns are {here}", f"columns of the types {there}")
