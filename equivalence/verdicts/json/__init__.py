"""Verdicts and counterexamples as JSON, written and read."""
