"""Spark: our kernels inside it against the best pure Spark SQL, and many cases in one job against one job each."""
