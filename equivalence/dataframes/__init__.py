"""Queries over Spark DataFrames: computed as a DataFrame, and DataFrames checked against a query or each other."""

from physical.engines.spark.spark_session import check_installed

check_installed()
