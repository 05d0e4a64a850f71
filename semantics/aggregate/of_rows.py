"""The aggregates of several arguments: they take in rows of values."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal, get_args

from semantics.aggregate.of_values import check_numeric
from semantics.dataclass_on_use import dataclass
from semantics.errors import TypeMismatch
from semantics.expression import Expression
from semantics.ordering import SortKey
from semantics.types import Type, array_of

PairedName = Literal["covar_pop", "covar_samp", "corr"]


@dataclass(frozen=True, slots=True)
class Paired:
    """What two columns of numbers have in common, of the pairs without a NULL.

    The covariances are exact and rounded once. CORR is the root of COVAR² / (VAR · VAR), rounded as STDDEV is; it is
    NULL where one of the columns is constant.
    """

    name: PairedName
    argument: Expression
    other: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        if self.name not in get_args(PairedName):
            raise TypeMismatch(f"pairs: name must be one of {', '.join(get_args(PairedName))}, got {self.name!r}")
        check_numeric(self.name.upper(), self.argument)
        check_numeric(self.name.upper(), self.other)


@dataclass(frozen=True, slots=True)
class ExtremeBy:
    """MIN_BY(x, y) and MAX_BY(x, y): x, which may be NULL, of the row in which y is least or greatest.

    Of several such rows, MIN_BY takes the one with the least x and MAX_BY the one with the greatest.
    """

    argument: Expression
    by: Expression
    greatest: bool

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class Listed:
    """STRING_AGG(x, separator ORDER BY …) and ARRAY_AGG(x ORDER BY …): all values, in the declared order.

    The order is over the argument, which is column 0, and what else is ordered by. Values that it does not tell apart
    stand in the order of values, and so does everything if no order is declared.
    """

    argument: Expression
    separator: str | None
    """What stands between texts; None makes an array of the values."""
    by: tuple[Expression, ...] = ()
    order: tuple[SortKey, ...] = ()

    def __post_init__(self) -> None:
        self._check_order()
        by, order = _each_once(self.argument, self.by, self.order)
        object.__setattr__(self, "by", by)
        object.__setattr__(self, "order", order)
        if self.separator is not None and self.argument.type is not Type.STR:
            message = f"STRING_AGG: argument must be STR, got {self.argument.type.name}"
            raise TypeMismatch(message, (self.argument,))
        if self.separator is not None and type(self.separator) is not str:
            raise TypeMismatch(f"STRING_AGG: separator must be a text, got {self.separator!r}")

    @property
    def type(self) -> Type:
        return array_of(self.argument.type) if self.separator is None else Type.STR

    @property
    def name(self) -> str:
        return "array_agg" if self.separator is None else "string_agg"

    def _check_order(self) -> None:
        columns = [key.column for key in self.order]
        if {*columns, 0} != set(range(len(self.by) + 1)):
            expected = f"the columns 1 to {len(self.by)}, and may name 0"
            raise TypeMismatch(f"{self.name.upper()}: order must name {expected}, got {columns}")


def _each_once(
    argument: Expression, by: Sequence[Expression], order: Sequence[SortKey]
) -> tuple[tuple[Expression, ...], tuple[SortKey, ...]]:
    """What is ordered by, each expression once: the first key by it decides.

    The argument itself is column 0. What comes behind it decides nothing, and values that are alike otherwise stand
    in their order anyway.
    """
    known: dict[Expression, int] = {argument: 0}
    keys: dict[int, SortKey] = {}
    for key in order:
        expression = (argument, *by)[key.column]
        if expression == argument:
            if key.descending:
                keys[0] = SortKey(0, descending=True)
            break
        column = known.setdefault(expression, len(known))
        keys.setdefault(column, replace(key, column=column))
    return tuple(known)[1:], tuple(keys.values())
