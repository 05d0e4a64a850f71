"""Proofs written down: `write` makes certificates; `checker`, which shares nothing with the prover, replays them."""
