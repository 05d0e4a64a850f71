"""Databases that keep views up to date, over the PostgreSQL protocol."""
