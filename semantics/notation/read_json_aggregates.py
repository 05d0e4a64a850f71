"""Trees of JSON read back as aggregates; an error says where in the tree something is wrong."""

from collections.abc import Mapping
from typing import Any

from semantics import aggregate as aggregates
from semantics.aggregate import Aggregate
from semantics.errors import NotationError, SnapeqError
from semantics.expression import Expression
from semantics.notation.json_expressions import AGGREGATES, FURTHER_AGGREGATES
from semantics.notation.read_json_expressions import expression_from_json, items, members, one_of, truth, whole
from semantics.ordering import SortKey


def aggregate_from_json(tree: object, where: str = "aggregate") -> Aggregate:
    """The aggregate that `aggregate_to_json` writes as this tree.

    >>> aggregate_from_json({"function": "count rows", "type": "int"})
    CountRows()
    """
    parts = members(tree, where, "function")
    name = one_of(parts["function"], f"{where}.function", (*AGGREGATES, *FURTHER_AGGREGATES))
    if name == "count rows":
        return aggregates.CountRows()
    argument = expression_from_json(members(parts, where, "argument")["argument"], f"{where}.argument")
    plain = name.removesuffix(" distinct")
    try:
        made = _aggregate(plain, argument, parts, where)
        return aggregates.of_distinct(made) if plain != name else made
    except NotationError:
        raise
    except SnapeqError as error:
        raise NotationError(f"{where}: {error}") from None


def sort_key_from_json(tree: object, where: str) -> SortKey:
    """The key that `sort_key_to_json` writes as this tree; where NULLs stand anyway is left out."""
    parts = members(tree, where, "column", "descending", "nulls_last")
    descending = truth(parts["descending"], f"{where}.descending")
    last = truth(parts["nulls_last"], f"{where}.nulls_last")
    return SortKey(whole(parts["column"], f"{where}.column"), descending, None if last == descending else last)


def _aggregate(name: str, argument: Expression, parts: Mapping[str, Any], where: str) -> Aggregate:
    """The aggregate of this name, without DISTINCT."""

    def inner(member: str) -> Expression:
        return expression_from_json(members(parts, where, member)[member], f"{where}.{member}")

    def several(member: str) -> tuple[Expression, ...]:
        return items(members(parts, where, member)[member], f"{where}.{member}", expression_from_json)

    match name:
        case "largest":
            return aggregates.Largest(argument, whole(members(parts, where, "rank")["rank"], f"{where}.rank"))
        case "percentile_cont" | "percentile_disc":
            fraction = aggregates.decimal_fraction(members(parts, where, "fraction")["fraction"])
            return aggregates.Percentile(argument, fraction, name == "percentile_disc")
        case "count distinct rows":
            return aggregates.CountDistinct(argument, several("others"))
        case "string_agg" | "array_agg":
            order = items(members(parts, where, "order")["order"], f"{where}.order", sort_key_from_json)
            separator = members(parts, where, "separator")["separator"] if name == "string_agg" else None
            return aggregates.Listed(argument, separator, several("by"), order)
        case _ if name in aggregates.TWO_ARGUMENTS:
            return aggregates.TWO_ARGUMENTS[name](argument, inner("by" if name.endswith("_by") else "other"))
        case _:
            return aggregates.ONE_ARGUMENT[name](argument)
