"""Hypothesis strategies for schemas, rows, streams, expressions, plans, whole cases and schedules."""

from equivalence.cases.cases import CASE_HORIZON, cases
from equivalence.cases.constrained_cases import Case
from equivalence.cases.expressions import expressions, predicates
from equivalence.cases.plans import CATALOGUE, OPERATORS, plans, plans_with_root
from equivalence.cases.rows import rows, schemas, values
from equivalence.cases.schedules import schedules
from equivalence.cases.streams import HORIZON, interval_streams, intervals, raw_streams, streams

__all__ = [
    "CASE_HORIZON",
    "CATALOGUE",
    "HORIZON",
    "OPERATORS",
    "Case",
    "cases",
    "expressions",
    "interval_streams",
    "intervals",
    "plans",
    "plans_with_root",
    "predicates",
    "raw_streams",
    "rows",
    "schedules",
    "schemas",
    "streams",
    "values",
]
