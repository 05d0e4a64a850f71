"""Constructors of terms: each simplifies by identities that hold for all arguments. Soundness rests on these."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final

from equivalence.prover.terms.term import (
    FALSE,
    TRUE,
    Apply,
    ConstantTerm,
    Exists,
    SmtSort,
    SumTerm,
    Symbol,
    Term,
    Var,
    free,
)


def number(value: int) -> Term:
    return ConstantTerm(value, SmtSort.INT)


ZERO: Final = number(0)
ONE: Final = number(1)


def apply(head: str | Symbol, arguments: tuple[Term, ...], sort: SmtSort) -> Term:
    """Any operation, through its own constructor if it has one."""
    if isinstance(head, Symbol):
        return call(head, *arguments)
    make = _CONSTRUCTORS.get(head)
    return make(*arguments) if make else Apply(head, arguments, sort)


def call(symbol: Symbol, *arguments: Term) -> Term:
    """A function applied; no row is before itself."""
    width = len(arguments) // 2
    if symbol.kind == "order" and arguments[:width] == arguments[width:]:
        return FALSE
    return Apply(symbol, arguments, symbol.result)


def conj(*formulas: Term) -> Term:
    if len(formulas) == 1:
        return formulas[0]
    parts = dict.fromkeys(part for formula in formulas for part in conjuncts(formula))
    if FALSE in parts or any(neg(part) in parts for part in parts if isinstance(part, Apply) and part.head == "not"):
        return FALSE
    return _joined("and", parts, TRUE)


def disj(*formulas: Term) -> Term:
    parts = dict.fromkeys(
        p for f in formulas for p in (f.arguments if isinstance(f, Apply) and f.head == "or" else (f,))
    )
    parts.pop(FALSE, None)
    return TRUE if TRUE in parts else _joined("or", parts, FALSE)


def _joined(head: str, parts: Iterable[Term], neutral: Term) -> Term:
    joined = tuple(parts)
    if len(joined) < 2:
        return joined[0] if joined else neutral
    return Apply(head, joined, SmtSort.BOOL)


def conjuncts(formula: Term) -> tuple[Term, ...]:
    """The parts that must all hold; none for TRUE."""
    if isinstance(formula, Apply):
        return formula.arguments if formula.head == "and" else (formula,)
    return () if formula == TRUE else (formula,)


def neg(formula: Term) -> Term:
    match formula:
        case ConstantTerm(value=value):
            return FALSE if value else TRUE
        case Apply(head="not", arguments=(inner,)):
            return inner
        case Apply(head="and", arguments=parts):
            return disj(*map(neg, parts))
        case Apply(head="or", arguments=parts):
            return conj(*map(neg, parts))
        case Apply(head="<=", arguments=(left, right)):
            return less(right, left)
        case Apply(head="<", arguments=(left, right)):
            return at_most(right, left)
        case _:
            return Apply("not", (formula,), SmtSort.BOOL)


def equal(left: Term, right: Term) -> Term:
    match left, right:
        case _ if left == right:
            return TRUE
        case (ConstantTerm(), ConstantTerm()):
            return FALSE
        case (Apply(head="some", arguments=(a,)), Apply(head="some", arguments=(b,))):
            return equal(a, b)
        case (Apply(head="some"), Apply(head="null")) | (Apply(head="null"), Apply(head="some")):
            return FALSE
        case (Apply(head="null"), other) | (other, Apply(head="null")):
            return is_null(other)
        case (Apply(head="some"), Apply(head="ite", arguments=(condition, then, otherwise))):
            return ite(condition, equal(left, then), equal(left, otherwise))
        case (Apply(head="ite"), Apply(head="some")):
            return equal(right, left)
        case (one, Apply(head="min", arguments=(a, b))) if one in (a, b):
            return at_most(one, b if one == a else a)
        case (Apply(head="some", arguments=(plain,)), other) | (other, Apply(head="some", arguments=(plain,))):
            return conj(neg(is_null(other)), equal(plain, get(other)))
        case _:
            return Apply("=", (left, right), SmtSort.BOOL)


def at_most(left: Term, right: Term) -> Term:
    if isinstance(left, ConstantTerm) and isinstance(right, ConstantTerm):
        return TRUE if left.value <= right.value else FALSE
    if isinstance(right, Apply) and right.head == "min":
        return conj(*(at_most(left, part) for part in right.arguments))
    return TRUE if left == right else Apply("<=", (left, right), SmtSort.BOOL)


def less(left: Term, right: Term) -> Term:
    if isinstance(left, ConstantTerm) and isinstance(right, ConstantTerm):
        return TRUE if left.value < right.value else FALSE
    if right == ONE and natural(left) and (there := positive(left)) != Apply("<=", (ONE, left), SmtSort.BOOL):
        return neg(there)
    if isinstance(right, Apply) and right.head == "min":
        return conj(*(less(left, part) for part in right.arguments))
    return FALSE if left == right else Apply("<", (left, right), SmtSort.BOOL)


def before(left: Term, right: Term) -> Term:
    """The total order on the values of one sort that are not NULL; FALSE is before TRUE."""
    return conj(neg(left), right) if left.sort is SmtSort.BOOL else less(left, right)


def add(*terms: Term) -> Term:
    parts = [p for t in terms for p in (t.arguments if isinstance(t, Apply) and t.head == "+" else (t,))]
    known = sum(int(p.value) for p in parts if isinstance(p, ConstantTerm))
    rest = [p for p in parts if not isinstance(p, ConstantTerm)] + ([number(known)] if known else [])
    return _arithmetic("+", rest, ZERO)


def mul(*terms: Term) -> Term:
    parts = [p for t in terms for p in (t.arguments if isinstance(t, Apply) and t.head == "*" else (t,))]
    known = reduce(lambda product, p: product * int(p.value), [p for p in parts if isinstance(p, ConstantTerm)], 1)
    if known == 0:
        return ZERO
    rest = ([number(known)] if known != 1 else []) + [p for p in parts if not isinstance(p, ConstantTerm)]
    return _arithmetic("*", rest, ONE)


def _arithmetic(head: str, parts: list[Term], neutral: Term) -> Term:
    if len(parts) < 2:
        return parts[0] if parts else neutral
    return Apply(head, tuple(parts), SmtSort.INT)


def sub(left: Term, right: Term) -> Term:
    return ZERO if left == right else add(left, mul(number(-1), right))


def div(left: Term, right: Term) -> Term:
    """Rounded down; only ever used with a divisor > 0."""
    return left if right == ONE else Apply("div", (left, right), SmtSort.INT)


def mod(left: Term, right: Term) -> Term:
    """What div leaves; only ever used with a divisor > 0."""
    return ZERO if right == ONE else Apply("mod", (left, right), SmtSort.INT)


def ratio(left: Term, right: Term) -> Term:
    """The exact quotient of two integers, of which nothing is known where the second is 0."""
    match left, right:
        case (
            Apply(head="*", arguments=(ConstantTerm(value=a), *more)),
            Apply(head="*", arguments=(ConstantTerm(value=b), *rest)),
        ):
            if a == b:
                return ratio(mul(*more), mul(*rest))
    return Apply("ratio", (left, right), SmtSort.REAL)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if isinstance(condition, ConstantTerm) or then == otherwise:
        return then if condition == TRUE or then == otherwise else otherwise
    if then.sort is SmtSort.BOOL:
        return disj(conj(condition, then), conj(neg(condition), otherwise))
    return Apply("ite", (condition, then, otherwise), then.sort)


def indicator(formula: Term) -> Term:
    """[φ]: 1 where the formula holds, else 0."""
    if isinstance(formula, ConstantTerm):
        return ONE if formula == TRUE else ZERO
    return Apply("[]", (formula,), SmtSort.INT)


def monus(left: Term, right: Term) -> Term:
    """max(left − right, 0)."""
    if (right == ZERO and natural(left)) or (left == ZERO and natural(right)):
        return left
    if left == ONE and natural(right):
        return indicator(less(right, ONE))
    guards, inner = guarded(left)
    if guards and natural(right):
        return mul(indicator(conj(*guards)), monus(inner, _where(guards, right)))
    return ZERO if left == right else Apply("monus", (left, right), SmtSort.INT)


def least(left: Term, right: Term) -> Term:
    """The smaller one; [φ] is taken out of it, and what is the smaller of 1 and something natural is 1 or 0."""
    for one, other in ((left, right), (right, left)):
        guards, inner = guarded(one)
        if guards and natural(other):
            return mul(indicator(conj(*guards)), least(inner, _where(guards, other)))
        if one == ONE and natural(other):
            return indicator(positive(other))
    return left if left == right else Apply("min", (left, right), SmtSort.INT)


def guarded(term: Term) -> tuple[tuple[Term, ...], Term]:
    """A product as [guards]·rest."""
    parts = term.arguments if isinstance(term, Apply) and term.head == "*" else (term,)
    guards = [p.arguments[0] for p in parts if isinstance(p, Apply) and p.head == "[]"]
    rest = [p for p in parts if not (isinstance(p, Apply) and p.head == "[]")]
    return conjuncts(conj(*guards)), mul(*rest)


def _where(known: tuple[Term, ...], term: Term) -> Term:
    """A product without the guards that are known to hold."""
    guards, rest = guarded(term)
    return mul(indicator(conj(*(g for g in guards if g not in known))), rest)


def null(sort: SmtSort) -> Term:
    return Apply("null", (), sort.nullable)


def some(value: Term) -> Term:
    return Apply("some", (value,), value.sort.nullable)


def get(value: Term) -> Term:
    """The value that is there; of NULL any."""
    match value:
        case Apply(head="some", arguments=(plain,)):
            return plain
        case Apply(head="ite", arguments=(condition, then, otherwise)):
            return ite(condition, get(then), get(otherwise))
        case _:
            return Apply("get", (value,), value.sort.plain)


def is_null(value: Term) -> Term:
    match value:
        case Apply(head="some"):
            return FALSE
        case Apply(head="null"):
            return TRUE
        case Apply(head="ite", arguments=(condition, then, otherwise)):
            return ite(condition, is_null(then), is_null(otherwise))
        case _:
            return Apply("is_null", (value,), SmtSort.BOOL)


def exists(variables: tuple[Var, ...], body: Term) -> Term:
    """Variables that do not occur go: every sort has a value."""
    used = tuple(v for v in variables if v in free(body))
    return Exists(used, body) if used else body


def for_all(variables: tuple[Var, ...], body: Term) -> Term:
    return neg(exists(variables, neg(body)))


_CONSTRUCTORS: Final[dict[str, Callable[..., Term]]] = {
    "and": conj,
    "or": disj,
    "not": neg,
    "=": equal,
    "<=": at_most,
    "<": less,
    "+": add,
    "*": mul,
    "div": div,
    "mod": mod,
    "ite": ite,
    "[]": indicator,
    "monus": monus,
    "min": least,
    "ratio": ratio,
    "some": some,
    "get": get,
    "is_null": is_null,
}


def natural(term: Term) -> bool:
    """Is the term a natural number, whatever its variables are?"""
    match term:
        case ConstantTerm(value=value):
            return value >= 0
        case Apply(head=Symbol(kind="stream")) | Apply(head="[]") | Apply(head="monus"):
            return True
        case Apply(head="+" | "*" | "min", arguments=parts):
            return all(map(natural, parts))
        case Apply(head="ite", arguments=(_, then, otherwise)):
            return natural(then) and natural(otherwise)
        case SumTerm(body=body):
            return natural(body)
        case _:
            return False


def positive(term: Term) -> Term:
    """term ≥ 1, pushed inside where all parts are natural: a sum is positive iff one of its terms is."""
    match term:
        case Apply(head="[]", arguments=(formula,)):
            return formula
        case Apply(head="+", arguments=parts) if natural(term):
            return disj(*map(positive, parts))
        case Apply(head="*", arguments=parts) if natural(term):
            return conj(*map(positive, parts))
        case Apply(head="min", arguments=parts):
            return conj(*map(positive, parts))
        case Apply(head="monus", arguments=(left, right)) if isinstance(left, Var | ConstantTerm):
            return less(right, left)
        case SumTerm(variables=variables, body=body) if natural(body):
            return exists(variables, positive(body))
        case _:
            return at_most(ONE, term)
