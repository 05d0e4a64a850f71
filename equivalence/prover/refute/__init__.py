"""Bounded search for counterexamples. The reference evaluator replays each, so nothing rests on this room."""
