"""Is the plan of a certificate a plan? Its fields, inputs, columns and the types of its expressions must fit."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from equivalence.certificates.checker.terms import Refused

Columns = list[list[str]]
NO_INPUTS, ONE_INPUT, TWO_INPUTS = 0, 1, 2
FIELDS: Final[Mapping[str, tuple[int, frozenset[str]]]] = {
    "Source": (NO_INPUTS, frozenset({"name"})),
    "Filter": (ONE_INPUT, frozenset({"predicate"})),
    "Map": (ONE_INPUT, frozenset({"expressions"})),
    "Aggregation": (ONE_INPUT, frozenset({"aggregates", "on_empty"})),
    "Grouping": (ONE_INPUT, frozenset({"keys", "aggregates"})),
    "Limit": (ONE_INPUT, frozenset({"keys", "order", "count", "offset", "ranking"})),
    "TimeWindow": (ONE_INPUT, frozenset({"size", "slide"})),
    "CountWindow": (ONE_INPUT, frozenset({"rows", "slide", "ties"})),
    "PartitionedWindow": (ONE_INPUT, frozenset({"keys", "rows", "slide", "ties"})),
    "LandmarkWindow": (ONE_INPUT, frozenset({"start", "reset"})),
    **dict.fromkeys(("Distinct", "Istream", "Dstream", "Rstream"), (ONE_INPUT, frozenset[str]())),
    **dict.fromkeys(("Union", "Difference", "Intersection", "Product"), (TWO_INPUTS, frozenset[str]())),
    **dict.fromkeys(
        ("Join", "LeftJoin", "RightJoin", "FullJoin", "Semijoin", "Antijoin"), (TWO_INPUTS, frozenset({"condition"}))
    ),
}
NUMBERS: Final = {"size": 1, "slide": 1, "rows": 1, "start": 0, "reset": 1, "count": 0, "offset": 0}
"""The smallest value of each parameter."""
MAY_BE_NULL: Final = ("size", "reset", "count", "offset")
AGGREGATES: Final = {"function", "type", "argument"}


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(f"this is no plan: {what}")


def check_plan(plan: Any, sources: Mapping[str, Columns]) -> Columns:
    """The columns of a plan, if it is one."""
    need(isinstance(plan, dict) and plan.get("operator") in FIELDS, "an operator is expected")
    operator = plan["operator"]
    arity, fields = FIELDS[operator]
    need(set(plan) == {"operator", "columns", *fields} | ({"inputs"} if arity else set()), f"fields of {operator}")
    inputs = [check_plan(each, sources) for each in plan.get("inputs", [])]
    need(len(inputs) == arity, f"{operator} has {arity} inputs")
    for name in fields & set(NUMBERS):
        _number(name, plan[name])
    for name in fields & {"ties", "on_empty"}:
        need(isinstance(plan[name], bool), f"{name} is a truth value")
    made = _columns(plan, operator, inputs, sources)
    stated = plan["columns"]
    need(_types(stated) == _types(made) and all(isinstance(name, str) for name, _ in stated), "columns fit")
    if operator not in ("Map", "Aggregation", "Grouping", "Product") and arity == 1:
        need(stated == made, "columns keep their names")
    return made if operator == "Source" else stated


def _number(name: str, value: Any) -> None:
    if value is None:
        need(name in MAY_BE_NULL, f"{name} is a number")
        return
    plain = isinstance(value, str) and str(int(value)) == value
    need((type(value) is int or plain) and int(value) >= NUMBERS[name], f"{name} is a number")


def _types(columns: Any) -> list[str]:
    need(isinstance(columns, list) and all(isinstance(c, list) and len(c) == 2 for c in columns), "columns are pairs")
    return [type_ for _, type_ in columns]


def _columns(plan: Mapping[str, Any], operator: str, inputs: list[Columns], sources: Mapping[str, Columns]) -> Columns:
    match operator:
        case "Source":
            need(plan["name"] in sources, "the source is declared")
            need(plan["columns"] == sources[plan["name"]], "a source has its columns")
            return sources[plan["name"]]
        case "Map":
            return [["", _expression(e, inputs[0])] for e in plan["expressions"]]
        case "Aggregation" | "Grouping":
            keys = _keys(plan.get("keys", []), inputs[0])
            return [inputs[0][k] for k in keys] + [["", _aggregate(a, inputs[0])] for a in plan["aggregates"]]
        case "Union" | "Difference" | "Intersection":
            need(_types(inputs[0]) == _types(inputs[1]), "both sides have the same types")
            return inputs[0]
        case "Product":
            return [*inputs[0], *inputs[1]]
        case "Join" | "LeftJoin" | "RightJoin" | "FullJoin":
            need(_expression(plan["condition"], [*inputs[0], *inputs[1]]) == "bool", "a condition is a truth value")
            return [*inputs[0], *inputs[1]]
        case "Semijoin" | "Antijoin":
            need(_expression(plan["condition"], [*inputs[0], *inputs[1]]) == "bool", "a condition is a truth value")
            return inputs[0]
        case "Filter":
            need(_expression(plan["predicate"], inputs[0]) == "bool", "a predicate is a truth value")
        case "Limit":
            _keys(plan["keys"], inputs[0])
            _order(plan["order"], inputs[0])
            need(plan["ranking"] in ("rows", "rank", "dense"), "the ranking is known")
        case "PartitionedWindow":
            _keys(plan["keys"], inputs[0])
    return inputs[0]


def _keys(keys: Any, columns: Columns) -> Sequence[int]:
    need(isinstance(keys, list) and all(type(k) is int and 0 <= k < len(columns) for k in keys), "keys are columns")
    need(len(set(keys)) == len(keys), "keys are different columns")
    return list(keys)


def _order(order: Any, columns: Columns) -> None:
    for key in order:
        fields = set(key) == {"column", "descending", "nulls_last"}
        need(fields and all(isinstance(key[f], bool) for f in ("descending", "nulls_last")), "an order has directions")
        _keys([key["column"]], columns)


def _aggregate(of: Any, columns: Columns) -> str:
    need(isinstance(of, dict) and {"function", "type"} <= set(of) <= AGGREGATES, "an aggregate has its fields")
    name, type_ = of["function"], of["type"]
    need((name == "count rows") == ("argument" not in of), "an aggregate has an argument")
    argument = _expression(of["argument"], columns) if "argument" in of else ""
    if name.startswith("count"):
        made = "int"
    elif name in ("min", "max", "mode") or (name == "sum" and argument == "int"):
        made = argument
    else:
        need(argument in ("int", "float"), f"{name} is of numbers")
        made = "float"
    need(made == type_, f"{name} has its type")
    return made


def _expression(of: Any, columns: Columns) -> str:
    """The type of an expression."""
    need(isinstance(of, dict) and {"op", "type"} <= set(of), "an expression has its fields")
    name, type_ = of["op"], of["type"]
    args = [_expression(arg, columns) for arg in of.get("args", [])]
    more = {"column": {"index"}, "constant": {"value"}, "like": {"escape"}}.get(name, set())
    need(set(of) == {"op", "type", *more} | ({"args"} if args else set()), f"fields of {name}")
    need(_made(name, of, args, columns) == type_, f"{name} has its type")
    return str(type_)


def _made(name: Any, of: Mapping[str, Any], args: list[str], columns: Columns) -> str:
    numbers = set(args) <= {"int", "float"}
    match name, args:
        case "column", []:
            return columns[_keys([of["index"]], columns)[0]][1]
        case "constant", []:
            return _constant(of["value"], of["type"])
        case "now", []:
            return "int"
        case (("+" | "-" | "*" | "mod"), [_, _]) if numbers:
            return "int" if set(args) == {"int"} else "float"
        case "/", [_, _] if numbers:
            return "float"
        case "negate", ["int" | "float" as kind]:
            return kind
        case (("=" | "<>" | "<" | "<=" | ">" | ">=" | "is distinct from"), [a, b]) if a == b or numbers:
            return "bool"
        case "in", [_, _, *_] if len(set(args)) == 1 or numbers:
            return "bool"
        case (("and" | "or"), ["bool", "bool"]):
            return "bool"
        case "not", ["bool"]:
            return "bool"
        case "is null", [_]:
            return "bool"
        case "like", ["str", "str"]:
            return "bool"
        case "case", [*branches, default] if len(branches) % 2 == 0 and set(branches[::2]) == {"bool"}:
            return _common([*branches[1::2], default])
        case "coalesce", [_, *_]:
            return _common(args)
    raise Refused(f"this is no plan: no expression {name} of {args}")


def _common(types: list[str]) -> str:
    if len(set(types)) == 1:
        return types[0]
    need(set(types) == {"int", "float"}, "branches have one type")
    return "float"


def _constant(value: Any, type_: Any) -> str:
    kinds = {"int": (int, str), "bool": (bool,), "float": (float, int, str), "str": (str,)}
    need(type_ in kinds and (value is None or type(value) in kinds[type_]), "a constant has its type")
    return str(type_)
