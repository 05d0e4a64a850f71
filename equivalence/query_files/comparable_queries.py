"""Two queries that are to be compared: about the same sources, and with columns that can be matched."""

from equivalence.query_files.query_over_files import QueryOverFiles
from semantics import Plan, SchemaError
from semantics.expression import Ref
from semantics.plan import Map
from semantics.sql import Catalogue, Declaration
from semantics.sql.to_text.declarations import declaration_to_sql


def check_same_declarations(left: QueryOverFiles, right: QueryOverFiles) -> None:
    """Raise a SchemaError unless what both queries read is declared alike: columns, time, keys, kind and time unit.

    A plan in the notation declares columns only. These are compared where the plans are.
    """
    for name in left.plan.sources().keys() & right.plan.sources().keys():
        mine, theirs = left.declaration(name), right.declaration(name)
        if mine is None or theirs is None or left.catalogue is None or right.catalogue is None:
            continue
        if not _alike(mine, theirs) or left.catalogue.unit != right.catalogue.unit:
            texts = [_text(one, of) for one, of in ((mine, left.catalogue), (theirs, right.catalogue))]
            raise SchemaError(f"source {name} is declared in two ways: {'; '.join(texts)}")


def _alike(mine: Declaration, theirs: Declaration) -> bool:
    """The order in which constraints are written does not matter."""
    same_constraints = set(mine.constraints) == set(theirs.constraints)
    return mine.schema == theirs.schema and _times(mine) == _times(theirs) and same_constraints


def _times(declared: Declaration) -> tuple[object, ...]:
    return declared.ordered, declared.valid, set(declared.timestamps), declared.clock


def _text(declared: Declaration, catalogue: Catalogue) -> str:
    return f"{declaration_to_sql(declared)}, time unit {catalogue.unit}"


def matched_by_name(left: Plan, right: Plan) -> Plan:
    """The right plan with its columns in the order of the left one, if both have the same names; else as it is."""
    names = left.schema.names
    if right.schema.names == names or set(right.schema.names) != set(names):
        return right
    positions = [right.schema.names.index(name) for name in names]
    return Map(right, tuple(Ref(i, right.schema.types[i]) for i in positions), names)


def have_other_names(left: Plan, right: Plan) -> bool:
    """Are the columns compared by position, because the names differ?"""
    return set(left.schema.names) != set(right.schema.names)
