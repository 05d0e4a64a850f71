"""Which plans run on Spark."""

from semantics import Plan, Type, Unsupported
from semantics.newer_types import types_in
from semantics.plan import Over, SessionWindow


def is_supported(plan: Plan) -> bool:
    """Are all operators and types of the plan there?"""
    return _missing(plan) is None


def check_supported(plan: Plan) -> None:
    """Raises Unsupported if an operator or a type is not there, by its name.

    Sessions and frames reach across the slices that jobs cut.
    """
    missing = _missing(plan)
    if missing is not None:
        raise Unsupported(f"Spark: {missing} does not run there yet; the engine interval has it")


def _missing(plan: Plan) -> str | None:
    operators = (node.operator for node in plan.walk() if isinstance(node, SessionWindow | Over))
    types = (type_.name for type_ in types_in(plan) if type_ in (Type.TIME, Type.MONTH_INTERVAL) or type_.is_nested)
    return next(operators, None) or next(types, None)
