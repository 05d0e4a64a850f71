"""What plans, lists and rules mean as terms. Soundness rests on this room; `verification.prover_probe` tests it."""
