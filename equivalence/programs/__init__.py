"""Programs that people write, Spark jobs and Python functions: what their checks against a query have in common."""
