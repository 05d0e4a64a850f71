"""Operators and aggregates by the names that Calcite, CockroachDB and QED give them, as SQL."""

import re
from collections.abc import Sequence
from typing import Final

from equivalence.foreign_plans.errors import PlanError
from equivalence.foreign_plans.sql_types import changes_values, is_opaque, is_untyped, is_whole, may_cut, sql_type

_SAME: Final = {
    "EQ": "=",
    "EQUALS": "=",
    "NE": "<>",
    "!=": "<>",
    "NOT_EQUALS": "<>",
    "LT": "<",
    "GT": ">",
    "LE": "<=",
    "GE": ">=",
    "PLUS": "+",
    "MINUS": "-",
    "MULT": "*",
    "DIV": "/",
    "<=>": "IS NOT DISTINCT FROM",
    "IS": "IS NOT DISTINCT FROM",
    "IS NOT": "IS DISTINCT FROM",
    "CONCAT": "||",
}
_BETWEEN: Final = (
    *("=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "||", "LIKE", "NOT LIKE"),
    *("IS DISTINCT FROM", "IS NOT DISTINCT FROM"),
)
_BEHIND: Final = ("IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE")
_BEFORE: Final = {"NOT": "NOT", "-": "-", "UNARY MINUS": "-", "+": "", "UNARY PLUS": ""}
_DISTINCT: Final = {"IS NOT DISTINCT FROM": "IS NULL", "IS DISTINCT FROM": "IS NOT NULL"}
_ARITHMETIC: Final = ("+", "-", "*", "/", "||", "LIKE", "NOT LIKE", "MOD", "%")
_FUNCTIONS: Final = ("COALESCE", "NULLIF", "ABS", "LOWER", "UPPER")
NULL: Final = "NULL"
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
_LITERAL_TYPE: Final = re.compile(r"^(.*?):[A-Z_]+(\(\d+(, ?\d+)?\))?( NOT NULL)?$", re.DOTALL)
_TEXT: Final = re.compile(r"^(?:_[A-Za-z0-9-]+)?'(.*)'$", re.DOTALL)
_DAY: Final = r"\d{4}-[01]\d-[0-3]\d"
_CLOCK: Final = r"[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?"
_MOMENTS: Final = {
    "TIMESTAMP": re.compile(f"{_DAY}( {_CLOCK})?"),
    "DATE": re.compile(_DAY),
    "TIME": re.compile(_CLOCK),
}
_ONE_OF_EQUALS: Final = ("CONST_AGG", "ANY_NOT_NULL_AGG", "CONST_NOT_NULL_AGG")
"""CockroachDB's, for columns in which a group has one value at most, beside NULL where it says so."""
_OVER_ROWS: Final = ("COUNT_ROWS", "COUNTROWS")
_AGGREGATES: Final = {
    **dict.fromkeys(("COUNT", "SUM", "MIN", "MAX", "AVG"), ""),
    **dict.fromkeys(_ONE_OF_EQUALS, "MIN"),
    "SUM_INT": "SUM",
    "SUMINT": "SUM",
    "$SUM0": "SUM",
    "SUM0": "SUM",
    "CONSTAGG": "MIN",
    "ANYNOTNULLAGG": "MIN",
    "CONSTNOTNULLAGG": "MIN",
}


def call(name: str, operands: Sequence[str], kind: str | None, kinds: Sequence[str | None]) -> str | None:
    """The text of an operator over texts, with the types of result and operands where they are known; None: what is it?

    >>> call("EQ", ["a", "1"], "BOOL", ["INT", "INT"]), call("CASE", ["p", "x", "y"], "INT", [None] * 3)
    ('(a = 1)', '(CASE WHEN p THEN x ELSE y END)')
    """
    operator = _SAME.get(name.upper(), name.upper())
    match len(operands):
        case _ if operator in ("AND", "OR"):
            return f"({f' {operator} '.join(operands)})" if operands else "TRUE" if operator == "AND" else "FALSE"
        case _ if operator == "CASE":
            return _case(operands)
        case 1 if operator == "CAST" and kind is not None:
            return _cast(operands[0], kinds[0], kind)
        case 1 if operator in _BEHIND:
            return f"({operands[0]} {operator})"
        case 1 if operator in _BEFORE:
            return f"({_BEFORE[operator]} {operands[0]})"
        case 2 if operator == "/":
            return _quotient(operands[0], operands[1], kind)
        case 2 if operator in _DISTINCT and NULL in operands:
            (tested,) = [operand for operand in operands if operand != NULL] or [NULL]
            return f"({tested} {_DISTINCT[operator]})"
        case n if n >= 2 and operator in _ARITHMETIC and any(each is not None and is_opaque(each) for each in kinds):
            return None
        case n if n >= 2 and operator in ("+", "*", "||"):
            return f"({f' {operator} '.join(operands)})"
        case 2 if operator in _BETWEEN:
            return f"({operands[0]} {operator} {operands[1]})"
        case n if n >= 2 and operator in ("IN", "NOT IN"):
            return f"({operands[0]} {operator} ({', '.join(operands[1:])}))"
        case 2 if operator in ("MOD", "%"):
            return f"MOD({', '.join(operands)})"
        case _ if operator in _FUNCTIONS:
            return f"{operator}({', '.join(operands)})"
    return None


def literal(text: str, kind: str) -> str | None:
    """A constant as it is printed by Calcite or CockroachDB; None: what is it?

    >>> literal("'it''s':VARCHAR(20)", "VARCHAR(20)"), literal("NULL", "INTEGER"), literal("20:BIGINT", "BIGINT")
    ("'it''s'", 'CAST(NULL AS INT)', '20')
    """
    target = sql_type(kind)
    if text.upper() == NULL:
        return NULL if is_untyped(kind) else f"CAST(NULL AS {target})"
    if is_opaque(kind):
        return None
    typed = _LITERAL_TYPE.match(text)
    bare = typed[1] if typed and not (target == "TEXT" and "'" not in text) else text
    if target == "TEXT":
        quoted = _TEXT.match(bare)
        inside = quoted[1].replace("''", "'") if quoted else bare
        return "'" + inside.replace("'", "''") + "'"
    if bare.upper() in ("TRUE", "FALSE") and target == "BOOLEAN":
        return bare.upper()
    if target in ("TIMESTAMP", "DATE", "TIME"):
        quoted = _TEXT.match(bare)
        shown = quoted[1] if quoted else bare
        return f"{target} '{shown}'" if _MOMENTS[target].fullmatch(shown) else None
    if not _NUMBER.fullmatch(bare):
        return None
    return f"CAST('{bare}' AS {target})" if target.startswith("DECIMAL") else f"({bare})" if bare[0] == "-" else bare


def aggregate(name: str, operands: Sequence[str], kind: str | None, *, distinct: bool, condition: str | None) -> str:
    """The text of an aggregate; COUNT of nothing counts rows, COUNT of several those in which none is NULL.

    >>> aggregate("COUNT", [], "BIGINT", distinct=False, condition=None)
    'COUNT(*)'
    """
    operator = name.upper().replace("-", "_")
    where = "" if condition is None else f" FILTER (WHERE {condition})"
    if operator in _OVER_ROWS or (operator == "COUNT" and not operands):
        return f"COUNT(*){where}"
    if operator == "COUNT" and len(operands) > 1 and not distinct:
        known = " AND ".join(f"({operand} IS NOT NULL)" for operand in operands)
        return f"COUNT(CASE WHEN {known} THEN 1 END){where}"
    if operator not in _AGGREGATES or len(operands) != 1:
        raise PlanError(f"the aggregate {name} of {len(operands)} columns is not known here")
    argument = f"{'DISTINCT ' if distinct else ''}{operands[0]}"
    if operator == "AVG" and kind is not None and is_whole(kind):
        return f"DIV(SUM({argument}){where}, COUNT({argument}){where})"
    text = f"{_AGGREGATES[operator] or operator}({argument}){where}"
    return f"COALESCE({text}, 0)" if operator.endswith("SUM0") else text


def _case(operands: Sequence[str]) -> str | None:
    if len(operands) < 2:
        return None
    pairs = zip(operands[0:-1:2], operands[1::2], strict=False)
    arms = " ".join(f"WHEN {condition} THEN {value}" for condition, value in pairs)
    otherwise = f" ELSE {operands[-1]}" if len(operands) % 2 else ""
    return f"(CASE {arms}{otherwise} END)"


def _cast(operand: str, source: str | None, target: str) -> str | None:
    if operand == NULL:
        return f"CAST(NULL AS {sql_type(target)})"
    if source == target:
        return operand
    if source is None or is_opaque(source) or is_opaque(target) or may_cut(source, target):
        return None
    return f"CAST({operand} AS {sql_type(target)})" if changes_values(source, target) else operand


def _quotient(left: str, right: str, kind: str | None) -> str:
    """Calcite cuts the quotient of whole numbers."""
    return f"DIV({left}, {right})" if kind is not None and is_whole(kind) else f"({left} / {right})"
