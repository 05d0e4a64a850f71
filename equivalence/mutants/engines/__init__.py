"""Engines of `physical` with one thing wrong: an operator, its state, a session, or what goes in and comes out."""
