"""Hypothesis strategies for schemas, rows, streams, expressions, plans, whole cases and schedules."""

from equivalence.generate.cases import CASE_HORIZON, cases
from equivalence.generate.catalogue import Case
from equivalence.generate.expressions import expressions, predicates
from equivalence.generate.plans import CATALOGUE, OPERATORS, plans, plans_with_root
from equivalence.generate.rows import rows, schemas, values
from equivalence.generate.schedules import schedules
from equivalence.generate.streams import HORIZON, interval_streams, intervals, raw_streams, streams

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
