"""The forms in which functions take and give rows: lists of dicts, pandas and polars DataFrames, Arrow tables.

pandas and polars are needed only by functions that take them. What a function gives tells by itself what it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa

from equivalence.programs.program_inputs import ProgramInput, parameters_of
from semantics import SnapeqError
from semantics.missing_package import missing_package

RowKind = Literal["rows", "pandas", "pandas-nullable", "polars", "polars-lazy", "arrow"]
KINDS: Final[tuple[RowKind, ...]] = get_args(RowKind)
_MODULES: Final[dict[str, RowKind]] = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}


@dataclass(frozen=True)
class Records:
    """Rows with their columns by name; there are no columns where an empty list does not show them."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    nan_is_null: bool = False
    """In pandas, a number that is missing is NaN."""
    hint: str = ""
    """What may be the reason if a column is missing."""


def check_kind(kind: str) -> RowKind:
    """The kind, if there is one of this name and its package is installed."""
    for known in KINDS:
        if kind == known:
            package = known.split("-")[0]
            if package in ("pandas", "polars") and find_spec(package) is None:
                raise SnapeqError(missing_package("check_function", package, command=f"pip install {package}"))
            return known
    raise SnapeqError(f"check_function: {kind!r} is no kind of rows; expected one of: {', '.join(KINDS)}")


def given(table: pa.Table, kind: RowKind) -> Any:
    """A table as a function wants it."""
    match kind:
        case "rows":
            return table.to_pylist()
        case "pandas":
            return table.to_pandas()
        case "pandas-nullable":
            return table.to_pandas(types_mapper=_nullable().get)
        case "polars" | "polars-lazy":
            import polars

            frame = polars.DataFrame(polars.from_arrow(table))
            return frame.lazy() if kind == "polars-lazy" else frame
        case "arrow":
            return table


def _nullable() -> dict[pa.DataType, Any]:
    """The types of pandas that tell NULL from numbers."""
    import pandas

    return {pa.int64(): pandas.Int64Dtype(), pa.bool_(): pandas.BooleanDtype(), pa.string(): pandas.StringDtype()}


def kind_of_data(data: object) -> RowKind | None:
    """What an example shows."""
    found = _kind_of_type(type(data))
    if found == "pandas":
        types = getattr(data, "dtypes", ())
        return "pandas-nullable" if any(_is_nullable(dtype) for dtype in types) else "pandas"
    return found


def _is_nullable(dtype: object) -> bool:
    return type(dtype).__name__ in ("Int64Dtype", "BooleanDtype", "Float64Dtype")


def kinds_of_parameters(function: Callable[..., Any], inputs: Sequence[ProgramInput]) -> dict[str, RowKind]:
    """The kind of each input that annotations tell, by the name or the place of its parameter."""
    try:
        hints = get_type_hints(function)
    except Exception:  # names that exist for the type checker only tell nothing here
        return {}
    wanted = parameters_of(function)
    by_name = {p.name.lower(): _kind_of_annotation(hints.get(p.name)) for p in wanted}
    if len(wanted) == 1 and len(inputs) > 1:
        kinds = [next(iter(by_name.values()))] * len(inputs)
    elif by_name.keys() == {one.name.lower() for one in inputs}:
        kinds = [by_name[one.name.lower()] for one in inputs]
    else:
        kinds = list(by_name.values())
    return {one.name: kind for one, kind in zip(inputs, kinds, strict=False) if kind is not None}


def _kind_of_annotation(hint: object) -> RowKind | None:
    """The kind that a type stands for; of a mapping, its last part."""
    if isinstance(hint, type) and not get_args(hint):
        return _kind_of_type(hint)
    inner = get_args(hint)
    origin = get_origin(hint)
    if inner and isinstance(origin, type) and issubclass(origin, Mapping):
        return _kind_of_annotation(inner[-1])
    return "rows" if isinstance(origin, type) and issubclass(origin, Iterable) else None


def _kind_of_type(type_: type) -> RowKind | None:
    if issubclass(type_, list | tuple):
        return "rows"
    if type_.__name__ == "LazyFrame":
        return "polars-lazy"
    return _MODULES.get(type_.__module__.split(".")[0])


def records(output: Any) -> Records:
    """What a function gave, whatever it is: rows with columns by name."""
    match _kind_of_type(type(output)):
        case "pandas" | "pandas-nullable" if hasattr(output, "columns"):
            return _of_pandas(output)
        case "polars" if hasattr(output, "to_dicts"):
            return Records(tuple(output.columns), output.to_dicts())
        case "arrow" if hasattr(output, "to_pylist") and hasattr(output, "schema"):
            return Records(_distinct(output.schema.names), output.to_pylist())
    if isinstance(output, Iterable) and not isinstance(output, str | bytes | Mapping):
        return _of_rows(list(output))
    raise _no_rows(output)


def _of_pandas(output: Any) -> Records:
    columns = _distinct([str(name) for name in output.columns])
    named = [str(name) for name in output.index.names if name is not None]
    hint = f"; {', '.join(named)} is in the index, which is not read: reset_index() makes a column of it"
    plain = output.set_axis(list(columns), axis=1)
    return Records(columns, plain.to_dict("records"), nan_is_null=True, hint=hint if named else "")


def _of_rows(rows: list[Any]) -> Records:
    wrong = next((row for row in rows if not isinstance(row, Mapping)), None)
    if wrong is not None:
        raise _no_rows(wrong, "rows of ")
    return Records(tuple(dict.fromkeys(str(name) for row in rows for name in row)), rows)


def _distinct(columns: Sequence[str]) -> tuple[str, ...]:
    twice = next((name for name in columns if list(columns).count(name) > 1), None)
    if twice is not None:
        raise SnapeqError(f"the function's output has several columns called {twice}; rename all but one")
    return tuple(columns)


def _no_rows(output: object, what: str = "") -> SnapeqError:
    expected = "a list of dicts, a pandas or polars DataFrame, or an Arrow table"
    return SnapeqError(f"the function gave {what}{type(output).__name__}; expected {expected}")
