"""Plans with values for everything that was left open in them, so that they can be run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, Final, cast, get_args

from equivalence.lists.list_expression import Listing
from equivalence.prover.meaning.expressions import FreeFunction
from equivalence.prover.meaning.open_numbers import UnknownNumber
from equivalence.prover.terms.term import Apply, ConstantTerm, Term, Var
from semantics import Plan, Row, Type, Value
from semantics.aggregate import Aggregate
from semantics.expression import And, Call, Case, Constant, Expression, IsDistinct, Not, children
from semantics.over import Frame, OverFunction

_TYPED: Final = (*get_args(Plan), *get_args(Aggregate), *get_args(OverFunction), *get_args(Listing))
_BUILT: Final = (*_TYPED, Frame)


@dataclass(frozen=True)
class Interpretation:
    """Values for numbers, and tables for functions: those arguments that matter."""

    numbers: Mapping[str, int]
    functions: Mapping[FreeFunction, Mapping[Row, Value]]

    def plan(self, plan: Plan) -> Plan:
        return cast(Plan, self._part(plan))

    def listing(self, listing: Listing) -> Listing:
        return cast(Listing, self._part(listing))

    def _part(self, part: Any) -> Any:
        if isinstance(part, UnknownNumber):
            return self._number(part.term)
        if isinstance(part, Call) and isinstance(part.function, FreeFunction):
            return self._cases(part.function, [self._part(argument) for argument in part.arguments])
        if isinstance(part, _BUILT) or _is_compound(part):
            return type(part)(**{f.name: self._part(getattr(part, f.name)) for f in fields(part)})
        return tuple(map(self._part, part)) if isinstance(part, tuple) else part

    def _cases(self, function: FreeFunction, arguments: Sequence[Expression]) -> Expression:
        """The function as CASE WHEN its arguments are those THEN this END."""
        table = self.functions.get(function, {})
        branches = [
            (_all_same(arguments, row, function), Constant(v, function.result)) for row, v in table.items() if row
        ]
        default = Constant(table.get((), None), function.result)
        return Case(tuple(branches), default) if branches else default

    def _number(self, term: Term) -> int:
        match term:
            case Var(name=name):
                return self.numbers.get(name, 1)
            case ConstantTerm(value=value):
                return int(value)
            case Apply(head=head, arguments=arguments):
                return _computed(str(head), [self._number(a) for a in arguments])
            case _:
                raise AssertionError("numbers are computed by + * div mod")


def _is_compound(part: object) -> bool:
    return isinstance(part, get_args(Expression)) and bool(children(cast(Expression, part)))


def _computed(head: str, values: list[int]) -> int:
    match head:
        case "+":
            return sum(values)
        case "*":
            return reduce(lambda product, value: product * value, values)
        case "div":
            return values[0] // values[1]
        case "mod":
            return values[0] % values[1]
        case _:
            raise AssertionError("numbers are computed by + * div mod")


def _all_same(arguments: Sequence[Expression], row: Row, function: FreeFunction) -> Expression:
    typed = zip(arguments, row, function.parameters, strict=True)
    return reduce(And, [_same(argument, value, type_) for argument, value, type_ in typed])


def _same(argument: Expression, value: Value, type_: Type) -> Expression:
    return Not(IsDistinct(argument, Constant(value, type_)))


def constants(part: Any) -> list[Value]:
    """All constants in a plan."""
    return [inner.value for inner in parts(part) if isinstance(inner, Constant)]


def parts(part: Any) -> Iterator[Any]:
    """A plan, and all plans, expressions, aggregates and other functions in it."""
    if isinstance(part, (*_TYPED, *get_args(Expression))):
        yield part
    if isinstance(part, _BUILT) or _is_compound(part):
        part = tuple(getattr(part, f.name) for f in fields(part))
    if isinstance(part, tuple):
        for inner in part:
            yield from parts(inner)
