"""What an expression means as a term, read from the JSON of docs/protocol.md: NULL, and truth of three values."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final

from equivalence.certificates.checker.terms import FALSE, TRUE, Refused, Signature, Term, nullable, num, op

TYPES: Final = {"int": "NullableInt", "bool": "NullableBool", "float": "NullableReal", "str": "NullableReal"}
Truth = tuple[Term, Term]
"""When an expression is TRUE, and when it is FALSE."""


_REALS: Final = Signature(("Real", "Real"))


def sort_of(type_: Any) -> str:
    if type_ not in TYPES:
        raise Refused(f"there are no certificates of type {type_}")
    return str(TYPES[type_])


def both(*parts: Term) -> Term:
    return op("and", *parts, sort="Bool")


def either(*parts: Term) -> Term:
    return op("or", *parts, sort="Bool")


def no(part: Term) -> Term:
    return op("not", part, sort="Bool")


def missing(value: Term) -> Term:
    return op("is_null", value, sort="Bool")


def get(value: Term) -> Term:
    return op("get", value, sort=value.sort.removeprefix("Nullable"))


def some(value: Term) -> Term:
    return op("some", value, sort=nullable(value.sort))


def null(sort: str) -> Term:
    return op("null", sort=nullable(sort))


def equal(left: Term, right: Term) -> Term:
    return op("=", left, right, sort="Bool")


def if_else(condition: Term, then: Term, otherwise: Term) -> Term:
    return op("ite", condition, then, otherwise, sort=then.sort)


def unless_null(values: Sequence[Term], result: Term) -> Term:
    return if_else(either(*map(missing, values)), null(result.sort), result)


def value(of: Mapping[str, Any], row: Sequence[Term], now: Term) -> Term:
    """The value of an expression, of a sort with NULL."""
    name, args, type_ = of["op"], of.get("args", []), of["type"]
    match name:
        case "column":
            return row[int(of["index"])]
        case "constant":
            return constant(of["value"], type_)
        case "now":
            return some(now)
        case "+" | "-" | "*" if type_ == "int":
            left, right = (value(arg, row, now) for arg in args)
            second = op("*", num(-1), get(right), sort="Int") if name == "-" else get(right)
            head = "*" if name == "*" else "+"
            return unless_null((left, right), some(op(head, get(left), second, sort="Int")))
        case "mod" if type_ == "int":
            left, right = (value(arg, row, now) for arg in args)
            return unless_null((left, right), _remainder(get(left), get(right)))
        case "+" | "-" | "*" | "/" | "mod" if type_ == "float":
            sides = [as_type(arg, type_, row, now) for arg in args]
            symbol = "MOD" if name == "mod" else name
            made = some(Term("call", f"float.{symbol}", "Real", tuple(map(get, sides)), signature=_REALS))
            if name in ("/", "mod"):
                made = if_else(equal(get(sides[1]), num(Fraction(0), "Real")), null("Real"), made)
            return unless_null(sides, made)
        case "negate" if type_ == "float":
            (inner,) = (value(arg, row, now) for arg in args)
            made = Term("call", "float.neg", "Real", (get(inner),), signature=Signature(("Real",)))
            return unless_null((inner,), some(made))
        case "negate" if type_ == "int":
            (inner,) = (value(arg, row, now) for arg in args)
            return unless_null((inner,), some(op("*", num(-1), get(inner), sort="Int")))
        case "case":
            *branches, default = args
            chosen = as_type(default, type_, row, now)
            for condition, result in reversed([*zip(branches[::2], branches[1::2], strict=True)]):
                chosen = if_else(truth(condition, row, now)[0], as_type(result, type_, row, now), chosen)
            return chosen
        case "coalesce":
            values = [as_type(arg, type_, row, now) for arg in args]
            return reduce(lambda rest, each: if_else(missing(each), rest, each), reversed(values))
        case (
            "<" | "<=" | ">" | ">=" | "=" | "<>" | "and" | "or" | "not" | "is null" | "is distinct from" | "in" | "like"
        ):
            true, false = truth(of, row, now)
            return if_else(both(no(true), no(false)), null("Bool"), some(true))
    raise Refused(f"there are no certificates of {name} of type {type_}")


def _remainder(left: Term, right: Term) -> Term:
    """With the sign of the first; NULL if the second is 0."""
    sizes = [if_else(op("<", v, num(0), sort="Bool"), op("*", num(-1), v, sort="Int"), v) for v in (left, right)]
    rest = op("mod", *sizes, sort="Int")
    signed = if_else(op("<", left, num(0), sort="Bool"), op("*", num(-1), rest, sort="Int"), rest)
    return if_else(equal(right, num(0)), null("Int"), some(signed))


def truth(of: Mapping[str, Any], row: Sequence[Term], now: Term) -> Truth:
    name, args = of["op"], of.get("args", [])
    match name:
        case "<" | "<=" | ">" | ">=" | "=" | "<>":
            return compared(name, *promoted(args[0], args[1], row, now))
        case "and" | "or":
            (a, not_a), (b, not_b) = (truth(arg, row, now) for arg in args)
            if name == "and":
                return both(a, b), either(not_a, not_b)
            return either(a, b), both(not_a, not_b)
        case "not":
            true, false = truth(args[0], row, now)
            return false, true
        case "is null":
            there = missing(value(args[0], row, now))
            return there, no(there)
        case "is distinct from":
            alike = equal(*promoted(args[0], args[1], row, now))
            return no(alike), alike
        case "in":
            operand, *options = args
            found = [compared("=", *promoted(operand, option, row, now)) for option in options]
            return either(*(true for true, _ in found)), both(*(false for _, false in found))
        case "like":
            escape = of.get("escape")
            signature = Signature(("Real", "Real"))
            values = [value(arg, row, now) for arg in args]
            plain = tuple(map(get, values))
            holds = Term("call", f"like {escape}" if escape else "like", "Bool", plain, signature=signature)
            there = both(*(no(missing(each)) for each in values))
            return both(there, holds), both(there, no(holds))
        case "constant":
            known = of["value"]
            return (TRUE if known is True else FALSE), (TRUE if known is False else FALSE)
    inner = value(of, row, now)
    return both(no(missing(inner)), get(inner)), both(no(missing(inner)), no(get(inner)))


def promoted(left: Mapping[str, Any], right: Mapping[str, Any], row: Sequence[Term], now: Term) -> tuple[Term, Term]:
    type_ = "float" if "float" in (left["type"], right["type"]) else left["type"]
    return as_type(left, type_, row, now), as_type(right, type_, row, now)


def as_type(of: Mapping[str, Any], type_: str, row: Sequence[Term], now: Term) -> Term:
    """The value; an int becomes a float."""
    if of["type"] == type_:
        return value(of, row, now)
    if type_ != "float" or of["type"] != "int":
        raise Refused(f"there are no certificates of {of['type']} as {type_}")
    if of["op"] == "constant":
        return constant(of["value"] if of["value"] is None else float(of["value"]), "float")
    inner = value(of, row, now)
    made = Term("call", "float", "Real", (get(inner),), signature=Signature(("Int",)))
    return unless_null((inner,), some(made))


def compared(symbol: str, left: Term, right: Term) -> Truth:
    known = both(no(missing(left)), no(missing(right)))
    if symbol == "=":
        return both(no(missing(left)), equal(left, right)), both(known, no(equal(left, right)))
    a, b = get(left), get(right)
    holds = {
        "<>": no(equal(a, b)),
        "<": before(a, b),
        "<=": no(before(b, a)),
        ">": before(b, a),
        ">=": no(before(a, b)),
    }[symbol]
    return both(known, holds), both(known, no(holds))


def before(left: Term, right: Term) -> Term:
    """FALSE is before TRUE."""
    return both(no(left), right) if left.sort == "Bool" else op("<", left, right, sort="Bool")


def constant(known: Any, type_: Any) -> Term:
    """A value; texts and floats by their places in their order."""
    sort = sort_of(type_)
    if known is None:
        return null(sort)
    if type_ == "bool":
        return some(TRUE if known is True else FALSE)
    if type_ == "int":
        return some(num(int(known)))
    if type_ == "str":
        digits = [Fraction(ord(c) + 1, 0x110001**i) for i, c in enumerate(known, 1)]
        return some(num(sum(digits, Fraction(0)), "Real"))
    special = {"NaN": Fraction(10) ** 401, "Infinity": Fraction(10) ** 400, "-Infinity": -(Fraction(10) ** 400)}
    return some(num(special[known] if isinstance(known, str) else Fraction(known), "Real"))
