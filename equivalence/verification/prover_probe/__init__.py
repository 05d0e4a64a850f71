"""Is the prover sound? All small plans, compared with their terms, and pairs of them with what is proved."""
