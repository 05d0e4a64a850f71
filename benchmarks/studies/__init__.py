"""Studies: one question each, such as what intervals cost beside signed elements."""
