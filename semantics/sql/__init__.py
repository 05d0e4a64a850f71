"""The query language of Section 3: text into plans, and plans back into text.

>>> from semantics.sql import parse_query, read_script
>>> catalogue = read_script("CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts")
>>> plan = parse_query("SELECT item, MAX(price) AS top FROM Bid WINDOW(RANGE 10 MINUTES) GROUP BY item", catalogue)
>>> plan.operator, plan.input.size
('Grouping', 600)

Names are loaded when they are first used: a command that reads a query does not write one.
"""

from typing import TYPE_CHECKING

from semantics.lazy_names import lazy_names

if TYPE_CHECKING:
    from semantics.sql.catalogue import Catalogue, Constraint, Declaration, Derived
    from semantics.sql.errors import SqlError
    from semantics.sql.script import Script, parse_query, parse_script, read_script
    from semantics.sql.to_text.plans import to_sql, without_now_windows
    from semantics.sql.units import TimeUnit
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "Catalogue",
    "Constraint",
    "Declaration",
    "Derived",
    "Script",
    "SqlError",
    "TimeUnit",
    "parse_query",
    "parse_script",
    "read_script",
    "to_sql",
    "without_now_windows",
]
