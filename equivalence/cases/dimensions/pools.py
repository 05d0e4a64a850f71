"""Values that tell right code from nearly right code, by what is special about them; the simplest pool comes first."""

from collections.abc import Mapping
from typing import Final

from semantics import FOREVER, Type, Value
from semantics.over import Frame
from semantics.time import End
from semantics.value import NAN


def magnitudes(least: int, most: int) -> tuple[int, ...]:
    """The powers of two and of ten in a range, and what is next to each: wherever code changes its ways, one is beyond.

    >>> magnitudes(1000, 2000)
    (1000, 1001, 1023, 1024, 1025)
    """
    powers = {base**k for base in (2, 10) for k in range(most.bit_length() + 1)}
    near = {power + step for power in powers for step in (-1, 0, 1)}
    return tuple(sorted(n for n in near if least <= n <= most))


INTEGERS: Final[Mapping[str, tuple[int, ...]]] = {
    "small": (0, 1, -1, 2, 3),
    "about 2⁸": (127, 128, 255, 256, -128, -129),
    "about 2¹⁶": (2**15 - 1, 2**15, 2**16 - 1, 2**16, -(2**15) - 1),
    "about 2³²": (2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, -(2**31) - 1),
    "about 2⁵³": (2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1),
    "about 2⁶³": (2**62, -(2**62), -(2**62) - 1, 2**63 - 1, -(2**63)),
}
FLOATS: Final[Mapping[str, tuple[float, ...]]] = {
    "halves": (2.0, 0.5, 1.5, -2.0, 3.0),
    "subnormal": (5e-324, 1e-310, 2.2250738585072014e-308, -5e-324),
    "ties of rounding": (1.0, 2.0**-53, 1 + 2.0**-52, 2.0**53, 0.1, 0.2, 0.3),
    "cancelling": (1e16, -1e16, 1.0, 1e308, -1e308),
    "not finite": (0.0, NAN, float("inf"), float("-inf")),
}
TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "short": ("", "a", "b", "ab"),
    "differ late": tuple("x" * n + end for n in (7, 15, 31, 63, 99) for end in ("a", "b")),
    "prefixes": tuple("a" * n for n in (0, 1, 7, 8, 9, 16, 32, 64, 99, 100)),
    "cut or ended": ("a", "a\0", "a\0b", "a\nb", "a ", "A", "x" * 299 + "a", "x" * 299 + "b"),
    "combining marks": ("é", "e\u0301", "e", "\u0301", "ß", "ss", "😀", "😀\u0301"),
}
WINDOWS: Final[Mapping[str, tuple[End, ...]]] = {
    "1": (1,),
    "3": (3,),
    "hundreds": magnitudes(100, 1_001),
    "thousands": magnitudes(1_024, 2**17),
    "millions": magnitudes(2**18, 2**31),
    "2³² to 2⁴⁰": magnitudes(2**32, 2**40),
    "unbounded": (FOREVER,),
}
"""The first size of each has slides in all orders to it that there are."""
DISTANCES: Final = magnitudes(100, 2**40)
"""How long an element lasts, or how long after others it comes, if both are more than a moment."""
SHORT_DISTANCES: Final = magnitudes(100, 1_001)
ROWS: Final[Mapping[str, int]] = {"1": 1, "2": 2, "6": 6, "33": 33, "64": 64, "100": 100, "300": 300}
PLACES: Final[Mapping[str, tuple[int, int | None]]] = {
    "1": (0, 1),
    "3": (0, 3),
    "20": (0, 20),
    "2 after 1": (1, 2),
    "all after 2": (2, None),
}
"""The places of a limit: how many are skipped, and how many are kept then."""
INSTANTS: Final[Mapping[str, int]] = {
    "early": 0,
    "2³¹": 2**31 - 3,
    "2³²": 2**32 - 3,
    "2⁴⁰": 2**40 - 3,
    "2⁵³": 2**53 - 3,
    "2⁶²": 2**62 - 2**44,
}
"""The first instant at which something may start. The last leaves room for windows: times after 2⁶² are refused."""
RESETS: Final[Mapping[str, tuple[int | None, ...]]] = {
    "never": (None,),
    "1": (1,),
    "3": (3,),
    "thousands": magnitudes(1_000, 2**17),
    "millions": magnitudes(2**18, 2**31),
    "2³² to 2⁴⁰": magnitudes(2**32, 2**40),
}
GAPS: Final[Mapping[str, tuple[int, ...]]] = {
    "1": (1,),
    "3": (3,),
    "hundreds": magnitudes(100, 1_001),
    "thousands": magnitudes(1_024, 2**17),
    "millions": magnitudes(2**18, 2**31),
    "2³² to 2⁴⁰": magnitudes(2**32, 2**40),
}
"""Gaps of sessions."""
FRAMES: Final[Mapping[str, tuple[Frame, ...]]] = {
    "rows": (Frame("rows", 2),),
    "tens of rows": tuple(Frame("rows", n) for n in (6, 15, 16, 17, 31, 33, 64)),
    "range": (Frame("range", 3),),
    "range of thousands": tuple(Frame("range", n) for n in magnitudes(100, 2**17)),
    "range to 2⁴⁰": tuple(Frame("range", n) for n in magnitudes(2**18, 2**40)),
    "unbounded rows": (Frame("rows"),),
    "unbounded range": (Frame("range"),),
}

ENDS_OF_KEYS: Final = ("é", "e\u0301", "É", "e", "e ")
"""Of keys that are texts: other spellings, cases and lengths of one letter."""
MANY_KEYS: Final = 513
"""Tables of kernels grow when they hold more than 512 keys."""

_MASK: Final = 2**64 - 1


def unmixed(hash_: int) -> int:
    """The integer that `physical.kernels.dense_numbers.mixed` maps to this hash: so keys can be made to collide."""
    x = _unshifted(hash_ & _MASK, 31) * pow(0x94D049BB133111EB, -1, 2**64) & _MASK
    x = _unshifted(x, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & _MASK
    x = _unshifted(x, 30)
    return x - 2**64 if x >= 2**63 else x


def _unshifted(y: int, by: int) -> int:
    """The x with x ^ (x >> by) = y."""
    x = y
    while (better := y ^ (x >> by)) != x:
        x = better
    return x


def key_value(kind: str, i: int) -> Value:
    """The i-th of many different keys of a kind."""
    match kind:
        case "integers":
            return i
        case "equal hashes":
            return unmixed(i << 24)
        case "equal in 32 bits":
            return i << 32
        case "equal as doubles":
            return 2**53 + i
        case "texts":
            return "k" * 90 + f"{i // len(ENDS_OF_KEYS):05}" + ENDS_OF_KEYS[i % len(ENDS_OF_KEYS)]
        case _:
            return 1.0 + i * 2.0**-52


KEYS: Final[Mapping[str, Type]] = {
    "integers": Type.INT,
    "equal hashes": Type.INT,
    "equal in 32 bits": Type.INT,
    "equal as doubles": Type.INT,
    "texts": Type.STR,
    "neighbouring doubles": Type.FLOAT,
}
