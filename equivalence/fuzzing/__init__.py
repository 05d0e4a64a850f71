"""Optimizers of SQL, others' and ours, under random queries: which rule is wrong, on the smallest query and data."""
