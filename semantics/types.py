"""The types of columns and expressions. There is one object of each, so `is` compares them."""

from decimal import Decimal
from typing import Any, ClassVar, Final, final

from semantics.decimals import LARGEST_PRECISION, Sizes
from semantics.errors import TypeMismatch
from semantics.temporal import Counted, Date, DayInterval, MonthInterval, Time, Timestamp


@final
class Type:
    """The type of a column or an expression; those with parameters are made by `decimal`, `array_of` and `row_of`."""

    __slots__ = ("element", "fields", "name", "python", "sizes", "value")
    __hash__ = object.__hash__

    name: str
    """As messages show it: DECIMAL(10, 2)."""
    value: str
    """As the notation writes it: decimal(10, 2)."""
    python: type[Any]
    """What its values are in Python."""
    sizes: Sizes | None
    """Precision and scale of a DECIMAL."""
    element: "Type | None"
    """What an ARRAY is of."""
    fields: "tuple[tuple[str, Type], ...] | None"
    """The fields of a ROW."""

    INT: ClassVar["Type"]
    FLOAT: ClassVar["Type"]
    BOOL: ClassVar["Type"]
    STR: ClassVar["Type"]
    TIMESTAMP: ClassVar["Type"]
    DATE: ClassVar["Type"]
    TIME: ClassVar["Type"]
    DAY_INTERVAL: ClassVar["Type"]
    MONTH_INTERVAL: ClassVar["Type"]

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        if self.sizes is not None:
            return (decimal, self.sizes)
        if self.element is not None:
            return (array_of, (self.element,))
        return (plain_type, (self.name,)) if self.fields is None else (row_of, self.fields)

    @property
    def kind(self) -> str:
        """What it is without its parameters: decimal, array, row, or the type itself."""
        return self.value.partition("(")[0].partition("<")[0]

    @property
    def is_numeric(self) -> bool:
        """Is it INT or FLOAT?"""
        return self is Type.INT or self is Type.FLOAT

    @property
    def is_decimal(self) -> bool:
        return self.sizes is not None

    @property
    def is_number(self) -> bool:
        """Is it INT, FLOAT or a DECIMAL?"""
        return self.is_numeric or self.is_decimal

    @property
    def is_counted(self) -> bool:
        """Is it a point in time or a span: an integer that counts a unit?"""
        return issubclass(self.python, Counted)

    @property
    def is_interval(self) -> bool:
        return self is Type.DAY_INTERVAL or self is Type.MONTH_INTERVAL

    @property
    def is_nested(self) -> bool:
        """Is it an ARRAY or a ROW?"""
        return self.python is tuple


_INTERNED: Final[dict[object, Type]] = {}


def _type(key: object, name: str, value: str, python: type[Any], **parts: Any) -> Type:
    """The one object of a type."""
    if key not in _INTERNED:
        made = Type()
        for part in Type.__slots__:
            setattr(made, part, {"name": name, "value": value, "python": python, **parts}.get(part))
        _INTERNED[key] = made
    return _INTERNED[key]


def _plain(name: str, python: type[Any]) -> Type:
    return _type(name, name, name.lower(), python)


Type.INT = _plain("INT", int)
Type.FLOAT = _plain("FLOAT", float)
Type.BOOL = _plain("BOOL", bool)
Type.STR = _plain("STR", str)
Type.TIMESTAMP = _plain("TIMESTAMP", Timestamp)
Type.DATE = _plain("DATE", Date)
Type.TIME = _plain("TIME", Time)
Type.DAY_INTERVAL = _plain("DAY_INTERVAL", DayInterval)
Type.MONTH_INTERVAL = _plain("MONTH_INTERVAL", MonthInterval)

BASIC_TYPES: Final = (Type.INT, Type.FLOAT, Type.BOOL, Type.STR)
"""The types that every engine knows."""
TEMPORAL_TYPES: Final = (Type.TIMESTAMP, Type.DATE, Type.TIME, Type.DAY_INTERVAL, Type.MONTH_INTERVAL)
PLAIN_TYPES: Final = (*BASIC_TYPES, *TEMPORAL_TYPES)
"""All types without parameters."""


def plain_type(name: str) -> Type:
    """The type without parameters that has this name."""
    return _INTERNED[name]


def decimal(precision: int, scale: int = 0) -> Type:
    """DECIMAL(precision, scale): so many digits, so many of them behind the point.

    >>> decimal(10, 2), decimal(10, 2) is decimal(10, 2)
    (DECIMAL(10, 2), True)
    """
    if type(precision) is not int or type(scale) is not int or not _are_sizes(precision, scale):
        expected = f"1 ≤ precision ≤ {LARGEST_PRECISION} and 0 ≤ scale ≤ precision"
        raise TypeMismatch(f"DECIMAL: expected {expected}, got ({precision!r}, {scale!r})")
    sizes = (precision, scale)
    return _type(sizes, f"DECIMAL{sizes}", f"decimal{sizes}", Decimal, sizes=sizes)


def _are_sizes(precision: int, scale: int) -> bool:
    return 1 <= precision <= LARGEST_PRECISION and 0 <= scale <= precision


def array_of(element: Type) -> Type:
    """ARRAY<element>: any number of values of one type, or NULL.

    >>> array_of(Type.INT)
    ARRAY<INT>
    """
    if not isinstance(element, Type):
        raise TypeMismatch(f"ARRAY: expected the Type of its elements, got {element!r}")
    return _type(("array", element), f"ARRAY<{element.name}>", f"array<{element.value}>", tuple, element=element)


def row_of(*fields: tuple[str, Type]) -> Type:
    """ROW<name type, …>: one value of each field; SQL's STRUCT.

    >>> row_of(("a", Type.INT), ("b", Type.STR))
    ROW<a INT, b STR>
    """
    names = [name for name, _ in fields]
    if not fields or len(set(names)) < len(names) or not all(isinstance(type_, Type) for _, type_ in fields):
        raise TypeMismatch(f"ROW: expected at least one field, each with its own name and a Type, got {fields!r}")
    shown = ", ".join(f"{name} {type_.name}" for name, type_ in fields)
    written = ", ".join(f"{_field(name)} {type_.value}" for name, type_ in fields)
    return _type(("row", fields), f"ROW<{shown}>", f"row<{written}>", tuple, fields=fields)


def _field(name: str) -> str:
    """A field's name, as the notation writes names."""
    return (
        name if name.isidentifier() and name.isascii() else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )
