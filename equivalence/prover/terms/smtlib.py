"""Leaves as SMT-LIB text, which both solvers read: only the names that are used are declared."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, assert_never

from equivalence.prover.terms.term import (
    Apply,
    ConstantTerm,
    Exists,
    Fold,
    SmtSort,
    SumTerm,
    Symbol,
    Term,
    Var,
    cached_on_term,
    free,
    subterms,
)

_NULLABLE: Final = (SmtSort.INT_OR_NULL, SmtSort.BOOL_OR_NULL, SmtSort.REAL_OR_NULL)
_OF_NULLABLE: Final = ("Nullable", "null_", "some_", "get_")
_NUMBERED: Final = re.compile(r"[A-Za-z]+\.[0-9]+'*")
_ESCAPED: Final = re.compile(r"#([0-9]+)#")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")


def query(assumptions: Sequence[Term], goal: Term) -> str:
    """The text that is unsatisfiable iff the assumptions entail the goal."""
    return problem([*assumptions, Apply("not", (goal,), SmtSort.BOOL)])


def problem(assertions: Sequence[Term]) -> str:
    """Declarations and assertions, without a check: what makes all assertions true is a model."""
    used = symbols(assertions)
    names = [*_streams(used), *_orders(used), *_functions(used), *_constants(assertions)]
    asserted = [f"(assert {show(a)})" for a in assertions]
    lines = [*names, *asserted, ""]
    return "\n".join([*_datatypes("\n".join(lines)), *lines])


def numbered(text: str) -> str:
    """The same text with the numbers of fresh names in the order in which they come up.

    So two leaves that differ only in these names are one, and a proof's text does not depend on what was tried before.
    """
    lines = text.splitlines(keepends=True)
    asserted = [line for line in lines if line.startswith("(assert")]
    order = dict.fromkeys(found.group() for line in [*asserted, *lines] for found in _NUMBERED.finditer(line))
    names = {old: f"{old.split('.')[0]}.{i}" for i, old in enumerate(order, 1)}
    declared = sorted(_renamed(line, names) for line in lines if line.startswith("(declare-const"))
    others = [_renamed(line, names) for line in lines if not line.startswith(("(assert", "(declare-const"))]
    return "".join([*others, *declared, *(_renamed(line, names) for line in asserted)])


def _renamed(line: str, names: Mapping[str, str]) -> str:
    return _NUMBERED.sub(lambda found: names[found.group()], line)


@cached_on_term
def written_size(term: Term) -> int:
    """How many parts a term has when it is written out: what is shared in memory is repeated in a text."""
    return 1 + sum(map(written_size, subterms(term)))


@cached_on_term
def show(term: Term) -> str:
    """A term as text."""
    match term:
        case Var(name=name):
            return quoted(name)
        case ConstantTerm(value=value):
            return _literal(value)
        case Exists(variables=variables, body=body):
            return f"(exists ({' '.join(f'({quoted(v.name)} {v.sort.value})' for v in variables)}) {show(body)})"
        case Apply(head=head, arguments=arguments):
            return _application(head, [show(a) for a in arguments], term)
        case SumTerm() | Fold():
            raise ValueError("a leaf has no sums and no folds")
        case _:
            assert_never(term)


def _application(head: str | Symbol, arguments: list[str], term: Apply) -> str:
    if isinstance(head, Symbol):
        return _joined(quoted(head.name), arguments)
    match head:
        case "null" | "some":
            return _joined(f"{head}_{term.sort.plain.value}", arguments)
        case "get":
            return _joined(f"get_{term.sort.value}", arguments)
        case "is_null":
            return _joined(f"(_ is null_{term.arguments[0].sort.plain.value})", arguments)
        case "ratio":
            return f"(/ (to_real {arguments[0]}) (to_real {arguments[1]}))"
        case "[]":
            return f"(ite {arguments[0]} 1 0)"
        case "monus":
            left, right = arguments
            return f"(ite (<= {right} {left}) (- {left} {right}) 0)"
        case "min":
            left, right = arguments
            return f"(ite (<= {left} {right}) {left} {right})"
        case _:
            return _joined(head, arguments)


def _joined(head: str, arguments: list[str]) -> str:
    return f"({head} {' '.join(arguments)})" if arguments else head


def _literal(value: int | bool | Fraction) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value < 0:
        return f"(- {_literal(-value)})"
    return f"(/ {value.numerator}.0 {value.denominator}.0)" if isinstance(value, Fraction) else str(value)


@cache
def quoted(name: str) -> str:
    """A name as a symbol, however it is written; different names are different symbols.

    >>> quoted("x"), quoted("a b"), quoted("a|b"), quoted("#")
    ('x', '|a b|', '|a#124#b|', '|#35#|')
    """
    if _PLAIN_NAME.fullmatch(name):
        return name
    return "|" + "".join(c if c.isprintable() and c not in "|\\#" else f"#{ord(c)}#" for c in name) + "|"


def unquoted(symbol: str) -> str:
    """The name that was written as this symbol, given without its bars.

    >>> unquoted("a#124#b")
    'a|b'
    """
    return _ESCAPED.sub(lambda found: chr(int(found.group(1))), symbol)


def _datatypes(text: str) -> list[str]:
    """NULL or a value, for every sort that the text uses so."""
    used = [s.plain.value for s in _NULLABLE if any(f"{name}{s.plain.value}" in text for name in _OF_NULLABLE)]
    return [f"(declare-datatypes ((Nullable{s} 0)) (((null_{s}) (some_{s} (get_{s} {s})))))" for s in used]


def symbols(terms: Iterable[Term]) -> list[Symbol]:
    """The free functions in terms, in the order in which they come up."""
    return list(dict.fromkeys(symbol for term in terms for symbol in _symbols(term)))


@cached_on_term
def _symbols(term: Term) -> tuple[Symbol, ...]:
    mine = [term.head] if isinstance(term, Apply) and isinstance(term.head, Symbol) else []
    return tuple(dict.fromkeys([*mine, *(s for part in subterms(term) for s in _symbols(part))]))


def _functions(used: Sequence[Symbol]) -> list[str]:
    return [
        f"(declare-fun {quoted(s.name)} ({' '.join(p.value for p in s.parameters)}) {s.result.value})"
        for s in used
        if s.kind == "free"
    ]


def _streams(used: Sequence[Symbol]) -> list[str]:
    """What is known of single rows holds by construction: no axiom has to be instantiated for that."""
    return [line for stream in used if stream.kind == "stream" for line in _stream(stream)]


def _stream(stream: Symbol) -> list[str]:
    raw, names = quoted("any " + stream.name), [f"x{i}" for i in range(len(stream.parameters))]
    sorts = [s.value for s in stream.parameters]
    times = f"({raw} {' '.join(names)})"
    there = [f"(<= 0 {names[-1]})", f"(<= 0 {times})"]
    there += [f"(not ((_ is null_{stream.parameters[p].plain.value}) {names[p]}))" for p in stream.present]
    typed = " ".join(f"({n} {s})" for n, s in zip(names, sorts, strict=True))
    return [
        f"(declare-fun {raw} ({' '.join(sorts)}) Int)",
        f"(define-fun {quoted(stream.name)} ({typed}) Int (ite (and {' '.join(there)}) {times} 0))",
    ]


def _orders(used: Sequence[Symbol]) -> list[str]:
    return [_order(order) for order in used if order.kind == "order"]


def _order(order: Symbol) -> str:
    """One row before another: column by column, NULL first."""
    sorts = order.parameters[: len(order.parameters) // 2]
    typed = " ".join(f"({side}{i} {sort.value})" for side in "xy" for i, sort in enumerate(sorts))
    formula = "false"
    for i, sort in reversed([*enumerate(sorts)]):
        formula = f"(or {_smaller(f'x{i}', f'y{i}', sort)} (and (= x{i} y{i}) {formula}))"
    return f"(define-fun {quoted(order.name)} ({typed}) Bool {formula})"


def _smaller(left: str, right: str, sort: SmtSort) -> str:
    """The order of one column; FALSE is before TRUE."""
    plain, (a, b) = sort.plain.value, (f"(get_{sort.plain.value} {value})" for value in (left, right))
    less = f"(and (not {a}) {b})" if sort.plain is SmtSort.BOOL else f"(< {a} {b})"
    return f"(and (not ((_ is null_{plain}) {right})) (or ((_ is null_{plain}) {left}) {less}))"


def _constants(terms: Sequence[Term]) -> list[str]:
    variables = sorted(set[Var]().union(*map(free, terms)), key=lambda v: v.name)
    return [f"(declare-const {quoted(v.name)} {v.sort.value})" for v in variables]
