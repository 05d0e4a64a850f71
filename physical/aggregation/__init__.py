"""Temporal aggregation over columns, shared by all engines."""
