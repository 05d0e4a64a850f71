"""Queries over Spark DataFrames, in the session that you have.

    from snapeq import spark

    per_item = spark.sql("SELECT item, COUNT(*) AS bids FROM Bid WINDOW(RANGE 10 MINUTES) GROUP BY item", {"Bid": bids})
    assert spark.check(query, {"Bid": bids}, what_my_job_wrote).holds

`sql` and `canonical` are lazy: no job runs until their DataFrame is used. `check` and `diff` give a verdict.
"""

from equivalence.dataframes.compare import check, diff
from equivalence.dataframes.compute import canonical, sql

__all__ = ["canonical", "check", "diff", "sql"]
