"""What a solver's model stands for: values of rows, and tables of functions, with which plans can be run."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

from equivalence.cases.typed_values import as_held
from equivalence.prover.meaning.concrete import Interpretation
from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms, FreeFunction, constant, place, real
from equivalence.prover.meaning.typed_terms import scale
from equivalence.prover.solver.solvers import Scalar
from equivalence.prover.terms.build import disj, equal, is_null
from equivalence.prover.terms.term import Term, Var, free, subterms
from semantics import Row, Schema, Type, Value
from semantics.aggregate import rounded
from semantics.decimals import scaled
from semantics.types import BASIC_TYPES

Model = Mapping[str, Scalar]


TEXTS: Final = ("", "a", "b", "c")
_KINDS: Final = {Type.STR: str, Type.FLOAT: float, Type.INT: int}


class Valuation:
    """Texts and floats are among a few values and the constants of the plans; so are ints, if that is asked for."""

    def __init__(self, spoken: Iterable[Value], tried: Mapping[Type, Sequence[Value]]) -> None:
        known = list(spoken)
        self._domain = {
            type_: list(dict.fromkeys([*values, *(v for v in known if type(v) is _KINDS[type_])]))
            for type_, values in {Type.STR: TEXTS, **tried}.items()
        }
        texts, floats = self._domain[Type.STR], self._domain[Type.FLOAT]
        self._places: dict[Type, dict[Fraction, Value]] = {
            Type.STR: {place(str(text)): text for text in texts},
            Type.FLOAT: {real(cast(float, number)): number for number in floats},
        }

    def assertions(self, columns: Iterable[tuple[Term, Type]], expressions: ExpressionTerms) -> list[Term]:
        """What a model must satisfy: columns and results are among the values tried, and calls have names."""
        calls = expressions.applications.items()
        names = [equal(name, term) for k, (call, _) in enumerate(calls) for name, term in _named(k, call)]
        results = [(call, function.result) for call, function in calls]
        return [*names, *(f for value, type_ in [*columns, *results] for f in self._among(value, type_))]

    def _among(self, value: Term, type_: Type) -> list[Term]:
        if type_ not in self._domain:
            return []
        return [disj(is_null(value), *(equal(value, constant(each, type_)) for each in self._domain[type_]))]

    def row(self, model: Model, row: Sequence[Term], schema: Schema) -> Row:
        return tuple(self._value(model, value, type_) for value, type_ in zip(row, schema.types, strict=True))

    def _value(self, model: Model, variable: Term, type_: Type) -> Value:
        """The value of a variable in the model; one that does not matter is NULL."""
        value = model.get(name_of(variable))
        if type_ not in BASIC_TYPES:
            return _counted(value, type_) if isinstance(value, int) else None
        if isinstance(value, Fraction):
            return self._places[type_].get(value, rounded(value) if type_ is Type.FLOAT else None)
        return value

    def interpretation(self, model: Model, expressions: ExpressionTerms) -> Interpretation:
        """The numbers and functions of the model."""
        tables: dict[FreeFunction, dict[Row, Value]] = {}
        for k, (call, function) in enumerate(expressions.applications.items()):
            *arguments, result = [name for name, _ in _named(k, call)]
            typed = zip(arguments, function.parameters, strict=True)
            row = tuple(self._value(model, argument, type_) for argument, type_ in typed)
            tables.setdefault(function, {})[row] = self._value(model, result, function.result)
        return Interpretation({n: v for n, v in model.items() if isinstance(v, int)}, tables)


def _counted(count: int, type_: Type) -> Value:
    """The value that an integer stands for; NULL if the type has none."""
    return as_held(scaled(count, scale(type_)) if type_.is_decimal else count, type_)


def rows_named(name: str, schema: Schema, rows: int) -> list[tuple[Var, ...]]:
    """Rows of variables, a variable for each column."""
    return [
        tuple(Var(f"{name} row {i} column {j}", SORTS[type_]) for j, type_ in enumerate(schema.types))
        for i in range(rows)
    ]


def name_of(term: Term) -> str:
    (variable,) = free(term)
    return variable.name


def _named(k: int, call: Term) -> list[tuple[Var, Term]]:
    """Names for the arguments and the result of an application."""
    parts = [*subterms(call), call]
    return [(Var(f"call {k} part {i}", part.sort), part) for i, part in enumerate(parts)]
