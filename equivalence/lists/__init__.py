"""Streams as lists of elements, operators on them, and the six equivalences."""
