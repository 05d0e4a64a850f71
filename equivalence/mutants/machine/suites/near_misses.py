"""Plans that a rewrite may look at twice: one side of its rule, but for one column.

The conditions of rewrites are mostly about which columns are used where. An instance of a rule meets them all, and a
random plan hardly one of them.
"""

from dataclasses import replace

from equivalence.cases.aggregate_parameters import with_any_parameter
from equivalence.cases.choices import Choices
from equivalence.cases.random_aggregates import ALL_KINDS
from semantics import Expression, Plan, Scope, SnapeqError
from semantics.expression import Ref, children, refs
from semantics.plan import Binary, Grouping, Unary
from semantics.rebuild import with_children, with_expressions


def near_miss(choices: Choices, plan: Plan) -> Plan | None:
    """The plan with another column somewhere, one more aggregate or one more key; None if that is no plan."""
    nodes = [node for node in plan.walk() if isinstance(node, Grouping) or any(map(_uses, node.own_expressions))]
    if not nodes:
        return None
    node = choices.of(nodes)
    try:
        return plan.replaced(node, _changed(choices, node))
    except SnapeqError:
        return None


def _changed(choices: Choices, node: Plan) -> Plan:
    if isinstance(node, Grouping) and choices.chance(2, 3):
        return _with_another_aggregate(choices, node) if choices.chance(3, 4) else _with_another_key(choices, node)
    assert isinstance(node, Unary | Binary)
    scope = node.scope
    return with_expressions(node, lambda expression: _with_another_column(choices, expression, scope))


def _with_another_aggregate(choices: Choices, node: Grouping) -> Plan:
    index = choices.below(len(node.input.schema))
    column = Ref(index, node.input.schema.types[index])
    kinds = [make for allowed, make in ALL_KINDS.values() if column.type in allowed]
    another = with_any_parameter(choices, choices.of(kinds)(column))
    free = [name for name in node.input.schema.names if name not in node.schema.names]
    name = choices.of(["another", *free])  # a rewrite may have to tell it from a column of that name
    return replace(node, aggregates=(*node.aggregates, another), names=(*node.names, name))


def _with_another_key(choices: Choices, node: Grouping) -> Plan:
    others = [i for i in range(len(node.input.schema)) if i not in node.keys]
    return replace(node, keys=(*node.keys, choices.of(others))) if others else node


def _with_another_column(choices: Choices, expression: Expression, scope: Scope) -> Expression:
    """One use of a column, here or further down, becomes that of another column of its type."""
    if isinstance(expression, Ref):
        return Ref(choices.of([i for i, type_ in enumerate(scope.types) if type_ is expression.type]), expression.type)
    parts = list(children(expression))
    using = [i for i, part in enumerate(parts) if _uses(part)]
    if not using:
        return expression
    place = choices.of(using)
    parts[place] = _with_another_column(choices, parts[place], scope)
    return with_children(expression, parts)


def _uses(expression: Expression) -> bool:
    return any(True for _ in refs(expression))
