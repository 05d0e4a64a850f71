"""Subqueries in expressions, correlated or not, into joins."""
