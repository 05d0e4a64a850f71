"""Syntax trees of SQL into plans, clause by clause."""
