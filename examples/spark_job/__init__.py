"""A PySpark job with a bug, and the query that it should compute: docs/spark.md checks one against the other."""
