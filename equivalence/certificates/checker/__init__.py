"""The checker of certificates: its own terms, schemas of lemmas and meaning of plans, and nothing of the prover."""
