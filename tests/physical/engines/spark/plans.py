"""How Spark is going to compute something."""

from pyspark.sql import DataFrame


def physical_plan(data: DataFrame) -> str:
    """Spark's plan; nothing is computed."""
    plan: str = data._jdf.queryExecution().executedPlan().toString()
    return plan


def works_on_one_task(data: DataFrame) -> bool:
    """Does the plan bring all rows to one task?"""
    plan = physical_plan(data)
    return any(word in plan for word in ("Coalesce 1", "SinglePartition", "RoundRobinPartitioning(1)"))
