"""What goes by the order of rows, against DuckDB: the best of each pane, sessions, and sums of the last rows.

Streams are events. A pane of TUMBLE is a sample of a window; its first rows are λ over it. DuckDB's queries are the
usual ones: ROW_NUMBER over panes, LAG and a running count of the sessions that begin, a window over the last rows.
"""

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.duck import DuckDB
from semantics import col, count, now, source, sum_

TOP = """
SELECT g, v, (_start // {size}) * {size} + {size} - 1 AS _start, (_start // {size}) * {size} + {size} AS _end FROM A
QUALIFY row_number() OVER (PARTITION BY _start // {size} ORDER BY v DESC, g) <= {first}
"""
SESSIONS = """
WITH marked AS (
    SELECT g, v, _start AS t,
        CASE WHEN _start - lag(_start) OVER (PARTITION BY g ORDER BY _start) < {gap} THEN 0 ELSE 1 END AS begins
    FROM A),
numbered AS (SELECT *, sum(begins) OVER (PARTITION BY g ORDER BY t ROWS UNBOUNDED PRECEDING) AS session FROM marked)
SELECT g, min(t) AS session_start, max(t) + {gap} AS session_end, count(*) AS n, sum(v)::BIGINT AS total,
    max(t) + {gap} - 1 AS _start, max(t) + {gap} AS _end
FROM numbered GROUP BY g, session
"""
LAST_ROWS = """
SELECT g, v, (sum(v) OVER (PARTITION BY g ORDER BY _start, v ROWS {rows} PRECEDING))::BIGINT AS total, _start, _end
FROM A
"""


def inputs(size: int, groups: int) -> Inputs:
    return {"A": uniform(size, 1, length=1, g=groups, v=10**6)}


def top_of_panes(size: int = 1000, first: int = 3, groups: int = 10**4) -> Work:
    """The first rows of each pane of TUMBLE."""
    panes = source("A", g=int, v=int).window(size).filter((now() + 1) % size == 0)
    query = DuckDB(TOP.format(size=size, first=first))
    plan = panes.limit(first, "v desc")
    return Work("top of panes", Run(plan), lambda n: inputs(n, groups), (query,), goal=3)


def sessions(gap: int = 10**4, groups: int = 10**4) -> Work:
    """Count and sum of each session."""
    rows = source("A", g=int, v=int).session(gap, by="g").filter(now() == col("session_end") - 1)
    plan = rows.group_by("g", "session_start", "session_end").aggregate(n=count(), total=sum_("v"))
    return Work("sessions", Run(plan), lambda n: inputs(n, groups), (DuckDB(SESSIONS.format(gap=gap)),), goal=3)


def last_rows(rows: int = 10, groups: int = 10**4) -> Work:
    """For each row the sum of the last rows of its group."""
    plan = source("A", g=int, v=int).over(by="g", total=sum_("v").over(rows=rows))
    return Work("last rows", Run(plan), lambda n: inputs(n, groups), (DuckDB(LAST_ROWS.format(rows=rows)),), goal=3)
