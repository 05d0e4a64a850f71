"""Python functions over rows, pandas, polars and Arrow against a query."""
