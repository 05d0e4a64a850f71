"""Leaves as SMT-LIB text, written by the checker itself."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from equivalence.certificates.checker.terms import Refused, Signature, Term, free, op, rebuilt

_SORTS: Final = ("Int", "Bool", "Real")


def script(assumptions: Sequence[Term], goal: Term, *, unknown_remainders: bool) -> str:
    """The text that is unsatisfiable iff the goal follows from the assumptions.

    Remainders by numbers that are left open may be any function that stays below its second argument: what holds of all
    of these holds of remainders.
    """
    formulas = [*assumptions, op("not", goal, sort="Bool")]
    if unknown_remainders:
        if any(call.name in ("any mod", "any div") for formula in formulas for call in _calls(formula)):
            raise Refused("a function has a name that is taken")
        formulas = [_unknown(formula) for formula in formulas]
        formulas += [_below(term) for term in dict.fromkeys(t for f in formulas for t in _remainders(f))]
    names: dict[str, str] = {}
    asserted = [f"(assert {_show(formula, names)})" for formula in formulas]
    calls = {_name(t, names): t for formula in formulas for t in _calls(formula)}
    declared = [line for name in sorted(calls) for line in _declared(calls[name], names)]
    constants = sorted({v for formula in formulas for v in free(formula)}, key=lambda v: (v.name, v.sort))
    declared += [f"(declare-const {_name(v, names)} {v.sort})" for v in constants]
    types = [f"(declare-datatypes ((Nullable{s} 0)) (((null_{s}) (some_{s} (get_{s} {s})))))" for s in _SORTS]
    return "\n".join([*types, *declared, *asserted, "(check-sat)", ""])


def _calls(term: Term) -> Iterable[Term]:
    if term.kind == "call":
        yield term
    for arg in term.args:
        yield from _calls(arg)


def _name(term: Term, names: dict[str, str]) -> str:
    """A symbol for a name, whatever is in it; names of different kinds are different symbols."""
    kind = "v" if term.kind == "var" else "f"
    full = f"{kind} {term.name!r} {term.sort} {term.signature}"
    return names.setdefault(full, f"{kind}{len(names)}")


def _declared(term: Term, names: dict[str, str]) -> list[str]:
    """A free function; a stream, 0 where nothing can be; the order of rows."""
    signature, name = term.signature, _name(term, names)
    assert signature is not None
    if signature.kind == "order":
        return [_order(signature, name)]
    sorts = " ".join(signature.parameters)
    if signature.kind == "free":
        return [f"(declare-fun {name} ({sorts}) {term.sort})"]
    if term.sort != "Int" or not signature.parameters or signature.parameters[-1] != "Int":
        raise Refused(f"{term.name} is no stream")
    columns = [f"x{i}" for i in range(len(signature.parameters))]
    typed = " ".join(f"({c} {s})" for c, s in zip(columns, signature.parameters, strict=True))
    raw = f"(any_{name} {' '.join(columns)})"
    there = [f"(<= 0 {columns[-1]})", f"(<= 0 {raw})"]
    there += [f"(not ((_ is null_{signature.parameters[i][8:]}) x{i}))" for i in signature.present]
    defined = f"(define-fun {name} ({typed}) Int (ite (and {' '.join(there)}) {raw} 0))"
    return [f"(declare-fun any_{name} ({sorts}) Int)", defined]


def _order(signature: Signature, name: str) -> str:
    """Column by column, NULL first."""
    width, odd = divmod(len(signature.parameters), 2)
    sorts = signature.parameters[:width]
    if odd or signature.parameters[width:] != sorts or not all(s.startswith("Nullable") for s in sorts):
        raise Refused(f"{name} compares no rows")
    formula = "false"
    for i in reversed(range(width)):
        sort = sorts[i][8:]
        a, b = f"(get_{sort} x{i})", f"(get_{sort} y{i})"
        smaller = f"(and (not {a}) {b})" if sort == "Bool" else f"(< {a} {b})"
        first = f"(and (not ((_ is null_{sort}) y{i})) (or ((_ is null_{sort}) x{i}) {smaller}))"
        formula = f"(or {first} (and (= x{i} y{i}) {formula}))"
    typed = " ".join(f"({side}{i} {sort})" for side in "xy" for i, sort in enumerate(sorts))
    return f"(define-fun {name} ({typed}) Bool {formula})"


def _show(term: Term, names: dict[str, str]) -> str:
    if term.kind == "var":
        return _name(term, names)
    if term.kind == "number":
        return _number(term.value)
    args = [_show(arg, names) for arg in term.args]
    if term.kind == "exists":
        typed = " ".join(f"({_name(v, names)} {v.sort})" for v in term.variables)
        return f"(exists ({typed}) {args[0]})"
    if term.kind == "call":
        return _joined(_name(term, names), args)
    if term.kind != "op":
        raise Refused("a leaf has no sums and no folds")
    match term.name:
        case "null" | "some":
            return _joined(f"{term.name}_{term.sort[8:]}", args)
        case "get":
            return _joined(f"get_{term.sort}", args)
        case "is_null":
            return f"((_ is null_{term.args[0].sort[8:]}) {args[0]})"
        case "ratio":
            return f"(/ (to_real {args[0]}) (to_real {args[1]}))"
        case "[]":
            return f"(ite {args[0]} 1 0)"
        case "monus":
            return f"(ite (<= {args[1]} {args[0]}) (- {args[0]} {args[1]}) 0)"
        case "min":
            return f"(ite (<= {args[0]} {args[1]}) {args[0]} {args[1]})"
        case "and" | "or" | "+" | "*" if len(args) < 2:
            return args[0] if args else {"and": "true", "or": "false", "+": "0", "*": "1"}[term.name]
        case _:
            return _joined(term.name, args)


def _joined(head: str, args: Sequence[str]) -> str:
    return f"({head} {' '.join(args)})" if args else head


def _number(value: int | bool | Fraction | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    assert value is not None
    if value < 0:
        return f"(- {_number(-value)})"
    return f"(/ {value.numerator}.0 {value.denominator}.0)" if isinstance(value, Fraction) else str(value)


def _is_open(term: Term) -> bool:
    return term.kind == "op" and term.name in ("mod", "div") and term.args[1].kind != "number"


_OPEN: Final = Signature(("Int", "Int"))


def _unknown(term: Term) -> Term:
    args = tuple(_unknown(arg) for arg in term.args)
    if _is_open(term):
        return Term("call", f"any {term.name}", "Int", args, signature=_OPEN)
    return rebuilt(term, args) if args else term


def _remainders(term: Term) -> Iterable[Term]:
    yield from (t for t in _calls(term) if t.name == "any mod" and t.signature == _OPEN)


def _below(remainder: Term) -> Term:
    """0 ≤ a mod b < b, where b ≥ 1."""
    divisor, zero = remainder.args[1], Term("number", "", "Int", value=0)
    inside = [op("<=", zero, remainder, sort="Bool"), op("<", remainder, divisor, sort="Bool")]
    return op("or", op("<=", divisor, zero, sort="Bool"), op("and", *inside, sort="Bool"), sort="Bool")
