"""Bounded search for counterexamples; each is replayed, so nothing rests on this room."""
