"""Queries and streams as a shell gives them: texts and files."""
