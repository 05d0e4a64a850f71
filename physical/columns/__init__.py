"""Streams in columns: columns, expressions over them, Arrow, canonical form."""
