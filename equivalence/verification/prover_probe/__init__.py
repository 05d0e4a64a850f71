"""Is the prover sound? All small plans, compared with what it proves."""
