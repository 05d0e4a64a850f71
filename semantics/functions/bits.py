"""Functions of the 64 bits of an integer, in two's complement."""

import operator
from typing import Final

from semantics.functions.definition import Function, Overload
from semantics.value import Type

INT = Type.INT


def shifted_left(number: int, places: int) -> int:
    """What leaves the 64 bits is lost; the number of places counts modulo 64."""
    return _signed(number << (places % 64))


def shifted_right(number: int, places: int) -> int:
    """The sign moves in from the left."""
    return number >> (places % 64)


def _signed(bits: int) -> int:
    return (bits + 2**63) % 2**64 - 2**63


_TWO: Final = (INT, INT)
BITS: Final = (
    Function(("bitand", "bitwise_and"), (Overload(_TWO, INT, operator.and_),), "The bits that both have.", (("BITAND(12, 10)", "8"),)),
    Function(("bitor", "bitwise_or"), (Overload(_TWO, INT, operator.or_),), "The bits that one of them has.", (("BITOR(12, 10)", "14"),)),
    Function(("bitxor", "bitwise_xor"), (Overload(_TWO, INT, operator.xor),), "The bits that only one of them has.", (("BITXOR(12, 10)", "6"),)),
    Function(("bitnot", "bitwise_not"), (Overload((INT,), INT, operator.invert),), "The bits that it does not have.", (("BITNOT(0)", "-1"),)),
    Function(("shift_left", "shiftleft", "bitwise_left_shift"), (Overload(_TWO, INT, shifted_left),), "The bits moved to the left; those that leave are lost, and the number of places counts modulo 64.", (("SHIFT_LEFT(3, 2)", "12"),)),
    Function(("shift_right", "shiftright", "bitwise_right_shift"), (Overload(_TWO, INT, shifted_right),), "The bits moved to the right; the sign moves in.", (("SHIFT_RIGHT(-8, 1)", "-4"),)),
    Function(("bit_count",), (Overload((INT,), INT, lambda number: (number % 2**64).bit_count()),), "The number of bits that are 1.", (("BIT_COUNT(7)", "3"), ("BIT_COUNT(-1)", "64"))),
)  # fmt: skip
