"""Does every kind of expression mean as a term what it means in the reference? Asked for all values of a small world.

The probe over plans has few expressions, and a mistake in one would change both sides of a statement alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Final

import numpy as np

from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.ranks import in_order_before
from equivalence.prover.terms.term import SmtSort, Term, Var
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.prover_probe.term_meaning import HIGH, LOW, NULL, Meaning, NoMeaning
from semantics.expression import Expression
from semantics.expression import evaluate as value_of
from semantics.ordering import SortKey, in_order
from semantics.plan import Map
from semantics.sql import parse_query, read_script
from semantics.types import Type
from semantics.value import Value

COLUMNS: Final = "x INT, y INT, p DECIMAL(9, 1), q DECIMAL(9, 2), t TIMESTAMP, u TIMESTAMP"
PAIRS: Final = {"xy": (0, 1), "pq": (2, 3), "tu": (4, 5), "px": (2, 0)}
"""Which two columns take all values; the others are NULL."""
VALUES: Final = (NULL, *range(2 * LOW, 2 * HIGH))
LARGEST_SHARE_WITHOUT_MEANING: Final = 0.1
PREDICATES: Final = (
    *("x < y", "x <= y", "x > y", "x >= y", "x = y", "x <> y", "x IS NULL", "x IS DISTINCT FROM y"),
    *("x IS NOT DISTINCT FROM y", "x > 0 AND y > 0", "x > 0 OR y > 0", "x > 0 OR NULL", "x > 0 AND NULL"),
    *("x IN (1, y)", "x NOT IN (1, y)", "x IN (1, NULL)", "x NOT IN (1, NULL)", "x BETWEEN 0 AND y"),
    *("x NOT BETWEEN y AND 3", "(x > 0) IS TRUE", "(x > 0) IS NOT FALSE", "(x > y) = (y > 0)", "x + y > 2"),
    *("CASE WHEN x > y THEN y > 0 ELSE x > 0 END", "COALESCE(x > y, y > 0)", "MOD(x, 3) = 1", "DIV(x, 2) = y"),
    *("p < q", "p = q", "p >= q", "p + q > 1", "p > 0.5", "p IN (0.1, q)", "t < u", "t = u"),
    *("t + INTERVAL '0.000001' SECOND > u", "t - u < INTERVAL '0.000003' SECOND", "p = x", "p < x"),
)
EXPRESSIONS: Final = (
    *("x + y", "x - y", "x * y", "-x", "MOD(x, y)", "MOD(x, 3)", "MOD(x, -3)", "DIV(x, y)", "DIV(x, 2)", "DIV(x, -2)"),
    *("FLOOR_MOD(x, y)", "FLOOR_MOD(x, 3)", "ABS(x)", "SIGN(x)", "GREATEST(x, y)", "LEAST(x, y)"),
    *("GREATEST_IGNORE_NULLS(x, y)", "LEAST_IGNORE_NULLS(x, y)", "COALESCE(x, y)", "NULLIF(x, y)", "NULLIF(x, 1)"),
    *("CASE WHEN x > y THEN 1 WHEN x = y THEN 2 END", "CASE x WHEN 1 THEN y WHEN NULL THEN 2 ELSE 3 END"),
    *("p + q", "p - q", "p + x", "q - p", "-p", "CAST(p AS INT)", "CAST(q AS INT)", "CAST(q AS DECIMAL(9, 1))"),
    *("CAST(x AS DECIMAL(9, 1))", "COALESCE(p, q)", "GREATEST(p, 0.3)"),
    *("t - u", "t + INTERVAL '0.000002' SECOND", "t - INTERVAL '0.000001' SECOND"),
)
ORDERS: Final = tuple(SortKey(0, descending, last) for descending, last in product((False, True), (None, False, True)))


@dataclass(frozen=True)
class ExpressionReport:
    """The number of questions, how many have no meaning here, and the texts of those that are wrong."""

    asked: int
    unknown: int
    wrong: tuple[str, ...]

    @property
    def says_enough(self) -> bool:
        return self.unknown < LARGEST_SHARE_WITHOUT_MEANING * self.asked


def judged() -> ExpressionReport:
    """All predicates, expressions and orders, for all values of the columns that they are about."""
    unknown, wrong, texts = 0, list[str](), (*PREDICATES, *EXPRESSIONS)
    for text in texts:
        try:
            if differs(text):
                wrong.append(text)
        except NoMeaning:
            unknown += 1
    wrong += [str(key) for key in ORDERS if order_differs(key)]
    return ExpressionReport(len(texts) + len(ORDERS), unknown, tuple(wrong))


def differs(text: str) -> bool:
    """Whether the term of an expression has another value than the reference says, for some values of its columns."""
    catalogue = read_script(f"CREATE STREAM S({COLUMNS}, ts BIGINT) ORDERED BY ts")
    plan = parse_query(f"SELECT {text} AS v FROM S", catalogue)
    assert isinstance(plan, Map)
    (expression,) = plan.expressions
    return any(_differs(expression, plan.input.schema.types, pair) for pair in _pairs(text))


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").replace("-", " ").split())
    for names, pair in PAIRS.items():
        if words & {*"xypqtu"} <= {*names}:
            yield pair
            return
    raise AssertionError(f"{text}: no pair of columns has all that it is about")


def _differs(expression: Expression, types: Sequence[Type], pair: tuple[int, int]) -> bool:
    points = list(product(VALUES, VALUES))
    columns = {place: np.array([point[i] for point in points]) for i, place in enumerate(pair)}
    row = [Var(f"column {i}", SORTS[type_]) for i, type_ in enumerate(types)]
    nothing = np.full(len(points), NULL)
    meaning = Meaning({}, {v: columns.get(i, nothing) for i, v in enumerate(row)})
    wanted = [value_of(expression, tuple(_values(types, pair, point))) for point in points]
    if expression.type is Type.BOOL:
        truth = ExpressionTerms().truth(expression, row)
        return any(
            _of(meaning, term, len(points)) != [value is known for value in wanted]
            for known, term in ((True, truth.true), (False, truth.false))
        )
    found = _of(meaning, ExpressionTerms().value(expression, row), len(points))
    return found != [_as_number(value, expression.type) for value in wanted]


def _of(meaning: Meaning, term: Term, points: int) -> list[int | bool]:
    return list(np.broadcast_to(meaning.of(term), points).tolist())


def _values(types: Sequence[Type], pair: tuple[int, int], point: tuple[int, int]) -> Iterator[Value]:
    given = dict(zip(pair, point, strict=True))
    for i, type_ in enumerate(types):
        number = given.get(i, NULL)
        yield None if number == NULL else _as_value(number, type_)


def _as_value(number: int, type_: Type) -> Value:
    if type_.sizes is not None:
        return Decimal(number).scaleb(-type_.sizes[1])
    value: Value = type_.python(number)
    return value


def _as_number(value: Value, type_: Type) -> int:
    """What the term has for it: a decimal in its last digit, a point in time in microseconds."""
    if value is None:
        return int(NULL)
    if isinstance(value, Decimal) and type_.sizes is not None:
        return int(value.scaleb(type_.sizes[1]))
    assert isinstance(value, int)
    return int(value)


def order_differs(key: SortKey) -> bool:
    """Whether a value comes before another one as a term says, and not as rows are sorted, or the other way round."""
    points = list(product(VALUES, VALUES))
    one, other = Var("x", SmtSort.INT_OR_NULL), Var("y", SmtSort.INT_OR_NULL)
    given = {variable: np.array([point[i] for point in points]) for i, variable in enumerate((one, other))}
    found = _of(Meaning({}, given), in_order_before((key,), (one,), (other,)), len(points))
    rows = [tuple(None if v == NULL else (v,) for v in point) for point in points]
    sorted_rows = [[(v[0] if v else None,) for v in pair] for pair in rows]
    wanted = [a != b and in_order((key,), [b, a])[0] == a for a, b in sorted_rows]
    return found != wanted


def verify_expressions() -> Iterator[Outcome]:
    """Terms of expressions and orders against the reference, for all values of a small world."""
    found = judged()
    evidence: dict[str, object] = {"cases": found.asked - found.unknown, "not said": found.unknown}
    verdict = "refuted" if found.wrong else "agreed" if found.says_enough else "vacuous"
    wrong = "\n".join(f"{text}: the term means something else" for text in found.wrong)
    yield Outcome("proofs", "terms of expressions", "sound", verdict == "agreed", verdict, evidence, text=wrong)
