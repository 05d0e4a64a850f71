"""Queries over Spark DataFrames: computed as a DataFrame, and DataFrames or jobs checked against a query."""
