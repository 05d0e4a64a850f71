"""Polars by its own operators: lazy frames, without SQL."""
