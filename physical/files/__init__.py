"""Streams in files: CSV, JSON Lines, Parquet and Arrow, read and written in batches of bounded size."""
