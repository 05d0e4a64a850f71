"""A Python function against a query: the function gets the cases, and what it returns is judged."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from equivalence.verdicts.verdict import Verdict
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.programs.program_output import ProgramOutput
    from equivalence.python_functions.function_runs import Function
    from equivalence.python_functions.row_kinds import RowKind

CASES: Final = 500
TOLERANCE: Final = 1e-9
"""Sums of floats depend on the order of the rows, which a function may choose."""
_OUTPUTS: Final = ("intervals", "panes", "events")


def check_function(
    f: "Function",
    sql: str,
    *,
    streams: "RowKind | Mapping[str, Any] | None" = None,
    output: "ProgramOutput | None" = None,
    time: str | None = None,
    examples: int = CASES,
    seed: int = 0,
    tolerance: float = TOLERANCE,
    awkward: bool = False,
) -> Verdict:
    """Does a function, from rows to rows, compute what a query says?

    It takes lists of dicts, pandas or polars DataFrames or Arrow tables, as its annotations say or `streams`: one kind
    for all of them ("rows", "pandas", "pandas-nullable", "polars", "polars-lazy", "arrow"), or for each stream by its
    name a kind or an example. Examples are tried first, and declare streams that the query does not.

    The result is `intervals` with `_start` and `_end`, `panes` with `window_start` or `window_end`, or `events` with a
    `time` column, in any of these forms. By default its columns show which. With `awkward`, values that overflow, NaN
    and the like are tried, too.

    >>> def expensive(bids):
    ...     return [bid for bid in bids if bid["price"] is not None and bid["price"] >= 10]
    >>> sql = "CREATE STREAM bids(price INT, ts INT) ORDERED BY ts; SELECT price FROM bids WHERE price > 10"
    >>> print(check_function(expensive, sql).counterexample)
    let bids = raw(price int): (10)@0
    plan bids(price int) | filter(price > 10) | map(price as price)
    at instant 0 the left holds  {}
                 the right holds {(10)}
    """
    _check_options(output, examples, tolerance)
    from equivalence.programs.program_cases import ProgramCases
    from equivalence.python_functions.example_streams import example_case, query_over_examples
    from equivalence.python_functions.function_runs import FunctionRunner
    from equivalence.python_functions.function_search import FunctionSearch

    kinds, given = _kinds_and_examples(streams)
    query = query_over_examples(sql, given, time)
    cases = ProgramCases(query, awkward)
    first = example_case(query, given)
    if first and not cases.is_promised(first):
        raise SnapeqError("check_function: the examples break a constraint that the query declares")
    by_name = {source.name: kinds.get(source.name.lower(), kinds.get("")) for source in query.sources}
    runner = FunctionRunner(f, query, {name: kind for name, kind in by_name.items() if kind}, time)
    return FunctionSearch(runner, cases, output, seed, tolerance).verdict(examples, first)


def _check_options(output: str | None, examples: int, tolerance: float) -> None:
    if tolerance < 0:
        raise SnapeqError(f"check_function: the tolerance must not be negative, got {tolerance}")
    if examples < 1:
        raise SnapeqError(f"check_function: expected at least one example, got {examples}")
    if output is not None and output not in _OUTPUTS:
        raise SnapeqError(f"check_function: output {output!r}: expected one of: {', '.join(_OUTPUTS)}")


def _kinds_and_examples(streams: str | Mapping[str, Any] | None) -> tuple[dict[str, "RowKind"], dict[str, Any]]:
    """The kinds of rows by the names of streams in lower case, with "" for all others; and the examples."""
    from equivalence.python_functions.row_kinds import check_kind, kind_of_data

    if streams is None or isinstance(streams, str):
        return ({} if streams is None else {"": check_kind(streams)}), {}
    examples = {name: data for name, data in streams.items() if not isinstance(data, str)}
    shown = {name: kind_of_data(data) for name, data in examples.items()}
    unknown = next((name for name, kind in shown.items() if kind is None), None)
    if unknown is not None:
        raise SnapeqError(f"streams: {unknown} is {type(examples[unknown]).__name__}; expected rows, or a kind of rows")
    kinds = {name.lower(): check_kind(data) for name, data in streams.items() if isinstance(data, str)}
    return kinds | {name.lower(): kind for name, kind in shown.items() if kind is not None}, examples
