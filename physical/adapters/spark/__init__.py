"""Spark's own operators, put so that they claim to mean what an operator of ours means."""
