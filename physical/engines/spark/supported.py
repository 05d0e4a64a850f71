"""Which plans run on Spark."""

from semantics import Plan, Type, Unsupported
from semantics.newer_types import types_in


def is_supported(plan: Plan) -> bool:
    """Are all types of the plan there? All operators are."""
    return _missing(plan) is None


def check_supported(plan: Plan) -> None:
    """Raises Unsupported if a type is not there, by its name."""
    missing = _missing(plan)
    if missing is not None:
        raise Unsupported(f"Spark: {missing} does not run there yet; the engine interval has it")


def _missing(plan: Plan) -> str | None:
    return next((type_.name for type_ in types_in(plan) if _is_missing(type_)), None)


def _is_missing(type_: Type) -> bool:
    """Is it a type that Spark has no columns of, or one with such a part?"""
    if type_.element is not None:
        return _is_missing(type_.element)
    parts = [part for _, part in type_.fields or ()]
    return type_ in (Type.TIME, Type.MONTH_INTERVAL) or any(map(_is_missing, parts))
