"""Streams in columns: columns, expressions over them, Arrow, canonical form."""

import physical.kernels  # noqa: F401  # first of all: see there
