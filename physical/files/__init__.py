"""Streams in files: CSV, JSON Lines, Parquet and Arrow, read and written in batches of bounded size."""

import physical.kernels  # noqa: F401  # first of all: see there
