"""What the operands of an expression must be like: their types, and the one type that they have in common."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, get_args

from semantics.errors import TypeMismatch
from semantics.result_types import common_type_of
from semantics.value import Type

if TYPE_CHECKING:
    from semantics.expression.nodes import Expression

TRUTH_TYPES: Final = (Type.BOOL,)
NUMERIC_TYPES: Final = (Type.INT, Type.FLOAT)


def common_type(where: str, operands: Sequence["Expression"]) -> Type:
    """The one type of all operands; FLOAT where ints and floats meet."""
    found = common_type_of([operand.type for operand in operands])
    if found is None:
        got = " and ".join(sorted({operand.type.name for operand in operands}))
        raise TypeMismatch(f"{where}: operands must have one type, got {got}", tuple(operands))
    return found


def check_type(where: str, operand: "Expression", allowed: Sequence[Type]) -> None:
    if operand.type not in allowed:
        expected = " or ".join(t.name for t in allowed)
        raise TypeMismatch(f"{where}: operand must be {expected}, got {operand.type.name}", (operand,))


def check_symbol(symbol: str, symbols: object) -> None:
    if symbol not in get_args(symbols):
        raise TypeMismatch(f"expression: operator must be one of {' '.join(get_args(symbols))}, got {symbol!r}")
