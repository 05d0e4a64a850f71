"""Sweep areas: where joins keep elements, and how they find partners for a condition."""
