"""Apache Flink: SQL over snapshots in batch mode, and its own windows in streaming mode."""
