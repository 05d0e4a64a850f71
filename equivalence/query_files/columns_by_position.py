"""One rule for columns of a query and of a file: by name where the file has all of the query's, else by position."""

from collections.abc import Collection, Sequence

from semantics import Plan
from semantics.expression import Ref
from semantics.plan import Map


def named_as_in_file(plan: Plan, names: Sequence[str], roles: Collection[str]) -> Plan:
    """The plan with the file's names for its columns, if the file lacks one of its own and has as many others.

    `roles` are names of columns that say when a row holds and what becomes of it; they are left out of account. Rows in
    envelopes have their names inside.

    >>> from semantics import parse_plan
    >>> total = parse_plan("S(k int, v int) | group(k; sum(v) as sum)")
    >>> named_as_in_file(total, ["op", "k", "sum(v)"], {"op"}).schema.names
    ('k', 'sum(v)')
    >>> named_as_in_file(total, ["sum", "k"], {"op"}).schema.names
    ('k', 'sum')
    """
    if {"before", "after", "payload"} & {name.lower() for name in names}:
        return plan
    own = {name.lower() for name in plan.schema.names}
    others = [name for name in names if name.lower() in own or name.lower() not in roles]
    has_all = own <= {name.lower() for name in names}
    if has_all or len(others) != len(plan.schema) or len(set(others)) != len(others):
        return plan
    return Map(plan, tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types)), tuple(others))
