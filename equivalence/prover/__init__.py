"""Proofs of equivalence for all streams, and counterexamples: `prove` is the front door, `pipeline` the order of work.

A proof works like this. `meaning` turns both plans into terms that say how often a row is there at an instant, with
finite sums over rows and instants. `kernel` brings both terms into normal form by named steps, and reduces their
equality to leaves: formulas without sums, which `solver` asks z3 and cvc5 about.

A proof is only as good as these modules, from the bottom up:

- `terms`: what a term is, and the identities by which its constructors simplify;
- `meaning`: what plans, lists, expressions and whatever a rule leaves open mean as terms;
- `kernel`: the steps, each of which has a theorem in `proofs/coq`, and how an equality becomes leaves;
- `attempt` and `passes.attempt_proof`: what has to be equal, and that no statement is skipped;
- `confirmation`: only what both solvers confirm is proved. So neither of them is trusted alone;
- `weaker_assumptions`: a proof may assume less than is given, and nothing else;
- `certificate`: a chain of rewrites is checked step by step, by proofs of the kind above.

All other modules are trusted for nothing. `refute` searches for counterexamples, and the reference evaluator replays
what it finds. `derive` and `differing_parts` search for chains of rewrites, and `certificate` checks what they find.
`missing_assumptions` looks for what would make a proof, and says it. A mistake there may cost an answer; it cannot give
a wrong one. `verification.prover_probe` looks for mistakes in the trusted modules.
"""
