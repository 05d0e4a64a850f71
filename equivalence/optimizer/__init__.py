"""Rewriting plans by rules and costs, and checking optimizers."""
