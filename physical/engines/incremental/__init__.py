"""Incremental plans over basic windows: what is computed of a basic window is kept and merged as the window slides."""
