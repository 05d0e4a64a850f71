"""A function, called with the streams of a case, and what it gave."""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from equivalence.cases.random_cases import Case
from equivalence.programs.program_inputs import called, milliseconds_of, program_inputs
from equivalence.programs.program_output import ProgramOutput
from equivalence.python_functions.function_output import OutputReader, kind_of_output, pane_size
from equivalence.python_functions.python_values import EXACT_FLOATS
from equivalence.python_functions.row_kinds import Records, RowKind, given, kinds_of_parameters, records
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import SnapeqError, SparseStream, Stream, Type
from semantics.constraint import elements_of

OUR_CODE: Final = Path(__file__).parents[1]
Function = Callable[..., Any]
"""Takes rows for each stream, by name or in the order of the declarations; or one mapping of all of them."""


class FunctionRunner:
    """Runs one function on cases."""

    def __init__(
        self, function: Function, query: QueryOverFiles, kinds: Mapping[str, RowKind], time: str | None
    ) -> None:
        self.function, self.schema = function, query.plan.schema
        self.inputs = program_inputs(query)
        self.kinds: dict[str, RowKind] = {one.name: "rows" for one in self.inputs}
        self.kinds |= kinds_of_parameters(function, self.inputs)
        self.kinds |= {one.name: kinds[one.name] for one in self.inputs if one.name in kinds}
        self.milliseconds = milliseconds_of(query)
        self.times = [time] if time else [one.layout.start for one in self.inputs if one.layout.start]
        self._pane = pane_size(query.plan)

    def output_kind(self, case: Case) -> ProgramOutput | None:
        """What the output for a case shows to be; None if it shows nothing."""
        try:
            return kind_of_output(self._called(case), self.schema, self.times)
        except Fault:
            return None

    def run(self, case: Case, kind: ProgramOutput, step: int) -> SparseStream:
        """What the function gives for a case; raises a Fault if that is nothing."""
        reader = OutputReader(self.schema, kind, self.times, self.milliseconds, self._pane, step)
        return reader.stream(self._called(case))

    def can_be_given(self, case: Case) -> bool:
        """Does pandas keep these values? To plain columns of it, NaN is NULL, and integers beside NULL are floats."""
        return all(_survives(case[name], kind) for name, kind in self.kinds.items() if name in case)

    def _called(self, case: Case) -> Records:
        arguments = [given(one.table(case[one.name]), self.kinds[one.name]) for one in self.inputs]
        try:
            output = called(self.function, "the function", self.inputs, arguments)
            output = _computed(output)
        except SnapeqError:
            raise
        except Exception as error:
            raise Fault(FaultKind.RAISES, _where(error)) from error
        found = records(output)
        # A function over pandas passes its NaN on, whatever it gives.
        return replace(found, nan_is_null=found.nan_is_null or any("pandas" in kind for kind in self.kinds.values()))


def _computed(output: Any) -> Any:
    """What a generator or a lazy DataFrame gives is computed here, so that its errors are the function's."""
    if type(output).__name__ == "LazyFrame":
        return output.collect()
    return list(output) if hasattr(output, "__next__") else output


def _where(error: Exception) -> str:
    """An error, and the line of the user's code that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(OUR_CODE)]
    place = f" ({Path(own[0].filename).name}, line {own[0].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


def _survives(stream: Stream, kind: RowKind) -> bool:
    if kind not in ("pandas", "pandas-nullable"):
        return True
    columns = list(zip(*(row for row, _ in elements_of(stream)), strict=True))
    for type_, values in zip(stream.schema.types, columns, strict=False):
        if type_ is Type.FLOAT and any(value != value for value in values):
            return False
        large = any(isinstance(value, int) and abs(value) > EXACT_FLOATS for value in values)
        if kind == "pandas" and type_ is Type.INT and None in values and large:
            return False
    return True
